import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Visibility } from '../../../../contract/work-notes.ts';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { MarkdownField } from '../../../markdown/markdown-field.tsx';
import { type AttachmentDraft, AttachmentsField, attachmentsOf } from './attachments-field.tsx';

const visibilityOptions: readonly { value: Visibility; label: string; description: string }[] = [
  { value: 'team', label: 'Team', description: 'Everyone who can view the incident' },
  { value: 'public', label: 'Public', description: 'Can also be shared with the affected user' },
  { value: 'private', label: 'Private', description: 'Only you and managers' },
];

export function NoteForm({ id, onAdded }: { id: string; onAdded(): void }) {
  const { client } = useApi();
  const [body, setBody] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('team');
  const [attachments, setAttachments] = useState<readonly AttachmentDraft[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const { byField, rest } = divideProblem(problem, isShown);
  const submit = async () => {
    if (saving || body.trim() === '') return;
    setSaving(true);
    try {
      await client.createWorkNote({ id }, { body, visibility, attachments: attachmentsOf(attachments) });
      setBody('');
      setAttachments([]);
      setProblem(undefined);
      onAdded();
    } catch (error) {
      setProblem(error);
    }
    setSaving(false);
  };
  return (
    <form aria-label="Add work note" onSubmit={(event) => event.preventDefault()}>
      <SpaceBetween size="s">
        {rest !== undefined && <ProblemView problem={rest} />}
        <MarkdownField
          label="Add work note"
          rows={4}
          placeholder="Describe findings, steps taken or decisions"
          value={body}
          onChange={setBody}
          onSubmit={submit}
          errorText={byField.body}
        />
        <AttachmentsField attachments={attachments} problems={byField} onChange={setAttachments} />
        <div className="note-actions">
          <VisibilityField value={visibility} onChange={setVisibility} />
          <Button variant="primary" loading={saving} disabled={body.trim() === ''} onClick={submit}>
            Add note
          </Button>
        </div>
      </SpaceBetween>
    </form>
  );
}

function isShown(field: string): boolean {
  return field === 'body' || field.startsWith('attachments[');
}

function VisibilityField({ value, onChange }: { value: Visibility; onChange(value: Visibility): void }) {
  return (
    <FormField label="Visible to">
      <Select
        selectedOption={visibilityOptions.find((option) => option.value === value)!}
        options={visibilityOptions}
        onChange={({ detail }) => onChange(detail.selectedOption.value as Visibility)}
      />
    </FormField>
  );
}
