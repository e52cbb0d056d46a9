import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { IncidentState } from '../../../../contract/states.ts';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { pageUrl } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useMay } from '../../../use-may.ts';
import { ConflictModal } from '../conflict-modal.tsx';
import { type Incident, incidentPath, transitions } from '../incident-words.ts';
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
  const change = useIncidentChange(version, onSaved);
  const [asking, setAsking] = useState<IncidentState>();
  const steps = mayWrite && !incident.deleted ? transitions[incident.state] : [];
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        {steps.map((to, place) => (
          <Button
            key={to}
            variant={place === 0 ? 'primary' : 'normal'}
            loading={change.saving && !asksFirst(to)}
            onClick={() => (asksFirst(to) ? setAsking(to) : change.save({ state: to }))}
          >
            {transitionWords(incident.state, to).button}
          </Button>
        ))}
        {mayWrite && !incident.deleted && (
          <PageButton to={`${incidentPath(incident.id)}/edit`} iconName="edit">
            Edit
          </PageButton>
        )}
        <MoreActions version={version} />
      </SpaceBetween>
      {change.problem !== undefined && <ProblemView problem={change.problem} />}
      <ConflictModal change={change} />
      {asking && (
        <TransitionModal version={version} to={asking} onSaved={onSaved} onClose={() => setAsking(undefined)} />
      )}
    </SpaceBetween>
  );
}

function MoreActions({ version }: { version: IncidentVersion }) {
  const mayDelete = useMay('itsm_manager') && !version.incident.deleted;
  const [deleting, setDeleting] = useState(false);
  const remove = { id: 'delete', text: 'Delete…' };
  return (
    <>
      <ButtonDropdown
        variant="icon"
        ariaLabel="More actions"
        items={[{ id: 'link', text: 'Copy link' }, ...(mayDelete ? [remove] : [])]}
        onItemClick={({ detail }) => (detail.id === 'delete' ? setDeleting(true) : copyLink(version.incident))}
      />
      {deleting && <DeleteModal version={version} onClose={() => setDeleting(false)} />}
    </>
  );
}

async function copyLink({ id }: Incident): Promise<void> {
  const link = pageUrl(incidentPath(id));
  try {
    await navigator.clipboard.writeText(link);
    notify({ type: 'success', content: 'Link copied.' });
  } catch {
    notify({ type: 'warning', content: `Your browser blocked copying. Copy the link manually: ${link}` });
  }
}
