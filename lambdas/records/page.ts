import { createHmac, timingSafeEqual } from 'node:crypto';
import { requireValue } from '../platform/require-value.ts';
import { invalidField, type ServiceError } from '../platform/service-error.ts';

// A page ends after `limit` rows, or earlier if the response would be too large. `next_cursor` continues after its last
// row (docs/decisions/0008-pages.md).

/**
 * Lambda responses have at most 6 MB. The body is a JSON string inside the response, so escaping can double its size.
 */
export const maxPageBytes = 3_000_000;

/**
 * Takes the leading rows that fit into one response. Takes at least one, so that following the cursors always makes
 * progress.
 */
export function fitRows<Row>(rows: readonly Row[], limit: number, measure: (row: Row) => number): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += measure(row);
    return index >= limit || (index > 0 && bytes > maxPageBytes);
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Splits rows into groups of limited size. A row that is larger has its own group. */
export function groupBySize<Row>(rows: readonly Row[], maxBytes: number, measure: (row: Row) => number): Row[][] {
  const groups: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const own = measure(row);
    bytes += own;
    if (groups.length > 0 && bytes <= maxBytes) requireValue(groups.at(-1)).push(row);
    else {
      groups.push([row]);
      bytes = own;
    }
  }
  return groups;
}

/** The size of a row in the response, for rows that are not stored as they are returned. */
export function measureJson(row: unknown): number {
  return Buffer.byteLength(JSON.stringify(row));
}

// A cursor contains the position of the next page. It is signed together with its list (route, filters, sort and order),
// so a modified cursor or a cursor of another list is rejected.

export interface CursorSeal {
  seal(list: string, position: string): string;
  /** Returns the position; rejects a cursor of another list. */
  open(list: string, cursor: string): string;
}

export function createHmacCursorSeal(key: string): CursorSeal {
  const sign = (list: string, position: string) =>
    createHmac('sha256', key).update(`${list.length}:${list}${position}`).digest().subarray(0, signatureBytes);
  return {
    seal: (list, position) => Buffer.concat([sign(list, position), Buffer.from(position)]).toString('base64url'),
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(signatureBytes).toString();
      const isValid =
        bytes.byteLength > signatureBytes &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, signatureBytes), sign(list, position));
      if (!isValid) throw createCursorError();
      return position;
    },
  };
}

const signatureBytes = 16;

function createCursorError(): ServiceError {
  return invalidField('cursor', 'is not a valid cursor for these filters, sort and order');
}
