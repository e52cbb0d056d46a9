import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { IncidentState } from '../../../contract/states.ts';
import { incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { navigate, toUrl } from '../../base/router.ts';
import { type Incident, incidentPath } from '../../resources/incident-words.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { PageButton } from '../../ui/links.tsx';
import { Markdown, MarkdownField } from '../../ui/markdown.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNarrowScreen } from '../../ui/screen.ts';
import { ConflictModal, type IncidentVersion, useIncidentChange } from './incident-change.tsx';

interface IncidentActionsProps {
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
}

/** Shows only the actions that the incident's state and the user's role allow. */
export function IncidentActions({ version, onSaved }: IncidentActionsProps) {
  const { record: incident } = version;
  const canWrite = useHasRole('itsm_agent');
  const change = useIncidentChange(version, onSaved);
  const [asking, setAsking] = useState<IncidentState>();
  const canEdit = canWrite && !incident.deleted;
  const isNarrow = useNarrowScreen();
  const steps = canEdit ? incidentTransitions[incident.state].toSorted(putHoldLast) : [];
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        {steps.map((to, place) => (
          <Button
            key={to}
            variant={place === 0 ? 'primary' : 'normal'}
            loading={change.saving && !needsConfirmation(to)}
            onClick={() => (needsConfirmation(to) ? setAsking(to) : change.save({ state: to }))}
          >
            {getTransitionWords(incident.state, to).button}
          </Button>
        ))}
        {canEdit && !isNarrow && (
          <PageButton to={`${incidentPath(incident.id)}/edit`} iconName="edit">
            Edit
          </PageButton>
        )}
        <MoreActions version={version} canEdit={canEdit && isNarrow} />
      </SpaceBetween>
      {change.problem !== undefined && <ProblemView problem={change.problem} />}
      <ConflictModal change={change} />
      {asking && (
        <TransitionModal version={version} to={asking} onSaved={onSaved} onClose={() => setAsking(undefined)} />
      )}
    </SpaceBetween>
  );
}

/** The first button is the primary one, and putting work on hold is not. */
const putHoldLast = (first: IncidentState, second: IncidentState) =>
  Number(first === 'on_hold') - Number(second === 'on_hold');

/** On a phone the menu also has the edit action, so that the buttons fit on one line. */
function MoreActions({ version, canEdit }: { version: IncidentVersion; canEdit: boolean }) {
  const canDelete = useHasRole('itsm_manager') && !version.record.deleted;
  const [deleting, setDeleting] = useState(false);
  const items = [
    ...(canEdit ? [{ id: 'edit', text: 'Edit' }] : []),
    { id: 'link', text: 'Copy link' },
    ...(canDelete ? [{ id: 'delete', text: 'Delete…' }] : []),
  ];
  const choose = (id: string) => {
    if (id === 'edit') navigate(`${incidentPath(version.record.id)}/edit`);
    if (id === 'link') copyLink(version.record);
    if (id === 'delete') setDeleting(true);
  };
  return (
    <>
      <ButtonDropdown
        variant="icon"
        ariaLabel="More actions"
        items={items}
        onItemClick={({ detail }) => choose(detail.id)}
      />
      {deleting && <DeleteModal version={version} onClose={() => setDeleting(false)} />}
    </>
  );
}

async function copyLink({ id }: Incident): Promise<void> {
  const link = toUrl(incidentPath(id));
  try {
    await navigator.clipboard.writeText(link);
    notify({ type: 'success', content: 'Link copied.' });
  } catch {
    notify({ type: 'warning', content: `Your browser blocked copying. Copy the link manually: ${link}` });
  }
}

interface TransitionModalProps {
  version: IncidentVersion;
  to: IncidentState;
  onSaved(version: IncidentVersion): void;
  onClose(): void;
}

export function TransitionModal({ version, to, onSaved, onClose }: TransitionModalProps) {
  // The user decides on the version that was shown when the dialog opened.
  const [base] = useState(version);
  const words = getTransitionWords(base.record.state, to);
  const [resolution, setResolution] = useState(base.record.resolution ?? '');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const change = useIncidentChange(base, (saved) => {
    onSaved(saved);
    onClose();
  });
  const resolving = to === 'resolved';
  const { ai_suggested_resolution: suggestion } = base.record;
  const unsaid = resolving && resolution.trim() === '';
  const { byField, rest } = splitProblem(change.problem, isShown);
  const submit = () => {
    setAsked(true);
    const texts = { ...(resolving ? { resolution } : {}), ...(note.trim() === '' ? {} : { work_note: note }) };
    if (!unsaid) change.save({ state: to, ...texts });
  };
  if (change.conflict) return <ConflictModal change={change} />;
  return (
    <DecisionModal
      title={words.title}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText={words.button}
      onConfirm={submit}
      busy={change.saving}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <Box color="text-body-secondary">{words.explanation}</Box>
      {resolving && suggestion !== null && resolution !== removeSource(suggestion) && (
        <Alert
          type="info"
          header="Suggested resolution"
          action={<Button onClick={() => setResolution(removeSource(suggestion))}>Use this resolution</Button>}
        >
          <Markdown source={suggestion} />
        </Alert>
      )}
      {resolving && (
        <MarkdownField
          label="Resolution"
          rows={5}
          value={resolution}
          onChange={setResolution}
          onSubmit={submit}
          errorText={byField.resolution ?? (asked && unsaid ? 'Describe how the incident was resolved.' : undefined)}
        />
      )}
      <FormField label={words.noteLabel} constraintText="Optional. Added as a work note." errorText={byField.work_note}>
        <Textarea rows={3} value={note} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
    </DecisionModal>
  );
}

function isShown(field: string): boolean {
  return field === 'resolution' || field === 'work_note';
}

export function DeleteModal({ version, onClose }: { version: IncidentVersion; onClose(): void }) {
  const { client } = useApi();
  const { record: incident, etag } = version;
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

// The texts of each change of state. Starting work needs no confirmation; the other changes do.

export interface TransitionWords {
  button: string;
  title: string;
  explanation: string;
  noteLabel: string;
}

export function getTransitionWords(from: IncidentState, to: IncidentState): TransitionWords {
  return to === 'in_progress' && from === 'on_hold' ? resume : words[to];
}

export function needsConfirmation(to: IncidentState): boolean {
  return to !== 'in_progress';
}

const resume: TransitionWords = {
  button: 'Resume work',
  title: 'Resume work',
  explanation: 'The SLA clock resumes.',
  noteLabel: 'Work note',
};

const words: Readonly<Record<IncidentState, TransitionWords>> = {
  new: { button: 'Set to new', title: 'Set to new', explanation: '', noteLabel: 'Work note' },
  in_progress: { button: 'Start work', title: 'Start work', explanation: '', noteLabel: 'Work note' },
  on_hold: {
    button: 'Put on hold',
    title: 'Put on hold',
    explanation: 'The SLA clock is paused until work resumes.',
    noteLabel: 'What are we waiting for?',
  },
  resolved: {
    button: 'Resolve',
    title: 'Resolve incident',
    explanation: 'This stops the SLA clock. The resolution is used to suggest fixes for similar incidents.',
    noteLabel: 'Work note',
  },
  closed: {
    button: 'Close',
    title: 'Close incident',
    explanation: 'A closed incident cannot be reopened.',
    noteLabel: 'Work note',
  },
  cancelled: {
    button: 'Cancel incident',
    title: 'Cancel incident',
    explanation: 'A cancelled incident cannot be reopened.',
    noteLabel: 'Why is it cancelled?',
  },
  reopened: {
    button: 'Reopen',
    title: 'Reopen incident',
    explanation: 'The SLA clock continues from where it stopped.',
    noteLabel: 'Why is it reopened?',
  },
};

/** The suggestion ends with the incident that it quotes, which does not belong into the resolution of this one. */
function removeSource(suggestion: string): string {
  const end = suggestion.lastIndexOf('\n\nSource: ');
  return end < 0 ? suggestion : suggestion.slice(0, end);
}
