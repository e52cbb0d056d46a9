import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { type Filter, operators } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { emptyFilter, type FilterDraft, toFilterDraft } from './filter-draft.ts';

interface FilterEditorProps {
  filters: readonly FilterDraft[];
  onChange(filters: FilterDraft[]): void;
  problems: FieldProblems;
  /** An example of a path. */
  example: string;
  description?: string;
  /** The setting that holds the filters. */
  name?: 'filters' | 'when';
}

const options = Object.entries(operators).map(([value, label]) => ({ value, label }));

export function FilterEditor(props: FilterEditorProps) {
  const { filters, onChange, problems, name = 'filters' } = props;
  const { description = 'An event must match all filters. Without filters, every event matches.' } = props;
  return (
    <FormField
      label={name === 'when' ? 'Conditions' : 'Filters'}
      description={description}
      errorText={problems[name]}
      stretch
    >
      <AttributeEditor
        items={filters}
        addButtonText={name === 'when' ? 'Add condition' : 'Add filter'}
        removeButtonText="Remove"
        removeButtonAriaLabel={(filter) => `Remove filter ${filter.field}`}
        empty={name === 'when' ? 'No conditions.' : 'No filters.'}
        onAddButtonClick={() => onChange([...filters, emptyFilter])}
        onRemoveButtonClick={({ detail }) => onChange(filters.filter((_, index) => index !== detail.itemIndex))}
        definition={createColumns(props)}
      />
    </FormField>
  );
}

function createColumns({ filters, onChange, problems, example, name: setting = 'filters' }: FilterEditorProps) {
  const change = (index: number, fields: Partial<FilterDraft>) =>
    onChange(filters.map((filter, place) => (place === index ? { ...filter, ...fields } : filter)));
  const getProblem = (name: string) => (_: FilterDraft, index: number) => problems[`${setting}[${index}].${name}`];
  const field = ({ field: path }: FilterDraft, index: number) => (
    <Input value={path} placeholder={example} onChange={({ detail }) => change(index, { field: detail.value })} />
  );
  const operator = ({ operator: chosen }: FilterDraft, index: number) => (
    <Select
      selectedOption={options.find(({ value }) => value === chosen) ?? null}
      options={options}
      onChange={({ detail }) => change(index, { operator: detail.selectedOption.value as FilterDraft['operator'] })}
    />
  );
  const value = (filter: FilterDraft, index: number) => (
    <Input
      value={filter.value}
      placeholder={hints[filter.operator] ?? ''}
      onChange={({ detail }) => change(index, { value: detail.value })}
    />
  );
  return [
    { label: 'Field', control: field, errorText: getProblem('field') },
    { label: 'Condition', control: operator, errorText: getProblem('operator') },
    { label: 'Value', control: value, errorText: getProblem('value') },
  ];
}

const hints: Partial<Record<FilterDraft['operator'], string>> = { exists: 'true', in: 'P1, P2', nin: 'P3, P4' };

export function FilterList({ filters }: { filters: readonly Filter[] }) {
  if (filters.length === 0) return <Box color="text-status-inactive">All events match.</Box>;
  return (
    <ul className="changes">
      {filters.map((filter) => (
        <li key={JSON.stringify(filter)} className="wrapping">
          <code>{filter.field}</code> {operators[filter.operator]} <strong>{toFilterDraft(filter).value}</strong>
        </li>
      ))}
    </ul>
  );
}
