import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Icon from '@cloudscape-design/components/icon';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { Visibility } from '../../../contract/work-notes.ts';
import { useApi } from '../../base/api.ts';
import { type FieldProblems, splitProblem } from '../../ui/field-problems.ts';
import { Markdown, MarkdownField } from '../../ui/markdown.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago, Email } from '../../ui/text.tsx';
import { MentionPicker, pickWithKey } from './mention-picker.tsx';

type WorkNote = Awaited<ReturnType<ServiceClient['createWorkNote']>>;

const visibilityNames: Readonly<Record<WorkNote['visibility'], string>> = {
  team: 'Everyone who can see the incident',
  public: 'Public',
  private: 'Private',
};

export function Note({ note }: { note: WorkNote }) {
  return (
    <SpaceBetween size="xs">
      <div className="entry-head">
        <strong>
          <Email address={note.author} />
        </strong>
        <Box variant="span" color="text-body-secondary">
          <Ago at={note.created_at} />
        </Box>
        {note.visibility !== 'team' && (
          <Badge color={note.visibility === 'public' ? 'green' : 'grey'}>{visibilityNames[note.visibility]}</Badge>
        )}
      </div>
      <Markdown source={note.body} />
      {note.attachments.length > 0 && <Attachments attachments={note.attachments} />}
    </SpaceBetween>
  );
}

function Attachments({ attachments }: Pick<WorkNote, 'attachments'>) {
  return (
    <ul className="attachments" aria-label="Attachments">
      {attachments.map(({ filename, content_type, size_bytes, url }) => (
        <li key={`${filename} ${url}`} className="wrapping">
          <Icon name="file" />{' '}
          <Link href={url} external rel="noopener noreferrer nofollow" externalIconAriaLabel="Opens in a new tab">
            {filename}
          </Link>{' '}
          <Box variant="span" color="text-body-secondary" fontSize="body-s">
            {content_type}, {formatSize(size_bytes)}
          </Box>
        </li>
      ))}
    </ul>
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const visibilityOptions: readonly { value: Visibility; label: string; description: string }[] = [
  { value: 'team', label: 'Everyone who can see the incident', description: 'The default' },
  { value: 'public', label: 'Public', description: 'Can also be shared with the affected user' },
  { value: 'private', label: 'Private', description: 'Only you and managers' },
];

export function NoteForm({ id, onAdded }: { id: string; onAdded(): void }) {
  const { client } = useApi();
  const [body, setBody] = useDraft(`console.note.${id}`);
  const [caret, setCaret] = useState(body.length);
  const write = (text: string) => {
    setBody(text);
    setCaret(findCaret() ?? text.length);
  };
  const mention = (unfinished: string, name: string) => {
    setBody(body.slice(0, caret - unfinished.length) + name + body.slice(caret));
    setCaret(caret - unfinished.length + name.length);
  };
  const [visibility, setVisibility] = useState<Visibility>('team');
  const [attachments, setAttachments] = useState<readonly AttachmentDraft[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const { byField, rest } = splitProblem(problem, isShown);
  const submit = async () => {
    if (saving || body.trim() === '') return;
    setSaving(true);
    try {
      await client.createWorkNote({ id }, { body, visibility, attachments: toAttachments(attachments) });
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
    <form
      aria-label="Add work note"
      onSubmit={(event) => event.preventDefault()}
      onKeyDownCapture={(event) => pickWithKey(event, body.slice(0, caret))}
    >
      <SpaceBetween size="s">
        {rest !== undefined && <ProblemView problem={rest} />}
        <MarkdownField
          label="Add work note"
          rows={4}
          placeholder="Describe findings, steps taken or decisions; @ mentions somebody"
          value={body}
          onChange={write}
          onSubmit={submit}
          errorText={byField.body}
        />
        <MentionPicker text={body.slice(0, caret)} onPick={mention} />
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

/** The position in the text area that the user types in. */
function findCaret(): number | undefined {
  const { activeElement } = document;
  return activeElement instanceof HTMLTextAreaElement ? activeElement.selectionStart : undefined;
}

/** A text that survives a reload until it is cleared. */
function useDraft(storageKey: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(storageKey) ?? '');
  const change = (next: string) => {
    setText(next);
    if (next === '') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  };
  return [text, change];
}

function isShown(field: string): boolean {
  return field === 'body' || field.startsWith('attachments[');
}

function VisibilityField({ value, onChange }: { value: Visibility; onChange(value: Visibility): void }) {
  return (
    <FormField label="Visible to">
      <Select
        selectedOption={visibilityOptions.find((option) => option.value === value) ?? null}
        options={visibilityOptions}
        onChange={({ detail }) => onChange(detail.selectedOption.value as Visibility)}
      />
    </FormField>
  );
}

// The service stores links to files, not the files.

export interface AttachmentDraft {
  filename: string;
  url: string;
  content_type: string;
  size_bytes: string;
}

interface AttachmentsFieldProps {
  attachments: readonly AttachmentDraft[];
  problems: FieldProblems;
  onChange(attachments: readonly AttachmentDraft[]): void;
}

const maxAttachments = 20;

export function AttachmentsField({ attachments, problems, onChange }: AttachmentsFieldProps) {
  const change = (place: number, part: Partial<AttachmentDraft>) =>
    onChange(attachments.map((one, index) => (index === place ? { ...one, ...part } : one)));
  const column = (label: string, field: keyof AttachmentDraft, placeholder: string) => ({
    label,
    control: (item: AttachmentDraft, place: number) => (
      <Input
        value={item[field]}
        placeholder={placeholder}
        type={field === 'size_bytes' ? 'number' : 'text'}
        ariaLabel={`Attachment ${place + 1}: ${label}`}
        onChange={({ detail }) => change(place, { [field]: detail.value })}
      />
    ),
    errorText: (_: AttachmentDraft, place: number) => problems[`attachments[${place}].${field}`],
  });
  return (
    <ExpandableSection headerText="Attachments" headerCounter={attachments.length > 0 ? `(${attachments.length})` : ''}>
      <AttributeEditor
        items={attachments}
        definition={[
          column('File name', 'filename', 'trace.log'),
          column('URL', 'url', 'https://…'),
          column('Content type', 'content_type', 'text/plain'),
          column('Size (bytes)', 'size_bytes', '0'),
        ]}
        addButtonText="Add attachment"
        removeButtonText="Remove"
        disableAddButton={attachments.length >= maxAttachments}
        additionalInfo={`Link to files stored elsewhere. Up to ${maxAttachments} attachments.`}
        empty="No attachments."
        onAddButtonClick={() => onChange([...attachments, { filename: '', url: '', content_type: '', size_bytes: '' }])}
        onRemoveButtonClick={({ detail }) => onChange(attachments.filter((_, index) => index !== detail.itemIndex))}
      />
    </ExpandableSection>
  );
}

/** An empty content type becomes `application/octet-stream`. The service validates the size. */
export function toAttachments(drafts: readonly AttachmentDraft[]) {
  return drafts.map(({ filename, url, content_type, size_bytes }) => ({
    filename: filename.trim(),
    url: url.trim(),
    content_type: content_type.trim() || 'application/octet-stream',
    size_bytes: Number(size_bytes),
  }));
}
