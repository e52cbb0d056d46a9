import { useState } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import type { Visibility } from '../../contract/work-notes.ts';
import { type FieldProblems, splitProblem } from '../ui/field-problems.ts';
import { AttributeEditor, Badge, Box, Button, Expandable, FormField, Input, Select, Stack } from '../ui/kit/index.ts';
import { Markdown, MarkdownField } from '../ui/markdown.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { Ago, Person } from '../ui/text.tsx';
import { FileDrop, NoteFiles, UploadList, useUploads } from './attached-files.tsx';
import { MentionPicker, pickWithKey } from './mention-picker.tsx';

/** Notes of incidents and of other records differ in the name of the record's id only. */
export type RecordNote = Omit<Awaited<ReturnType<ServiceClient['createWorkNote']>>, 'incident_id'>;

export type NewNote = Pick<RecordNote, 'body' | 'visibility' | 'attachments'> & { attachment_ids: string[] };

const visibilityNames: Readonly<Record<Visibility, string>> = {
  team: '',
  public: 'Public',
  private: 'Private',
};

export function Note({ note }: { note: RecordNote }) {
  return (
    <Stack gap="xs">
      <div className="entry-head">
        <strong>
          <Person address={note.author} />
        </strong>
        <Box variant="span" muted>
          <Ago at={note.created_at} />
        </Box>
        {note.visibility !== 'team' && (
          <Badge tone={note.visibility === 'public' ? 'green' : 'grey'}>{visibilityNames[note.visibility]}</Badge>
        )}
      </div>
      <Markdown source={note.body} />
      {note.attachments.length > 0 && <NoteFiles attachments={note.attachments} />}
    </Stack>
  );
}

const listVisibilities = (thing: string): readonly { value: Visibility; label: string; description: string }[] => [
  { value: 'team', label: `Everyone who can see the ${thing}`, description: 'The default' },
  { value: 'public', label: 'Public', description: 'Can also be shared with the affected user' },
  { value: 'private', label: 'Private', description: 'Only you and managers' },
];

interface NoteFormProps {
  /** The id of the record, for the draft. */
  id: string;
  label: string;
  /** The kind of record. */
  thing: string;
  add(note: NewNote): Promise<unknown>;
  onAdded(): void;
}

export function NoteForm({ id, label, thing, add, onAdded }: NoteFormProps) {
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
  const uploads = useUploads(id);
  const [visibility, setVisibility] = useState<Visibility>('team');
  const [attachments, setAttachments] = useState<readonly AttachmentDraft[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const { byField, rest } = splitProblem(problem, isShown);
  const isEmpty = body.trim() === '' && uploads.ids.length === 0;
  const submit = async () => {
    if (saving || isEmpty || uploads.isBusy) return;
    setSaving(true);
    try {
      const text = body.trim() === '' ? 'Files attached.' : body;
      await add({ body: text, visibility, attachments: toAttachments(attachments), attachment_ids: uploads.ids });
      setBody('');
      uploads.clear();
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
      aria-label={label}
      onSubmit={(event) => event.preventDefault()}
      onKeyDownCapture={(event) => pickWithKey(event, body.slice(0, caret))}
    >
      <FileDrop uploads={uploads}>
        <Stack gap="s">
          {rest !== undefined && <ProblemView problem={rest} />}
          <MarkdownField
            label={label}
            rows={2}
            placeholder="Describe findings, steps taken or decisions; @ mentions somebody"
            value={body}
            onChange={write}
            onSubmit={submit}
            errorText={byField.body}
          />
          <MentionPicker text={body.slice(0, caret)} onPick={mention} />
          <UploadList uploads={uploads} />
          {(body.trim() !== '' || uploads.list.length > 0) && (
            <>
              <AttachmentsField attachments={attachments} problems={byField} onChange={setAttachments} />
              <div className="note-actions">
                <FormField label="Visible to">
                  <Select
                    value={visibility}
                    options={listVisibilities(thing)}
                    onChange={(value) => setVisibility(value as Visibility)}
                  />
                </FormField>
                <Button
                  variant="primary"
                  loading={saving}
                  disabled={isEmpty || uploads.isBusy}
                  disabledReason={uploads.isBusy ? 'Files are being uploaded.' : undefined}
                  onClick={submit}
                >
                  Add note
                </Button>
              </div>
            </>
          )}
        </Stack>
      </FileDrop>
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

// The service stores links to files, not the files.

interface AttachmentDraft {
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

function AttachmentsField({ attachments, problems, onChange }: AttachmentsFieldProps) {
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
        onChange={(value) => change(place, { [field]: value })}
      />
    ),
    errorText: (_: AttachmentDraft, place: number) => problems[`attachments[${place}].${field}`],
  });
  return (
    <Expandable title="Links to files" counter={attachments.length > 0 ? `(${attachments.length})` : ''}>
      <AttributeEditor
        items={attachments}
        columns={[
          column('File name', 'filename', 'trace.log'),
          column('URL', 'url', 'https://…'),
          column('Content type', 'content_type', 'text/plain'),
          column('Size (bytes)', 'size_bytes', '0'),
        ]}
        addText="Add attachment"
        info={`Link to files stored elsewhere. Up to ${maxAttachments} attachments.`}
        empty="No attachments."
        removeLabel={(_, place) => `Remove attachment ${place + 1}`}
        onAdd={
          attachments.length < maxAttachments
            ? () => onChange([...attachments, { filename: '', url: '', content_type: '', size_bytes: '' }])
            : undefined
        }
        onChange={onChange}
      />
    </Expandable>
  );
}

/** An empty content type becomes `application/octet-stream`. The service validates the size. */
function toAttachments(drafts: readonly AttachmentDraft[]) {
  return drafts.map(({ filename, url, content_type, size_bytes }) => ({
    filename: filename.trim(),
    url: url.trim(),
    content_type: content_type.trim() || 'application/octet-stream',
    size_bytes: Number(size_bytes),
  }));
}
