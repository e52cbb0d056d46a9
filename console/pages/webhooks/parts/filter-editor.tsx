import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import type { FieldProblems } from '../../../field-problems.ts';
import { operators } from '../webhook-words.ts';
import { emptyFilter, type FilterDraft } from './filter-draft.ts';

interface FilterEditorProps {
  filters: readonly FilterDraft[];
  onChange(filters: FilterDraft[]): void;
  problems: FieldProblems;
  /** A path that makes sense here. */
  example: string;
}

const options = Object.entries(operators).map(([value, label]) => ({ value, label }));

export function FilterEditor({ filters, onChange, problems, example }: FilterEditorProps) {
  const change = (index: number, fields: Partial<FilterDraft>) =>
    onChange(filters.map((filter, place) => (place === index ? { ...filter, ...fields } : filter)));
  const problemOf = (index: number, name: string) => problems[`filters[${index}].${name}`];
  return (
    <FormField
      label="Filters"
      description="All of them must hold. Without any, every event passes."
      errorText={problems.filters}
      stretch
    >
      <AttributeEditor
        items={filters}
        addButtonText="Add a filter"
        removeButtonText="Remove"
        removeButtonAriaLabel={(filter) => `Remove the filter on ${filter.field || 'nothing yet'}`}
        empty="No filters."
        onAddButtonClick={() => onChange([...filters, emptyFilter])}
        onRemoveButtonClick={({ detail }) => onChange(filters.filter((_, index) => index !== detail.itemIndex))}
        definition={[
          {
            label: 'Field',
            control: ({ field }, index) => (
              <Input
                value={field}
                placeholder={example}
                onChange={({ detail }) => change(index, { field: detail.value })}
              />
            ),
            errorText: (_, index) => problemOf(index, 'field'),
          },
          {
            label: 'Condition',
            control: ({ operator }, index) => (
              <Select
                selectedOption={options.find(({ value }) => value === operator)!}
                options={options}
                onChange={({ detail }) =>
                  change(index, { operator: detail.selectedOption.value as FilterDraft['operator'] })
                }
              />
            ),
            errorText: (_, index) => problemOf(index, 'operator'),
          },
          {
            label: 'Value',
            control: ({ operator, value }, index) => (
              <Input
                value={value}
                placeholder={operator === 'exists' ? 'true' : operator === 'in' || operator === 'nin' ? 'P1, P2' : ''}
                onChange={({ detail }) => change(index, { value: detail.value })}
              />
            ),
            errorText: (_, index) => problemOf(index, 'value'),
          },
        ]}
      />
    </FormField>
  );
}
