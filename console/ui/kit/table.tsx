import './table.css';
import type { ReactNode } from 'react';
import { Skeleton } from './feedback.tsx';
import { Icon } from './icon.tsx';

export interface Column<Item> {
  id: string;
  header: ReactNode;
  cell(item: Item): ReactNode;
  isRowHeader?: boolean;
  minWidth?: number;
  width?: number | string;
}

interface TableProps<Item> {
  label: string;
  columns: readonly Column<Item>[];
  /** Undefined until they arrive. */
  items: readonly Item[] | undefined;
  /** The field that identifies a row, or a function that does. */
  trackBy: string | ((item: Item) => string);
  /** Without it the table has no border of its own. */
  header?: ReactNode;
  filter?: ReactNode;
  footer?: ReactNode;
  /** Said instead of rows. */
  empty?: ReactNode;
}

/** Rows of facts. The table scrolls sideways where there is no room. */
export function Table<Item>({ label, columns, items, trackBy, header, filter, footer, empty }: TableProps<Item>) {
  const toKey = typeof trackBy === 'function' ? trackBy : (item: Item) => String(item[trackBy as keyof Item]);
  return (
    <div className={header ? 'ui-table-frame ui-container' : 'ui-table-frame'}>
      {header && <div className="ui-container-header">{header}</div>}
      {filter && <div className="ui-table-filter">{filter}</div>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a table that is too wide. */}
      <section className="ui-table-scroll" aria-label={`${label}, table`} tabIndex={0}>
        <table className="ui-table" aria-label={label} aria-busy={items === undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} scope="col" style={{ minInlineSize: column.minWidth, inlineSize: column.width }}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items?.map((item) => (
              <tr key={toKey(item)}>
                {columns.map(({ id, isRowHeader, cell }) =>
                  isRowHeader ? (
                    <th key={id} scope="row">
                      {cell(item)}
                    </th>
                  ) : (
                    <td key={id}>{cell(item)}</td>
                  ),
                )}
              </tr>
            ))}
            {!items?.length && (
              <tr>
                <td colSpan={columns.length} className="ui-center">
                  {items ? empty : <LoadingRows label={label} />}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </section>
      {footer && <div className="ui-table-footer">{footer}</div>}
    </div>
  );
}

function LoadingRows({ label }: { label: string }) {
  return (
    <div role="status" className="skeleton ui-stack ui-gap-s">
      <span className="visually-hidden">Loading {label.toLowerCase()}</span>
      {['90%', '80%', '85%', '70%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

interface PaginationProps {
  page: number;
  pages: number;
  label: string;
  onChange(page: number): void;
}

/** Steps through pages: the first, the last, and those around the current one. */
export function Pagination({ page, pages, label, onChange }: PaginationProps) {
  const near = [1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return (
    <nav aria-label={label} className="ui-pages">
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <Icon name="left" />
      </button>
      {shown.map((one, place) => (
        <span key={one}>
          {one - (shown[place - 1] ?? 0) > 1 && <span className="ui-muted">…</span>}
          <button
            type="button"
            aria-label={`Page ${one}`}
            aria-current={one === page ? 'page' : undefined}
            onClick={() => onChange(one)}
          >
            {one}
          </button>
        </span>
      ))}
      <button type="button" aria-label="Next page" disabled={page >= pages} onClick={() => onChange(page + 1)}>
        <Icon name="right" />
      </button>
    </nav>
  );
}
