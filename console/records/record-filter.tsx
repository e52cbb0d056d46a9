import './record-filter.css';
import { type Ref, useState } from 'react';
import { Button, FormField, Input, Popup, RadioGroup, Row, Stack } from '../ui/kit/index.ts';
import { type FilterOption, TokenInput } from '../ui/kit/token-input.tsx';
import { formatMonthDay, fromLocalMoment, toLocalMoment } from '../ui/time.ts';
import { type Filters, fromTokens, type ListSpec, linkedFilters, toTokens } from './list-address.ts';
import { formatFieldName, type RecordWords } from './record-words.ts';

interface RecordFilterProps {
  things: string;
  words: RecordWords;
  spec: ListSpec;
  filters: Filters;
  /** Values to suggest. */
  suggestions: readonly { propertyKey: string; value: string }[];
  /** The number of matches. */
  countText: string;
  onChange(filters: Filters): void;
  ref: Ref<HTMLInputElement>;
}

/** The service compares for equality and joins filters with "and"; a list of values is one token. */
export function RecordFilter({
  things,
  words,
  spec,
  filters,
  suggestions,
  countText,
  onChange,
  ref,
}: RecordFilterProps) {
  const created = Object.entries(filters).filter(([name]) => name.startsWith('created_'));
  const choices = Object.entries(spec.choices).flatMap(([key, names]) =>
    Object.entries(names).map(([value, label]): FilterOption => ({ key, value, label })),
  );
  const texts = suggestions.map(({ propertyKey, value }): FilterOption => ({ key: propertyKey, value, label: value }));
  return (
    <div className="filters">
      <TokenInput
        ref={ref}
        label={`Filter ${things}`}
        placeholder={`Search or filter ${things}`}
        fields={[...Object.keys(spec.choices), ...spec.texts, ...linkedFilters.filter((key) => key in filters)].map(
          (key) => ({ key, name: formatFieldName(words, key), isMultiple: key in spec.choices }),
        )}
        options={[...choices, ...texts]}
        tokens={toTokens(filters, spec)}
        onChange={(tokens) => onChange({ ...fromTokens(tokens, spec), ...Object.fromEntries(created) })}
      />
      <span role="status" className="visually-hidden">
        {countText}
      </span>
      <CreationDate filters={filters} onChange={onChange} />
    </div>
  );
}

const spans: Readonly<Record<string, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

function CreationDate({ filters, onChange }: Pick<RecordFilterProps, 'filters' | 'onChange'>) {
  const { created_within: within, created_after: after, created_before: before, ...others } = filters;
  const text = within ? (spans[within] ?? `Last ${within}`) : formatRange(after, before);
  return (
    <Popup label="Creation date" icon="calendar" {...(text === undefined ? {} : { text })}>
      <Stack gap="m">
        <RadioGroup
          value={within ?? (after || before ? 'range' : '')}
          items={[{ value: '', label: 'Any creation date' }, ...Object.entries(spans).map(toItem)]}
          onChange={(span) => onChange(span === '' ? others : { ...others, created_within: span })}
        />
        <DateRange
          key={`${after} ${before}`}
          after={after ? toLocalMoment(after) : ''}
          before={before ? toLocalMoment(before) : ''}
          onChange={(range) => onChange({ ...others, ...range })}
        />
      </Stack>
    </Popup>
  );
}

const toItem = ([value, label]: [string, string]) => ({ value, label });

function formatRange(after: string | undefined, before: string | undefined): string | undefined {
  if (!after && !before) return undefined;
  return [after, before].map((at) => (at ? formatMonthDay(new Date(at)) : '…')).join(' – ');
}

function DateRange(props: { after: string; before: string; onChange(range: Filters): void }) {
  const [after, setAfter] = useState(props.after);
  const [before, setBefore] = useState(props.before);
  const isInvalid = after !== '' && before !== '' && after >= before;
  const apply = () =>
    props.onChange({
      ...(after && { created_after: fromLocalMoment(after) ?? after }),
      ...(before && { created_before: fromLocalMoment(before) ?? before }),
    });
  return (
    <Stack gap="s">
      <FormField label="From">
        <Input type="datetime-local" value={after} onChange={setAfter} />
      </FormField>
      <FormField label="To" errorText={isInvalid && 'The end must be after the start.'}>
        <Input type="datetime-local" value={before} onChange={setBefore} />
      </FormField>
      <Row>
        <Button disabled={isInvalid || (after === '' && before === '')} onClick={apply}>
          Apply range
        </Button>
      </Row>
    </Stack>
  );
}
