import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { IncidentState } from '../../../../contract/states.ts';
import { DecisionModal } from '../../../components/decision-modal.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { MarkdownField } from '../../../markdown/markdown-field.tsx';
import { ConflictModal } from '../conflict-modal.tsx';
import type { IncidentVersion } from '../use-incident.ts';
import { useIncidentChange } from '../use-incident-change.ts';
import { transitionWords } from './transition-words.ts';

interface TransitionModalProps {
  version: IncidentVersion;
  to: IncidentState;
  onSaved(version: IncidentVersion): void;
  onClose(): void;
}

export function TransitionModal({ version, to, onSaved, onClose }: TransitionModalProps) {
  // The reader decides on what is shown when it opens.
  const [base] = useState(version);
  const words = transitionWords(base.incident.state, to);
  const [resolution, setResolution] = useState(base.incident.resolution ?? '');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const change = useIncidentChange(base, (saved) => {
    onSaved(saved);
    onClose();
  });
  const resolving = to === 'resolved';
  const unsaid = resolving && resolution.trim() === '';
  const { byField, rest } = divideProblem(change.problem, isShown);
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
