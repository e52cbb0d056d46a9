// Reads pages of items in table or index order: up to a limit or 1 MB.
import { requireValue } from '../require-value.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from './attribute-value.ts';
import { type EncodedKey, encodeKey } from './key.ts';
import type { KeyRange } from './key-condition.ts';
import type { Index, Table } from './table.ts';

export interface PageRequest {
  table: Table;
  index: Index | undefined;
  /** One partition with a key range, or a range of hashes. */
  within: { hash: number; range: KeyRange } | { fromHash: number; toHash: number };
  forward: boolean;
  /** The end of the previous page. */
  after: Position | undefined;
  limit: number | undefined;
}

/** A position in a table or index; in an index, equal keys are ordered by the item's own key. */
export interface Position extends EncodedKey {
  itemPk: Buffer;
  itemSk: Buffer;
}

export interface Row {
  text: string;
  size: number;
}

export interface Page {
  scanned: number;
  bytes: number;
  /** The last row of the page; undefined when no more rows follow. */
  last: Row | undefined;
}

const pageBytes = 1024 * 1024;
const firstChunk = 64;
const maxChunk = 1000;

export function readPage(storage: Storage, request: PageRequest, visit: (row: Row) => void): Page {
  let { after } = request;
  let last: Row | undefined;
  let scanned = 0;
  let read = 0;
  let chunk = firstChunk;
  for (;;) {
    const batchSize = Math.min(chunk, (request.limit ?? Number.POSITIVE_INFINITY) - scanned);
    const { sql, values } = buildStatement(request, after);
    const rows = storage.prepare(sql).all([...values, batchSize]);
    for (const row of rows) {
      if (read >= pageBytes) return { scanned, bytes: read, last };
      last = { text: String(row.item), size: Number(row.size) };
      visit(last);
      scanned++;
      read += last.size;
    }
    if (scanned === request.limit) return { scanned, bytes: read, last };
    if (rows.length < batchSize) return { scanned, bytes: read, last: undefined };
    after = getPosition(request, JSON.parse(requireValue(last).text) as Item);
    chunk = Math.min(maxChunk, Math.max(firstChunk, Math.ceil((pageBytes - read) / (read / scanned)) + 1));
  }
}

function buildStatement(request: PageRequest, after: Position | undefined): { sql: string; values: unknown[] } {
  const { table, index, within, forward } = request;
  const beyond = forward ? '>' : '<';
  const values: unknown[] = [];
  const conditions: string[] = [];
  const tie = index ? ['item_pk', 'item_sk'] : [];
  let order: string[];
  if ('range' in within) {
    order = ['sk', ...tie];
    conditions.push('hash = ?', 'pk = ?');
    values.push(within.hash, within.range.pk);
    const { lower, upper } = within.range;
    if (lower) conditions.push(`sk ${lower.inclusive ? '>=' : '>'} ?`) && values.push(lower.bytes);
    if (upper) conditions.push(`sk ${upper.inclusive ? '<=' : '<'} ?`) && values.push(upper.bytes);
  } else {
    order = ['hash', 'pk', 'sk', ...tie];
    conditions.push('hash >= ?', 'hash < ?');
    values.push(within.fromHash, within.toHash);
  }
  if (after) {
    const columns: Record<string, unknown> = { ...after, item_pk: after.itemPk, item_sk: after.itemSk };
    conditions.push(`(${order.join(', ')}) ${beyond} (${order.map(() => '?').join(', ')})`);
    values.push(...order.map((column) => columns[column]));
  }
  const direction = forward ? '' : ' DESC';
  const sql =
    `SELECT size, item FROM ${(index ?? table).sqlTable} ` +
    `WHERE ${conditions.join(' AND ')} ORDER BY ${order.map((column) => column + direction).join(', ')} LIMIT ?`;
  return { sql, values };
}

export function getPosition({ table, index }: Pick<PageRequest, 'table' | 'index'>, item: Item): Position {
  const own = encodeKey(table.keys, item);
  return { ...(index ? encodeKey(index.keys, item) : own), itemPk: own.pk, itemSk: own.sk };
}
