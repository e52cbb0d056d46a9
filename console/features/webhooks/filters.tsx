import { type Filter, operators } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { AttributeEditor, Box, FormField, Input, Select } from '../../ui/kit/index.ts';
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
        addText={name === 'when' ? 'Add condition' : 'Add filter'}
        removeLabel={(filter) => `Remove filter ${filter.field}`}
        empty={name === 'when' ? 'No conditions.' : 'No filters.'}
        onAdd={() => onChange([...filters, emptyFilter])}
        onChange={onChange}
        columns={createColumns(props)}
      />
    </FormField>
  );
}

function createColumns({ filters, onChange, problems, example, name: setting = 'filters' }: FilterEditorProps) {
  const change = (index: number, fields: Partial<FilterDraft>) =>
    onChange(filters.map((filter, place) => (place === index ? { ...filter, ...fields } : filter)));
  const getProblem = (name: string) => (_: FilterDraft, index: number) => problems[`${setting}[${index}].${name}`];
  const field = ({ field: path }: FilterDraft, index: number) => (
    <Input value={path} placeholder={example} onChange={(value) => change(index, { field: value })} />
  );
  const operator = ({ operator: chosen }: FilterDraft, index: number) => (
    <Select
      value={chosen}
      options={options}
      onChange={(value) => change(index, { operator: value as FilterDraft['operator'] })}
    />
  );
  const value = (filter: FilterDraft, index: number) => (
    <Input
      value={filter.value}
      placeholder={hints[filter.operator] ?? ''}
      onChange={(next) => change(index, { value: next })}
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
  if (filters.length === 0) return <Box muted>All events match.</Box>;
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
