import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import type { Ref } from 'react';
import type { ListSpec } from './list-address.ts';
import { fieldNameIn, type RecordWords } from './record-words.ts';

interface RecordFilterProps {
  things: string;
  words: RecordWords;
  spec: ListSpec;
  filters: Readonly<Record<string, string>>;
  /** Values to suggest. */
  seen: readonly { propertyKey: string; value: string }[];
  countText: string;
  onChange(filters: Record<string, string>): void;
  ref: Ref<PropertyFilterProps.Ref>;
}

/** The service compares for equality and joins by "and"; a list of values is one token with several of them. */
export function RecordFilter({ things, words, spec, filters, seen, countText, onChange, ref }: RecordFilterProps) {
  const label = (key: string) => ({
    key,
    propertyLabel: fieldNameIn(words, key),
    groupValuesLabel: fieldNameIn(words, key),
  });
  const choices = Object.entries(spec.choices);
  return (
    <PropertyFilter
      ref={ref}
      query={{ tokens: tokensOf(filters, spec), operation: 'and' }}
      onChange={({ detail }) => onChange(filtersOf(detail.tokens, spec))}
      filteringProperties={[
        ...choices.map(([key, names]) => ({ ...label(key), operators: [oneOf(names)] })),
        ...spec.texts.map((key) => ({ ...label(key), operators: ['=' as const] })),
      ]}
      filteringOptions={[
        ...choices.flatMap(([propertyKey, names]) =>
          Object.entries(names).map(([value, text]) => ({ propertyKey, value, label: text })),
        ),
        ...seen,
      ]}
      freeTextFiltering={{ operators: [':'], defaultOperator: ':' }}
      filteringAriaLabel={`Filter ${things}`}
      filteringPlaceholder="Search or filter by field"
      filteringEmpty="No suggestions"
      countText={countText}
      hideOperations
      expandToViewport
      i18nStrings={{ enteredTextLabel: (text) => `Search for “${text}”` }}
    />
  );
}

const oneOf = (names: Readonly<Record<string, string>>): PropertyFilterProps.ExtendedOperator<string[]> => ({
  operator: '=',
  tokenType: 'enum',
  format: (values) => values.map((value) => names[value] ?? value).join(', '),
});

function tokensOf(filters: Readonly<Record<string, string>>, { choices }: ListSpec): PropertyFilterProps.Token[] {
  return Object.entries(filters).map(([name, value]) => {
    if (name === 'q') return { operator: ':', value };
    return { propertyKey: name, operator: '=', value: name in choices ? value.split(',') : value };
  });
}

/** Words that are searched for add up; of two values for a field that can have one only, the later one holds. */
function filtersOf(tokens: readonly PropertyFilterProps.Token[], { choices }: ListSpec): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const { propertyKey: key = 'q', value } of tokens) {
    const text = [value]
      .flat()
      .join(key in choices ? ',' : ' ')
      .trim();
    if (text) filters[key] = key === 'q' && filters.q ? `${filters.q} ${text}` : text;
  }
  return filters;
}
