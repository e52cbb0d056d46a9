import { memo, type ReactNode, type RefObject, useRef } from 'react';
import { type Column, Icon } from '../ui/kit/index.ts';
import type { ListAddress } from './list-address.ts';

export interface RecordColumn<Item> extends Column<Item> {
  header: string;
  /** The field to sort by. */
  sortingField?: string;
  /** Left out on small screens and beside the preview, which takes a third of the width. */
  wide?: true;
  /** Hidden until the user shows it. */
  hidden?: true;
  /** The key that changes the field of the current row. */
  editKey?: string;
}

export interface RowsProps<Item> {
  title: string;
  things: string;
  /** Those to show, in this order. */
  columns: readonly RecordColumn<Item>[];
  /** The part of the list that is loaded. Undefined until it arrives. */
  items: readonly (Item | undefined)[] | undefined;
  empty: ReactNode;
  /** Absent where the user cannot select. */
  selection?: Selection<Item> | undefined;
}

export interface Selection<Item> {
  items: readonly Item[];
  onChange(items: readonly Item[]): void;
}

interface RecordTableProps<Item> extends RowsProps<Item> {
  /** The place of the first item in the list. */
  start: number;
  total: number;
  frame: RefObject<HTMLDivElement | null>;
  sorting: Pick<ListAddress, 'sort' | 'order'>;
  onSort(sort: string): void;
  currentId: string | undefined;
  onRowClick(item: Item): void;
  /** Absent where the user cannot change records. */
  onEdit?: ((item: Item, field: string) => void) | undefined;
}

export const rowHeight = 32;

const skeletonRows = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** The rows of a list. Only those near the visible part exist; two empty rows take the place of the others. */
export function RecordTable<Item extends { id: string }>(props: RecordTableProps<Item>) {
  const { title, things, columns, items, start, total, selection, sorting } = props;
  const width = columns.length + (selection ? 1 : 0);
  const end = start + (items?.length ?? 0);
  return (
    <div className="record-table" ref={props.frame}>
      <table aria-label={title} aria-busy={items === undefined} aria-rowcount={total + 1}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="select-cell">
                <SelectAll loaded={items ?? []} {...selection} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHeader key={column.id} column={column} sorting={sorting} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items === undefined && skeletonRows.map((row) => <SkeletonRow key={row} width={width} />)}
          <Space rows={start} width={width} />
          <Rows {...props} width={width} />
          <Space rows={total - end} width={width} />
          {items?.length === 0 && (
            <tr>
              <td colSpan={width} className="empty-cell">
                {props.empty}
              </td>
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

function SkeletonRow({ width }: { width: number }) {
  return (
    <tr>
      <td colSpan={width}>
        <div className="skeleton-bar" />
      </td>
    </tr>
  );
}

function Space({ rows, width }: { rows: number; width: number }) {
  if (rows <= 0) return null;
  return (
    <tr>
      <td colSpan={width} style={{ blockSize: rows * rowHeight, padding: 0 }} />
    </tr>
  );
}

function Rows<Item extends { id: string }>(props: RecordTableProps<Item> & { width: number }) {
  const { columns, items = [], start, width, selection, currentId, onRowClick, onEdit } = props;
  const select = useRangeSelection(items, selection);
  const actions = useRef({ onRowClick, onEdit, select });
  actions.current = { onRowClick, onEdit, select };
  const selectedIds = new Set(selection?.items.map(({ id }) => id));
  return items.map((item, place) =>
    item === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row that is not loaded has only its place.
      <SkeletonRow key={`row ${start + place}`} width={width} />
    ) : (
      <Row
        key={item.id}
        item={item}
        columns={columns}
        rowIndex={start + place + 2}
        isSelected={selection && selectedIds.has(item.id)}
        isCurrent={item.id === currentId}
        canEdit={onEdit !== undefined}
        actions={actions}
      />
    ),
  );
}

interface RowProps<Item> {
  item: Item;
  columns: readonly RecordColumn<Item>[];
  rowIndex: number;
  /** Undefined where the user cannot select. */
  isSelected: boolean | undefined;
  isCurrent: boolean;
  canEdit: boolean;
  /** The functions change with every render, the reference to them does not. */
  actions: RefObject<Pick<RecordTableProps<Item>, 'onRowClick' | 'onEdit'> & { select: Select }>;
}

/** A refresh keeps the records that did not change, so their rows are not rendered again. */
const Row = memo(function Row<Item extends { id: string }>(props: RowProps<Item>) {
  const { item, columns, isSelected, isCurrent, canEdit, actions } = props;
  return (
    <tr
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      className={isCurrent ? 'current-row' : undefined}
      onClick={() => actions.current.onRowClick(item)}
    >
      {isSelected !== undefined && (
        <td className="select-cell">
          <SelectBox id={item.id} isSelected={isSelected} onSelect={(...args) => actions.current.select(...args)} />
        </td>
      )}
      {columns.map(({ id, header, isRowHeader, editKey, cell }) => {
        const Cell = isRowHeader ? 'th' : 'td';
        return (
          <Cell key={id} {...(isRowHeader ? { scope: 'row' } : {})}>
            {editKey && canEdit ? (
              <button
                type="button"
                id={toEditId(item.id, id)}
                className="cell-edit"
                aria-haspopup="listbox"
                title={`Change ${header.toLowerCase()} (${editKey})`}
                onClick={() => actions.current.onEdit?.(item, id)}
              >
                {cell(item)}
              </button>
            ) : (
              cell(item)
            )}
          </Cell>
        );
      })}
    </tr>
  );
}) as <Item extends { id: string }>(props: RowProps<Item>) => ReactNode;

/** The button that edits a field of a row. */
export const toEditId = (id: string, field: string) => `edit ${id} ${field}`;

interface ColumnHeaderProps<Item> extends Pick<RecordTableProps<Item>, 'sorting' | 'onSort'> {
  column: RecordColumn<Item>;
}

function ColumnHeader<Item>({ column, sorting, onSort }: ColumnHeaderProps<Item>) {
  const { header, sortingField: field } = column;
  const width = { inlineSize: column.minWidth };
  if (field === undefined) {
    return (
      <th scope="col" style={width}>
        {header}
      </th>
    );
  }
  const isSorted = field === sorting.sort;
  const order = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" style={width} aria-sort={isSorted ? order : 'none'}>
      <button type="button" className="sort-button" onClick={() => onSort(field)}>
        {header}
        {isSorted && <Icon name={sorting.order === 'asc' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

type Select = (id: string, isSelected: boolean, isRange: boolean) => void;

/** Selects a row, or with the Shift key all rows from the one before. */
export function useRangeSelection<Item extends { id: string }>(
  items: readonly (Item | undefined)[],
  selection: Selection<Item> | undefined,
): Select {
  const last = useRef<string>(undefined);
  return (id, isSelected, isRange) => {
    if (!selection) return;
    const places = [id, isRange ? last.current : id].map((one) => items.findIndex((item) => item?.id === one));
    const changed = items.slice(Math.min(...places), Math.max(...places) + 1).filter((item) => item !== undefined);
    last.current = id;
    const others = selection.items.filter((other) => !changed.some((one) => one.id === other.id));
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

function SelectAll<Item extends { id: string }>(props: Selection<Item> & { loaded: readonly (Item | undefined)[] }) {
  const { loaded, items, onChange } = props;
  const present = loaded.filter((item) => item !== undefined);
  const selected = present.filter(({ id }) => items.some((one) => one.id === id)).length;
  return (
    <input
      type="checkbox"
      aria-label="Select all that are loaded"
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && selected < present.length;
      }}
      checked={present.length > 0 && selected === present.length}
      onChange={({ target }) => onChange(target.checked ? present : [])}
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
  const isSelected = ({ id }: Item) => selection?.items.some((one) => one.id === id) ?? false;
  return (
    <ul className="record-cards" aria-label={title}>
      {items
        .filter((item) => item !== undefined)
        .map((item) => (
          <li key={item.id}>
            {selection && <SelectBox id={item.id} isSelected={isSelected(item)} onSelect={select} />}
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
