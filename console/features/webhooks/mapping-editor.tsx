import type { FieldProblems } from '../../ui/field-problems.ts';
import { AttributeEditor, FormField, Select, Textarea } from '../../ui/kit/index.ts';
import { type InboundDraft, listFreeFields, type MappingRow } from './inbound-draft.ts';

interface MappingEditorProps {
  draft: Pick<InboundDraft, 'action' | 'mapping'>;
  onChange(mapping: MappingRow[]): void;
  problems: FieldProblems;
}

export function MappingEditor(props: MappingEditorProps) {
  const { draft, onChange, problems } = props;
  const free = listFreeFields(draft);
  return (
    <FormField label="Field mapping" description={<Grammar />} errorText={problemWithoutRow(draft, problems)} stretch>
      <AttributeEditor
        items={draft.mapping}
        addText="Add field"
        removeLabel={({ field }) => `Remove mapping for ${field}`}
        empty="No mapped fields."
        onAdd={
          free[0] === undefined ? undefined : () => onChange([...draft.mapping, { field: free[0] ?? '', template: '' }])
        }
        onChange={onChange}
        columns={createColumns(props, free)}
      />
    </FormField>
  );
}

function Grammar() {
  return (
    <>
      Text with placeholders such as <code>{'{{alert.labels.host}}'}</code>. Filters: <code>default:"x"</code>,{' '}
      <code>upper</code>, <code>lower</code>, <code>truncate:n</code>, <code>map:"crit=P1,warn=P2"</code>. Empty results
      leave the field unchanged.
    </>
  );
}

function createColumns({ draft, onChange, problems }: MappingEditorProps, free: readonly string[]) {
  const change = (index: number, row: Partial<MappingRow>) =>
    onChange(draft.mapping.map((before, place) => (place === index ? { ...before, ...row } : before)));
  const field = (row: MappingRow, index: number) => (
    <Select
      value={row.field}
      options={[row.field, ...free].map((value) => ({ value, label: value }))}
      onChange={(value) => change(index, { field: value })}
    />
  );
  const template = (row: MappingRow, index: number) => (
    <Textarea
      rows={1}
      code
      value={row.template}
      ariaLabel={`Template for ${row.field}`}
      spellcheck={false}
      placeholder="{{path.in.payload}}"
      onChange={(value) => change(index, { template: value })}
    />
  );
  return [
    { label: 'Field', control: field },
    { label: 'Template', control: template, errorText: (row: MappingRow) => problems[`field_mapping.${row.field}`] },
  ];
}

/** The problem of a required field that is not mapped and so has no row. */
function problemWithoutRow({ mapping }: Pick<InboundDraft, 'mapping'>, problems: FieldProblems): string | undefined {
  const rows = new Set(mapping.map(({ field }) => `field_mapping.${field}`));
  const found = Object.entries(problems).find(([field]) => field.startsWith('field_mapping') && !rows.has(field));
  return found && `${found[0].replace('field_mapping.', '')}: ${found[1]}`;
}
