import AttributeEditor, { type AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import type { FieldProblems } from '../../../field-problems.ts';
import { freeFields, type InboundDraft, type MappingRow } from './inbound-draft.ts';

interface MappingEditorProps {
  draft: InboundDraft;
  onChange(mapping: MappingRow[]): void;
  problems: FieldProblems;
}

/** On phones everything is below each other. */
const layout: AttributeEditorProps.GridLayout[] = [{ breakpoint: 'xs', rows: [[1, 2]] }, { rows: [[1], [1]] }];

export function MappingEditor({ draft, onChange, problems }: MappingEditorProps) {
  const free = freeFields(draft);
  const change = (index: number, row: Partial<MappingRow>) =>
    onChange(draft.mapping.map((before, place) => (place === index ? { ...before, ...row } : before)));
  const missing = Object.entries(problems).find(
    ([field]) =>
      field.startsWith('field_mapping') && !draft.mapping.some((row) => field === `field_mapping.${row.field}`),
  );
  return (
    <FormField
      label="Field mapping"
      description={
        <>
          Text with places such as <code>{'{{alert.labels.host}}'}</code>. Filters: <code>default:"x"</code>,{' '}
          <code>upper</code>, <code>lower</code>, <code>truncate:n</code>, <code>map:"crit=P1,warn=P2"</code>. What
          comes out empty leaves the field alone.
        </>
      }
      errorText={missing && `${missing[0].replace('field_mapping.', '')}: ${missing[1]}`}
      stretch
    >
      <AttributeEditor
        items={draft.mapping}
        addButtonText="Map another field"
        removeButtonText="Remove"
        removeButtonAriaLabel={({ field }) => `Remove the mapping of ${field}`}
        disableAddButton={free.length === 0}
        empty="No fields are mapped."
        gridLayout={layout}
        onAddButtonClick={() => onChange([...draft.mapping, { field: free[0]!, template: '' }])}
        onRemoveButtonClick={({ detail }) => onChange(draft.mapping.filter((_, index) => index !== detail.itemIndex))}
        definition={[
          {
            label: 'Field',
            control: ({ field }, index) => (
              <Select
                selectedOption={{ value: field, label: field }}
                options={[field, ...free].map((value) => ({ value, label: value }))}
                onChange={({ detail }) => change(index, { field: detail.selectedOption.value! })}
              />
            ),
          },
          {
            label: 'Template',
            control: ({ field, template }, index) => (
              <Input
                value={template}
                ariaLabel={`Template of ${field}`}
                spellcheck={false}
                placeholder="{{path.in.the.payload}}"
                onChange={({ detail }) => change(index, { template: detail.value })}
              />
            ),
            errorText: ({ field }) => problems[`field_mapping.${field}`],
          },
        ]}
      />
    </FormField>
  );
}
