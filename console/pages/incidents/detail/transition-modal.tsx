import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { IncidentState } from '../../../../contract/incidents.ts';
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
  const { incident } = version;
  const words = transitionWords(incident.state, to);
  const [resolution, setResolution] = useState(incident.resolution ?? '');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const change = useIncidentChange(version, (saved) => {
    onSaved(saved);
    onClose();
  });
  const resolving = to === 'resolved';
  const { byField, rest } = divideProblem(change.problem, (field) => field === 'resolution' || field === 'work_note');
  const missing = asked && resolving && resolution.trim() === '' ? 'Say how it was solved.' : undefined;
  const submit = async () => {
    setAsked(true);
    if (resolving && resolution.trim() === '') return;
    await change.save({
      state: to,
      ...(resolving ? { resolution } : {}),
      ...(note.trim() === '' ? {} : { work_note: note }),
    });
  };
  if (change.conflict) return <ConflictModal change={change} onGivenUp={onClose} />;
  return (
    <Modal
      visible
      onDismiss={onClose}
      header={words.title}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              Go back
            </Button>
            <Button variant="primary" loading={change.saving} onClick={submit}>
              {words.button}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        {rest !== undefined && <ProblemView problem={rest} />}
        <Box color="text-body-secondary">{words.explanation}</Box>
        {resolving && (
          <MarkdownField
            label="Resolution"
            rows={5}
            value={resolution}
            onChange={setResolution}
            onSubmit={submit}
            errorText={byField.resolution ?? missing}
          />
        )}
        <FormField
          label={words.noteLabel}
          constraintText="Optional; recorded as a work note."
          errorText={byField.work_note}
        >
          <Textarea rows={3} value={note} onChange={({ detail }) => setNote(detail.value)} />
        </FormField>
      </SpaceBetween>
    </Modal>
  );
}
