import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { DecisionModal } from '../../../components/decision-modal.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { navigate } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import type { IncidentVersion } from '../use-incident.ts';

export function DeleteModal({ version, onClose }: { version: IncidentVersion; onClose(): void }) {
  const { client } = useApi();
  const { incident, etag } = version;
  const [deleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const remove = async () => {
    setDeleting(true);
    try {
      await client.deleteIncident({ id: incident.id }, etag ? { ifMatch: etag } : {});
      notify({ type: 'success', content: `${incident.id} was deleted.` });
      navigate('/incidents');
    } catch (error) {
      setProblem(error);
      setDeleting(false);
    }
  };
  return (
    <DecisionModal
      title={`Delete ${incident.id}?`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Delete"
      onConfirm={remove}
      busy={deleting}
    >
      {problem !== undefined && <ProblemView problem={problem} />}
      <Box>
        <strong className="wrapping">{incident.short_description}</strong> and its work notes are removed from all
        lists. Managers can still view the incident for audit. You cannot undo this action.
      </Box>
    </DecisionModal>
  );
}
