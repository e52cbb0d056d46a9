import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { fieldNames, priorities, priorityNames, stateNames, states } from '../incident-words.ts';
import { type ListFilters, textFilters } from './list-view.ts';

// Between the filters of a view and the tokens of the filter box. The service compares for equality and joins by "and";
// a list of states or priorities is one token with several values.

const chosen = ['state', 'priority'] as const;
const typed = ['assignment_group', 'assigned_to', 'category'] as const;

/** Short enough for a token. */
const priorityCodes = Object.fromEntries(priorities.map((value) => [value, value]));

const oneOf = (names: Readonly<Record<string, string>>): PropertyFilterProps.ExtendedOperator<string[]> => ({
  operator: '=',
  tokenType: 'enum',
  format: (values) => values.map((value) => names[value] ?? value).join(', '),
});

export const filteringProperties: readonly PropertyFilterProps.FilteringProperty[] = [
  { key: 'state', propertyLabel: 'State', groupValuesLabel: 'States', operators: [oneOf(stateNames)] },
  { key: 'priority', propertyLabel: 'Priority', groupValuesLabel: 'Priorities', operators: [oneOf(priorityCodes)] },
  ...typed.map((key) => ({
    key,
    propertyLabel: fieldNames[key],
    groupValuesLabel: fieldNames[key],
    operators: ['=' as const],
  })),
];

export const enumOptions: readonly PropertyFilterProps.FilteringOption[] = [
  ...states.map((value) => ({ propertyKey: 'state', value, label: stateNames[value] })),
  ...priorities.map((value) => ({ propertyKey: 'priority', value, label: priorityNames[value] })),
];

export function tokensOf(filters: ListFilters): PropertyFilterProps.Query {
  const tokens: PropertyFilterProps.Token[] = [];
  for (const propertyKey of chosen) {
    if (filters[propertyKey].length > 0) tokens.push({ propertyKey, operator: '=', value: [...filters[propertyKey]] });
  }
  for (const propertyKey of typed) {
    if (filters[propertyKey]) tokens.push({ propertyKey, operator: '=', value: filters[propertyKey] });
  }
  if (filters.q) tokens.push({ operator: ':', value: filters.q });
  return { tokens, operation: 'and' };
}

/** Words that are searched for add up; of two values for a field that can have one only, the later one holds. */
export function filtersOf({ tokens }: PropertyFilterProps.Query): ListFilters {
  const valuesOf = (key: string | undefined): string[] =>
    tokens.filter(({ propertyKey }) => propertyKey === key).flatMap(({ value }) => (value as string | string[]) ?? []);
  const filters: ListFilters = {
    state: picked(states, stateNames, valuesOf('state')),
    priority: picked(priorities, priorityNames, valuesOf('priority')),
  };
  for (const key of textFilters) {
    const values = (key === 'q' ? valuesOf(undefined) : valuesOf(key).slice(-1)).map((value) => value.trim());
    const value = [...new Set(values)].join(' ').trim();
    if (value) filters[key] = value;
  }
  return filters;
}

/** People type `new` or `New`; both mean the state. */
function picked<Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
  given: readonly string[],
): Value[] {
  const wanted = given.map((text) => text.trim().toLowerCase());
  return values.filter((value) => wanted.includes(value.toLowerCase()) || wanted.includes(names[value].toLowerCase()));
}
