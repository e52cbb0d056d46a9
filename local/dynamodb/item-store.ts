// Items as rows. A write brings the row, the entries in the indexes, the expiry and the stream record to the new state
// in one go; a write that changes nothing writes nothing and leaves no stream record.
import type { Storage } from '../storage/storage.ts';
import { equalItems, type Item, itemSize } from './attribute-value.ts';
import type { Spending } from './capacity.ts';
import { writeUnits } from './capacity.ts';
import { expiryOf } from './catalog.ts';
import { writeIndexEntry } from './index-entry.ts';
import type { EncodedKey } from './key.ts';
import { encodeKey } from './key.ts';
import { validation } from './refusal.ts';
import type { Change, StreamLog } from './stream-log.ts';
import type { Table } from './table.ts';

export interface StoredItem {
  rowid: number;
  item: Item;
  text: string;
  size: number;
}

export interface SizedItem {
  item: Item;
  size: number;
}

export interface ItemStore {
  read(table: Table, key: EncodedKey): StoredItem | undefined;
  /** Replaces `before` (what read() gave) by `after`; undefined means there is none. */
  write(
    table: Table,
    key: EncodedKey,
    before: StoredItem | undefined,
    after: SizedItem | undefined,
    spending: Spending,
  ): void;
  /** Deletes up to `limit` items whose time has come and gives how many there were. */
  expire(table: Table, afterSeconds: number, nowSeconds: number, limit: number): number;
  nextExpiry(table: Table, afterSeconds: number): number | undefined;
}

const largestItem = 400 * 1024;

/** `onExpiry` hears when an item with a time to live was stored, in seconds. */
export function createItemStore(
  storage: Storage,
  streams: StreamLog,
  onExpiry: (table: Table, seconds: number) => void,
): ItemStore {
  const read = (table: Table, { hash, pk, sk }: EncodedKey): StoredItem | undefined => {
    const row = storage
      .prepare(`SELECT rowid AS rowid, size, item FROM ${table.sqlTable} WHERE hash = ? AND pk = ? AND sk = ?`)
      .get([hash, pk, sk]);
    if (!row) return undefined;
    const text = String(row.item);
    return { rowid: Number(row.rowid), item: JSON.parse(text) as Item, text, size: Number(row.size) };
  };

  const change = (
    table: Table,
    key: EncodedKey,
    before: StoredItem | undefined,
    after: Omit<StoredItem, 'rowid'> | undefined,
    cause: Change['cause'],
  ) => {
    if (!after) storage.prepare(`DELETE FROM ${table.sqlTable} WHERE rowid = ?`).run([before!.rowid]);
    else {
      const ttl = expiryOf(table, after.item);
      if (ttl !== null) onExpiry(table, ttl);
      if (before) {
        storage
          .prepare(`UPDATE ${table.sqlTable} SET size = ?, ttl = ?, item = ? WHERE rowid = ?`)
          .run([after.size, ttl, after.text, before.rowid]);
      } else {
        storage
          .prepare(`INSERT INTO ${table.sqlTable} (hash, pk, sk, size, ttl, item) VALUES (?, ?, ?, ?, ?, ?)`)
          .run([key.hash, key.pk, key.sk, after.size, ttl, after.text]);
      }
    }
    if (table.streamArn) streams.append(table, { before, after, cause });
  };

  return {
    read,
    write(table, key, before, sized, spending) {
      const after = sized && { ...sized, text: JSON.stringify(sized.item) };
      spending.add(writeUnits(Math.max(before?.size ?? 0, after?.size ?? 0)));
      if (!before && !after) return;
      if (before && after && unchanged(before, after)) return;
      change(table, key, before, after, 'call');
      for (const index of table.indexes) {
        spending.add(writeIndexEntry(storage, index, key, before?.item, after?.item), index.name);
      }
    },
    expire(table, afterSeconds, nowSeconds, limit) {
      const due = storage
        .prepare(
          `SELECT rowid AS rowid, size, item FROM ${table.sqlTable} WHERE ttl > ? AND ttl <= ? ORDER BY ttl LIMIT ?`,
        )
        .all([afterSeconds, nowSeconds, limit]);
      for (const row of due) {
        const text = String(row.item);
        const item = JSON.parse(text) as Item;
        const key = encodeKey(table.keys, item);
        change(table, key, { rowid: Number(row.rowid), item, text, size: Number(row.size) }, undefined, 'expiry');
        for (const index of table.indexes) writeIndexEntry(storage, index, key, item, undefined);
      }
      return due.length;
    },
    nextExpiry(table, afterSeconds) {
      const { next } = storage
        .prepare(`SELECT MIN(ttl) AS next FROM ${table.sqlTable} WHERE ttl > ?`)
        .get([afterSeconds])!;
      return next === null ? undefined : Number(next);
    },
  };
}

/** The item with its size, which is counted once; too big a one is refused in the given words. */
export function sizedItem(item: Item, refusal: string): SizedItem {
  const size = itemSize(item);
  if (size > largestItem) throw validation(refusal);
  return { item, size };
}

function unchanged(before: StoredItem, after: Omit<StoredItem, 'rowid'>): boolean {
  if (before.text === after.text) return true;
  return before.size === after.size && equalItems(before.item, after.item);
}
