import { useState } from 'react';
import type { IncidentState } from '../../../contract/states.ts';
import { incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller, useHasRole } from '../../base/caller.tsx';
import { navigate, toUrl } from '../../base/router.ts';
import { type Incident, incidentPath } from '../../resources/incident-words.ts';
import { splitProblem } from '../../ui/field-problems.ts';
import { Alert, Box, Button, FormField, Menu, Row, Stack, Textarea } from '../../ui/kit/index.ts';
import { Markdown, MarkdownField } from '../../ui/markdown.tsx';
import { DecisionModal, DeleteModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { usePageActions } from '../../ui/page-actions.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNarrowScreen } from '../../ui/screen.ts';
import { type Change, ConflictModal, type IncidentVersion, useIncidentChange } from './incident-change.tsx';

interface IncidentActionsProps {
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
}

/** Shows only the actions that the incident's state and the user's role allow. */
export function IncidentActions({ version, onSaved }: IncidentActionsProps) {
  const { record: incident } = version;
  const canWrite = useHasRole('itsm_agent');
  const { data: caller } = useCaller();
  const change = useIncidentChange(version, onSaved);
  const [asking, setAsking] = useState<IncidentState>();
  const canEdit = canWrite && !incident.deleted;
  const isNarrow = useNarrowScreen();
  const steps = canEdit ? incidentTransitions[incident.state].toSorted(putHoldLast) : [];
  const go = (to: IncidentState) =>
    needsConfirmation(to) ? setAsking(to) : change.save(startWork(incident, caller?.email));
  usePageActions([
    ...steps.map((to) => ({ text: getTransitionWords(incident.state, to).button, run: () => go(to) })),
    ...(canEdit ? [{ text: `Edit ${incident.id}`, run: () => navigate(`${incidentPath(incident.id)}/edit`) }] : []),
    { text: `Copy link to ${incident.id}`, run: () => copyLink(incident) },
  ]);
  return (
    <Stack gap="xs">
      <Row>
        {steps.map((to, place) => (
          <Button
            key={to}
            variant={place === 0 ? 'primary' : 'normal'}
            loading={change.saving && !needsConfirmation(to)}
            onClick={() => go(to)}
          >
            {getTransitionWords(incident.state, to).button}
          </Button>
        ))}
        {canEdit && !isNarrow && (
          <Button to={`${incidentPath(incident.id)}/edit`} icon="edit">
            Edit
          </Button>
        )}
        <MoreActions version={version} canEdit={canEdit && isNarrow} />
      </Row>
      {change.problem !== undefined && <ProblemView problem={change.problem} />}
      <ConflictModal change={change} />
      {asking && (
        <TransitionModal version={version} to={asking} onSaved={onSaved} onClose={() => setAsking(undefined)} />
      )}
    </Stack>
  );
}

/** The first button is the primary one, and putting work on hold is not. */
const putHoldLast = (first: IncidentState, second: IncidentState) =>
  Number(first === 'on_hold') - Number(second === 'on_hold');

/** On a phone the menu also has the edit action, so that the buttons fit on one line. */
function MoreActions({ version, canEdit }: { version: IncidentVersion; canEdit: boolean }) {
  const { client } = useApi();
  const { record: incident, etag } = version;
  const canDelete = useHasRole('itsm_manager') && !incident.deleted;
  const [deleting, setDeleting] = useState(false);
  const items = [
    ...(canEdit ? [{ id: 'edit', text: 'Edit' }] : []),
    { id: 'link', text: 'Copy link' },
    ...(canDelete ? [{ id: 'delete', text: 'Delete…' }] : []),
  ];
  const choose = (id: string) => {
    if (id === 'edit') navigate(`${incidentPath(incident.id)}/edit`);
    if (id === 'link') copyLink(incident);
    if (id === 'delete') setDeleting(true);
  };
  const remove = () => client.deleteIncident({ id: incident.id }, etag ? { ifMatch: etag } : {});
  return (
    <>
      <Menu icon="dots" ariaLabel="More actions" items={items} onChoose={choose} />
      {deleting && (
        <DeleteModal name={incident.id} remove={remove} listTo="/incidents" onClose={() => setDeleting(false)}>
          <Box>
            <strong className="wrapping">{incident.short_description}</strong> and its work notes are removed from all
            lists. Managers can still view the incident for audit. You cannot undo this action.
          </Box>
        </DeleteModal>
      )}
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
      onDismiss={onClose}
      confirmText={words.button}
      onConfirm={submit}
      busy={change.saving}
      problem={rest}
    >
      <Box muted>{words.explanation}</Box>
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
        <Textarea rows={3} value={note} onChange={setNote} />
      </FormField>
    </DecisionModal>
  );
}

function isShown(field: string): boolean {
  return field === 'resolution' || field === 'work_note';
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

/** Who starts work has it; who resumes work leaves it with its assignee. */
export function startWork({ state }: Incident, email: string | undefined): Change {
  return { state: 'in_progress', ...(state === 'on_hold' || !email ? {} : { assigned_to: email }) };
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
