import Icon from '@cloudscape-design/components/icon';
import type { TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, useRef } from 'react';
import type { ListAddress } from './list-address.ts';

export interface RecordColumn<Item> extends TableProps.ColumnDefinition<Item> {
  id: string;
  header: string;
  /** Left out on small screens and beside the preview, which takes a third of the width. */
  wide?: true;
  /** Hidden until the user shows it. */
  hidden?: true;
}

export interface RowsProps<Item> {
  title: string;
  things: string;
  /** Those to show, in this order. */
  columns: readonly RecordColumn<Item>[];
  /** Undefined until they arrive. */
  items: readonly Item[] | undefined;
  empty: ReactNode;
  /** Absent where the user cannot select. */
  selection?: { ids: readonly string[]; onChange(ids: readonly string[]): void } | undefined;
}

interface RecordTableProps<Item> extends RowsProps<Item> {
  sorting: Pick<ListAddress, 'sort' | 'order'>;
  onSort(sort: string): void;
  isCompact: boolean;
  wrapLines: boolean;
  onRowClick(item: Item): void;
}

const skeletonRows = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** The rows of a list in plain elements: the table of the component library takes a second on a slow machine. */
export function RecordTable<Item extends { id: string }>(props: RecordTableProps<Item>) {
  const { title, things, columns, items, selection, sorting, isCompact, wrapLines } = props;
  const width = columns.length + (selection ? 1 : 0);
  return (
    <div className="record-table">
      <table
        aria-label={title}
        aria-busy={items === undefined}
        className={`${isCompact ? 'compact ' : ''}${wrapLines ? '' : 'one-line'}`}
      >
        <thead>
          <tr>
            {selection && (
              <th scope="col">
                <SelectAll items={items ?? []} {...selection} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHeader key={column.id} column={column} sorting={sorting} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items === undefined &&
            skeletonRows.map((row) => (
              <tr key={row}>
                <td colSpan={width}>
                  <div className="skeleton-bar" />
                </td>
              </tr>
            ))}
          <Rows {...props} />
          {items?.length === 0 && (
            <tr>
              <td colSpan={width}>{props.empty}</td>
            </tr>
          )}
        </tbody>
      </table>
      {items === undefined && (
        <span role="status" className="visually-hidden">
          Loading {things}
        </span>
      )}
    </div>
  );
}

function Rows<Item extends { id: string }>({ columns, items = [], selection, onRowClick }: RecordTableProps<Item>) {
  const select = useRangeSelection(items, selection);
  return items.map((item) => (
    <tr key={item.id} aria-selected={selection?.ids.includes(item.id)} onClick={() => onRowClick(item)}>
      {selection && (
        <td>
          <SelectBox id={item.id} isSelected={selection.ids.includes(item.id)} onSelect={select} />
        </td>
      )}
      {columns.map(({ id, isRowHeader, minWidth, cell }) => {
        const Cell = isRowHeader ? 'th' : 'td';
        return (
          <Cell key={id} {...(isRowHeader ? { scope: 'row' } : {})} style={{ minWidth }}>
            {cell(item)}
          </Cell>
        );
      })}
    </tr>
  ));
}

interface ColumnHeaderProps<Item> extends Pick<RecordTableProps<Item>, 'sorting' | 'onSort'> {
  column: RecordColumn<Item>;
}

function ColumnHeader<Item>({ column, sorting, onSort }: ColumnHeaderProps<Item>) {
  const { header, sortingField: field } = column;
  if (field === undefined) return <th scope="col">{header}</th>;
  const isSorted = field === sorting.sort;
  const order = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? order : 'none'}>
      <button type="button" className="sort-button" onClick={() => onSort(field)}>
        {header}
        <Icon name={!isSorted ? 'caret-down' : sorting.order === 'asc' ? 'caret-up-filled' : 'caret-down-filled'} />
      </button>
    </th>
  );
}

type Select = (id: string, isSelected: boolean, isRange: boolean) => void;

/** Selects a row, or with the Shift key all rows from the one before. */
function useRangeSelection(items: readonly { id: string }[], selection: RowsProps<unknown>['selection']): Select {
  const last = useRef<string>(undefined);
  return (id, isSelected, isRange) => {
    if (!selection) return;
    const places = [id, isRange ? last.current : id].map((one) => items.findIndex((item) => item.id === one));
    const changed = items.slice(Math.min(...places), Math.max(...places) + 1).map((item) => item.id);
    last.current = id;
    const others = selection.ids.filter((other) => !changed.includes(other));
    selection.onChange(isSelected ? [...others, ...changed] : others);
  };
}

function SelectBox({ id, isSelected, onSelect }: { id: string; isSelected: boolean; onSelect: Select }) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${id}`}
      checked={isSelected}
      onChange={({ target, nativeEvent }) =>
        onSelect(id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

function SelectAll({
  items,
  ids,
  onChange,
}: NonNullable<RowsProps<unknown>['selection']> & { items: readonly { id: string }[] }) {
  const selected = items.filter(({ id }) => ids.includes(id)).length;
  return (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && selected < items.length;
      }}
      checked={items.length > 0 && selected === items.length}
      onChange={({ target }) => onChange(target.checked ? items.map(({ id }) => id) : [])}
    />
  );
}

interface RecordCardsProps<Item> extends RowsProps<Item> {
  /** A record, if not its first columns. */
  card?: ((item: Item) => ReactNode) | undefined;
}

/** The rows on small screens. */
export function RecordCards<Item extends { id: string }>(props: RecordCardsProps<Item>) {
  const { title, things, columns, items, selection, card, empty } = props;
  const select = useRangeSelection(items ?? [], selection);
  if (items === undefined) return <p role="status">Loading {things}</p>;
  if (items.length === 0) return empty;
  return (
    <ul className="record-cards" aria-label={title}>
      {items.map((item) => (
        <li key={item.id}>
          {selection && <SelectBox id={item.id} isSelected={selection.ids.includes(item.id)} onSelect={select} />}
          <div>
            {card
              ? card(item)
              : columns.filter(({ wide }) => !wide).map(({ id, cell }) => <div key={id}>{cell(item)}</div>)}
          </div>
        </li>
      ))}
    </ul>
  );
}
