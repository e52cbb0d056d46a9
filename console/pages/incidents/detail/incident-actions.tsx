import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { IncidentState } from '../../../../contract/incidents.ts';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useMay } from '../../../use-may.ts';
import { ConflictModal } from '../conflict-modal.tsx';
import { incidentPath, transitions } from '../incident-words.ts';
import type { IncidentVersion } from '../use-incident.ts';
import { useIncidentChange } from '../use-incident-change.ts';
import { DeleteModal } from './delete-modal.tsx';
import { TransitionModal } from './transition-modal.tsx';
import { asksFirst, transitionWords } from './transition-words.ts';

interface IncidentActionsProps {
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
}

/** Only what the incident's state and the reader's role allow. */
export function IncidentActions({ version, onSaved }: IncidentActionsProps) {
  const { incident } = version;
  const mayWrite = useMay('itsm_agent');
  const mayDelete = useMay('itsm_manager');
  const change = useIncidentChange(version, onSaved);
  const [asking, setAsking] = useState<IncidentState>();
  const [deleting, setDeleting] = useState(false);
  if (!mayWrite) return null;
  const go = (to: IncidentState) => (asksFirst(to) ? setAsking(to) : change.save({ state: to }));
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        {transitions[incident.state].map((to, place) => (
          <Button
            key={to}
            variant={place === 0 ? 'primary' : 'normal'}
            loading={change.saving && !asksFirst(to)}
            onClick={() => go(to)}
          >
            {transitionWords(incident.state, to).button}
          </Button>
        ))}
        <PageButton to={`${incidentPath(incident.id)}/edit`} iconName="edit">
          Edit
        </PageButton>
        {mayDelete && (
          <ButtonDropdown
            variant="icon"
            ariaLabel="More actions"
            items={[{ id: 'delete', text: 'Delete…' }]}
            onItemClick={() => setDeleting(true)}
          />
        )}
      </SpaceBetween>
      {change.problem !== undefined && <ProblemView problem={change.problem} />}
      <ConflictModal change={change} />
      {asking && (
        <TransitionModal version={version} to={asking} onSaved={onSaved} onClose={() => setAsking(undefined)} />
      )}
      {deleting && <DeleteModal version={version} onClose={() => setDeleting(false)} />}
    </SpaceBetween>
  );
}
