import type { CursorSeal } from './cursor.ts';
import { type Item, itemBytes } from './item-store.ts';

// A page of any list ends with `limit` rows, or earlier when one answer cannot hold more of them. `next_cursor` then leads
// to the rest (docs/decisions/0034-page-bytes.md).

/**
 * Lambda answers with at most 6 MB. The body is a string inside that answer, so its quotes and backslashes are escaped
 * once more: at worst, its size doubles.
 */
export const maxPageBytes = 3_000_000;

/** The rows from the front that one answer holds. At least one, so that a walk along the cursors always moves on. */
export function fitRows<Row>(rows: readonly Row[], limit: number, bytesOf: (row: Row) => number): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, place) => {
    bytes += bytesOf(row);
    return place >= limit || (place > 0 && bytes > maxPageBytes);
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** What a row takes in the answer, for rows that were not stored as they are shown. */
export function jsonBytes(row: unknown): number {
  return Buffer.byteLength(JSON.stringify(row));
}

/**
 * Cuts what was read for a page: one item more than the page may hold, or all items up to the first that is too much.
 * Only what is left out makes a next page. Items hold their rows as JSON, so none is smaller than its row.
 */
export function cutPage(
  items: readonly Item[],
  limit: number,
  seal: CursorSeal,
  list: string,
): { items: readonly Item[]; next: { next_cursor?: string } } {
  const fitting = fitRows(items, limit, itemBytes);
  const hasMore = fitting.length < items.length;
  return { items: fitting, next: hasMore ? { next_cursor: seal.seal(list, fitting.at(-1)!.sk!.S!) } : {} };
}
