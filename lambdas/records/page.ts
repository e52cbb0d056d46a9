import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField, type ServiceError } from '../platform/service-error.ts';
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

// A cursor says where the next page starts. It is sealed together with the list it belongs to (the route, its filters,
// sort and order), so one that was altered, or that comes from another list, is refused instead of answering nonsense.

export interface CursorSeal {
  seal(list: string, position: string): string;
  /** The position in it; refuses a cursor of another list. */
  open(list: string, cursor: string): string;
}

export function cursorSeal(key: string): CursorSeal {
  const sign = (list: string, position: string) =>
    createHmac('sha256', key).update(`${list.length}:${list}${position}`).digest().subarray(0, sealBytes);
  return {
    seal: (list, position) => Buffer.concat([sign(list, position), Buffer.from(position)]).toString('base64url'),
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(sealBytes).toString();
      const genuine =
        bytes.byteLength > sealBytes &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, sealBytes), sign(list, position));
      if (!genuine) throw foreignCursor();
      return position;
    },
  };
}

const sealBytes = 16;

function foreignCursor(): ServiceError {
  return invalidField('cursor', 'is not a valid cursor for these filters, sort and order');
}
