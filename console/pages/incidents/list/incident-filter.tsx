import DateRangePicker, { type DateRangePickerProps } from '@cloudscape-design/components/date-range-picker';
import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import type { Ref } from 'react';
import { useStore } from '../../../use-store.ts';
import { knownValues } from '../known-values.ts';
import { enumOptions, filteringProperties, filtersOf, tokensOf } from './filter-tokens.ts';
import type { CreatedRange, ListFilters, ListView } from './list-view.ts';

interface IncidentFilterProps {
  view: ListView;
  countText: string;
  onChange(change: { filters: ListFilters } | { created: CreatedRange | undefined }): void;
  ref: Ref<PropertyFilterProps.Ref>;
}

export function IncidentFilter({ view, countText, onChange, ref }: IncidentFilterProps) {
  const known = useStore(knownValues);
  const seen = (['assignment_group', 'assigned_to', 'category'] as const).flatMap((propertyKey) =>
    known[propertyKey].map((value) => ({ propertyKey, value })),
  );
  return (
    <div className="filters">
      <PropertyFilter
        ref={ref}
        query={tokensOf(view.filters)}
        onChange={({ detail }) => onChange({ filters: filtersOf(detail) })}
        filteringProperties={filteringProperties}
        filteringOptions={[...enumOptions, ...seen]}
        freeTextFiltering={{ operators: [':'], defaultOperator: ':' }}
        filteringAriaLabel="Filter incidents"
        filteringPlaceholder="Search or filter by state, priority, group…"
        filteringEmpty="No suggestions"
        countText={countText}
        hideOperations
        expandToViewport
        i18nStrings={{ enteredTextLabel: (text) => `Search for “${text}”` }}
      />
      <DateRangePicker
        value={rangeOf(view.created)}
        onChange={({ detail }) => onChange({ created: createdOf(detail.value) })}
        relativeOptions={relativeOptions}
        isValidRange={checked}
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

const units = { m: 'minute', h: 'hour', d: 'day' } as const;

const relativeOptions: readonly DateRangePickerProps.RelativeOption[] = [
  { key: '1h', amount: 1, unit: 'hour', type: 'relative' },
  { key: '24h', amount: 24, unit: 'hour', type: 'relative' },
  { key: '7d', amount: 7, unit: 'day', type: 'relative' },
  { key: '30d', amount: 30, unit: 'day', type: 'relative' },
  { key: '90d', amount: 90, unit: 'day', type: 'relative' },
];

function rangeOf(created: CreatedRange | undefined): DateRangePickerProps.Value | null {
  if (!created) return null;
  if ('within' in created) {
    const unit = units[created.within.slice(-1) as keyof typeof units];
    return { type: 'relative', key: created.within, amount: Number.parseInt(created.within, 10), unit };
  }
  return { type: 'absolute', startDate: created.after ?? '', endDate: created.before ?? '' };
}

function createdOf(value: DateRangePickerProps.Value | null): CreatedRange | undefined {
  if (!value) return undefined;
  if (value.type === 'relative') return { within: `${value.amount}${value.unit.charAt(0)}` };
  return { after: utc(value.startDate), before: utc(value.endDate) };
}

function utc(moment: string): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

const longestAmount = 9999;

function checked(value: DateRangePickerProps.Value | null): DateRangePickerProps.ValidationResult {
  if (value?.type === 'relative' && !(value.amount >= 1 && value.amount <= longestAmount)) {
    return { valid: false, errorMessage: `Enter a number from 1 to ${longestAmount}.` };
  }
  if (value?.type !== 'absolute') return { valid: true };
  if (!value.startDate || !value.endDate) return { valid: false, errorMessage: 'Select a start and an end date.' };
  if (Date.parse(value.startDate) >= Date.parse(value.endDate)) {
    return { valid: false, errorMessage: 'The start date must be before the end date.' };
  }
  return { valid: true };
}
