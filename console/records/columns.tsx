import { PageLink } from '../ui/links.tsx';
import { Ago, noValue, Person } from '../ui/text.tsx';
import { ApprovalState } from './approval-state.tsx';
import type { RecordColumn } from './record-table.tsx';

// The columns that most lists have. `options` override the width, the sorting or the visibility.

type ColumnOptions<Item> = Partial<RecordColumn<Item>>;

/** The row header, which opens the record. */
export function linkColumn<Item extends { id: string }, Field extends string & keyof Item>(
  field: Field,
  header: string,
  toPath: (id: string) => string,
  options: ColumnOptions<Item> = {},
): RecordColumn<Item> {
  const cell = (item: Item) => <PageLink to={toPath(item.id)}>{String(item[field])}</PageLink>;
  return { id: field, header, isRowHeader: true, minWidth: 118, cell, ...options };
}

/** The short description, which also opens the record. It takes the width that the other columns leave. */
export function summaryColumn<Item extends { id: string; short_description: string }>(
  toPath: (id: string) => string,
  options: ColumnOptions<Item> = {},
): RecordColumn<Item> {
  return {
    id: 'short_description',
    header: 'Short description',
    cell: ({ id, short_description }) => (
      <PageLink to={toPath(id)} variant="secondary">
        {short_description}
      </PageLink>
    ),
    ...options,
  };
}

export function textColumn<Field extends string, Item extends Partial<Record<Field, string | null>>>(
  field: Field,
  header: string,
  options: ColumnOptions<Item> = {},
): RecordColumn<Item> {
  return { id: field, header, cell: (item) => item[field] ?? noValue, ...options };
}

export function personColumn<Field extends string, Item extends Partial<Record<Field, string | null>>>(
  field: Field,
  header: string,
  options: ColumnOptions<Item> = {},
): RecordColumn<Item> {
  const cell = (item: Item) => {
    const address = item[field];
    return address ? <Person address={address} /> : noValue;
  };
  return { id: field, header, cell, ...options };
}

export function stateColumn<Item extends { state: string }>(
  names: Readonly<Record<string, string>>,
  minWidth = 128,
): RecordColumn<Item> {
  const cell = ({ state }: Item) => <ApprovalState state={state} names={names} />;
  return { id: 'state', header: 'State', minWidth, cell };
}

/** Room for the longest date, such as 27 Sep 2026. */
const ageWidth = 116;

/** The age of a time; lists can sort by it. */
export function ageColumn<Field extends string, Item extends Record<Field, string>>(
  field: Field,
  header: string,
  options: ColumnOptions<Item> = {},
): RecordColumn<Item> {
  const cell = (item: Item) => <Ago at={item[field]} />;
  return { id: field, header, sortingField: field, cell, minWidth: ageWidth, ...options };
}
