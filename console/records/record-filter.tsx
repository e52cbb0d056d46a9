import DateRangePicker, { type DateRangePickerProps } from '@cloudscape-design/components/date-range-picker';
import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import type { Ref } from 'react';
import { type Filters, fromTokens, type ListSpec, linkedFilters, toTokens } from './list-address.ts';
import { formatFieldName, type RecordWords } from './record-words.ts';

interface RecordFilterProps {
  things: string;
  words: RecordWords;
  spec: ListSpec;
  filters: Filters;
  /** Values to suggest. */
  suggestions: readonly { propertyKey: string; value: string }[];
  countText: string;
  onChange(filters: Filters): void;
  ref: Ref<PropertyFilterProps.Ref>;
}

/** The service compares for equality and joins filters with "and"; a list of values is one token. */
export function RecordFilter(props: RecordFilterProps) {
  const { things, words, spec, filters, suggestions, countText, onChange, ref } = props;
  const label = (key: string) => ({
    key,
    propertyLabel: formatFieldName(words, key),
    groupValuesLabel: formatFieldName(words, key),
  });
  const choices = Object.entries(spec.choices);
  const created = Object.entries(filters).filter(([name]) => name.startsWith('created_'));
  return (
    <div className="filters">
      <PropertyFilter
        ref={ref}
        query={{ tokens: toTokens(filters, spec), operation: 'and' }}
        onChange={({ detail }) => onChange({ ...fromTokens(detail.tokens, spec), ...Object.fromEntries(created) })}
        filteringProperties={[
          ...choices.map(([key, names]) => ({ ...label(key), operators: [createChoiceOperator(names)] })),
          ...[...spec.texts, ...linkedFilters.filter((key) => key in filters)].map((key) => ({
            ...label(key),
            operators: ['=' as const],
          })),
        ]}
        filteringOptions={[
          ...choices.flatMap(([propertyKey, names]) =>
            Object.entries(names).map(([value, text]) => ({ propertyKey, value, label: text })),
          ),
          ...suggestions,
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
      <DateRangePicker
        value={toRange(filters)}
        onChange={({ detail }) => onChange({ ...omitCreated(filters), ...fromRange(detail.value) })}
        relativeOptions={relativeOptions}
        isValidRange={validateRange}
        placeholder="Any creation date"
        ariaLabel="Creation date"
        absoluteFormat="iso"
        timeOffset={0}
        customRelativeRangeUnits={['minute', 'hour', 'day']}
        expandToViewport
      />
    </div>
  );
}

const createChoiceOperator = (
  names: Readonly<Record<string, string>>,
): PropertyFilterProps.ExtendedOperator<string[]> => ({
  operator: '=',
  tokenType: 'enum',
  format: (values) => values.map((value) => names[value] ?? value).join(', '),
});

const units = { m: 'minute', h: 'hour', d: 'day' } as const;

const relativeOptions: readonly DateRangePickerProps.RelativeOption[] = [
  { key: '1h', amount: 1, unit: 'hour', type: 'relative' },
  { key: '24h', amount: 24, unit: 'hour', type: 'relative' },
  { key: '7d', amount: 7, unit: 'day', type: 'relative' },
  { key: '30d', amount: 30, unit: 'day', type: 'relative' },
  { key: '90d', amount: 90, unit: 'day', type: 'relative' },
];

function omitCreated(filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !name.startsWith('created_')));
}

function toRange({
  created_within: within,
  created_after,
  created_before,
}: Filters): DateRangePickerProps.Value | null {
  if (within !== undefined) {
    const unit = units[within.slice(-1) as keyof typeof units];
    return { type: 'relative', key: within, amount: Number.parseInt(within, 10), unit };
  }
  if (created_after === undefined && created_before === undefined) return null;
  return { type: 'absolute', startDate: created_after ?? '', endDate: created_before ?? '' };
}

function fromRange(value: DateRangePickerProps.Value | null): Filters {
  if (!value) return {};
  if (value.type === 'relative') return { created_within: `${value.amount}${value.unit.charAt(0)}` };
  const toUtc = (time: string) => `${new Date(time).toISOString().slice(0, 19)}Z`;
  return { created_after: toUtc(value.startDate), created_before: toUtc(value.endDate) };
}

const maxAmount = 9999;

function validateRange(value: DateRangePickerProps.Value | null): DateRangePickerProps.ValidationResult {
  if (value?.type === 'relative' && !(value.amount >= 1 && value.amount <= maxAmount)) {
    return { valid: false, errorMessage: `Enter a number from 1 to ${maxAmount}.` };
  }
  if (value?.type !== 'absolute') return { valid: true };
  if (!value.startDate || !value.endDate) return { valid: false, errorMessage: 'Select a start and an end date.' };
  if (Date.parse(value.startDate) >= Date.parse(value.endDate)) {
    return { valid: false, errorMessage: 'The start date must be before the end date.' };
  }
  return { valid: true };
}
