import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { FieldProblems } from '../../../field-problems.ts';
import type { HeaderRow } from './outbound-draft.ts';

interface HeaderEditorProps {
  headers: readonly HeaderRow[];
  /** Shown in place of a value that nobody typed. */
  keptText: string;
  onChange(headers: HeaderRow[]): void;
  problems: FieldProblems;
}

export function HeaderEditor({ headers, keptText, onChange, problems }: HeaderEditorProps) {
  const change = (index: number, row: Partial<HeaderRow>) =>
    onChange(headers.map((before, place) => (place === index ? { ...before, ...row } : before)));
  return (
    <FormField
      label="Extra headers"
      description="Sent with each delivery. Values are hidden after you save."
      errorText={problems.headers ?? problems['headers.']}
      stretch
    >
      <AttributeEditor
        items={headers}
        addButtonText="Add header"
        removeButtonText="Remove"
        removeButtonAriaLabel={({ name }) => `Remove header ${name}`}
        empty="No extra headers."
        onAddButtonClick={() => onChange([...headers, { name: '', value: '', kept: false }])}
        onRemoveButtonClick={({ detail }) => onChange(headers.filter((_, index) => index !== detail.itemIndex))}
        definition={[
          {
            label: 'Name',
            control: ({ name, kept }, index) => (
              <Input
                value={name}
                readOnly={kept}
                placeholder="X-Room"
                onChange={({ detail }) => change(index, { name: detail.value })}
              />
            ),
            errorText: ({ name }) => (name === '' ? undefined : problems[`headers.${name}`]),
          },
          {
            label: 'Value',
            control: ({ value, kept }, index) => (
              <Input
                value={value}
                placeholder={kept ? keptText : ''}
                onChange={({ detail }) => change(index, { value: detail.value, kept: false })}
              />
            ),
          },
        ]}
      />
    </FormField>
  );
}
