import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Input from '@cloudscape-design/components/input';
import type { FieldProblems } from '../../../field-problems.ts';

// The service keeps no files, only where they lie.

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

const mostAttachments = 20;

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
        disableAddButton={attachments.length >= mostAttachments}
        additionalInfo={`Link to files stored elsewhere. Up to ${mostAttachments} attachments.`}
        empty="No attachments."
        onAddButtonClick={() => onChange([...attachments, { filename: '', url: '', content_type: '', size_bytes: '' }])}
        onRemoveButtonClick={({ detail }) => onChange(attachments.filter((_, index) => index !== detail.itemIndex))}
      />
    </ExpandableSection>
  );
}

/** An unknown type is what it says: some bytes. A size that is not a number is for the service to refuse. */
export function attachmentsOf(drafts: readonly AttachmentDraft[]) {
  return drafts.map(({ filename, url, content_type, size_bytes }) => ({
    filename: filename.trim(),
    url: url.trim(),
    content_type: content_type.trim() || 'application/octet-stream',
    size_bytes: Number(size_bytes),
  }));
}
