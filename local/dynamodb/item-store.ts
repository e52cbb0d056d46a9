// Stores items as rows. A write updates the row, index entries, expiry and stream record together; a write without changes
// writes nothing and creates no stream record.
import { requireValue } from '../require-value.ts';
import type { Row, Storage } from '../storage/storage.ts';
import { areItemsEqual, type Item, measureItem } from './attribute-value.ts';
import { type Consumption, toWriteUnits } from './capacity.ts';
import { getExpiry } from './catalog.ts';
import { validationError } from './errors.ts';
import { writeIndexEntry } from './index-entry.ts';
import { type EncodedKey, encodeKey, getCacheKey } from './key.ts';
import type { PropagationDelay } from './propagation-delay.ts';
import type { Change, StreamLog } from './stream-log.ts';
import type { Table } from './table.ts';
import { UnwrittenItems } from './unwritten-items.ts';

export interface SizedItem {
  item: Item;
  size: number;
}

const maxItemBytes = 400 * 1024;

export class ItemStore {
  private readonly storage: Storage;
  private readonly streams: StreamLog;
  private readonly delay: PropagationDelay;
  private readonly onExpiry: (seconds: number) => void;
  private readonly recent = new RecentItems();
  private readonly unwritten: UnwrittenItems;
  private undoDeferred: (() => void)[] | undefined;

  /** `onExpiry` is called when an item with a TTL is stored. */
  constructor(storage: Storage, streams: StreamLog, delay: PropagationDelay, onExpiry: (seconds: number) => void) {
    this.storage = storage;
    this.streams = streams;
    this.delay = delay;
    this.onExpiry = onExpiry;
    this.unwritten = new UnwrittenItems(storage);
    storage.onUndo(() => this.recent.clear());
  }

  read(table: Table, key: EncodedKey): StoredItem | undefined {
    const unwritten = table.isWriteDeferred ? this.unwritten.get(table, key) : undefined;
    if (unwritten) return unwritten.state && new StoredItem({ rowid: 0, ...unwritten.state });
    const known = this.recent.get(table, key);
    if (known) return new StoredItem(known);
    const row = this.storage
      .prepareList(`SELECT rowid, size, item FROM ${table.sqlTable} WHERE hash = ? AND pk = ? AND sk = ?`)
      .get([key.hash, key.pk, key.sk]);
    if (!row) return undefined;
    const found = { rowid: Number(row[0]), size: Number(row[1]), text: String(row[2]) };
    this.recent.set(table, key, found);
    return new StoredItem(found);
  }

  /** Replaces `before`, the result of read(), by `after`. Undefined means that the item does not exist. */
  write(
    table: Table,
    key: EncodedKey,
    before: StoredItem | undefined,
    sized: SizedItem | undefined,
    consumption: Consumption,
  ): void {
    const after = sized && { item: sized.item, size: sized.size, text: JSON.stringify(sized.item) };
    consumption.add(toWriteUnits(Math.max(before?.size ?? 0, after?.size ?? 0)));
    if (!before && !after) return;
    if (before && after && isUnchanged(before, after)) return;
    if (table.isWriteDeferred) {
      this.writeLater(table, key, before, after);
      return;
    }
    this.change(table, key, { before, after, cause: 'call' });
    this.writeIndexes(table, key, before, after, consumption);
  }

  /** Writes deferred items, before queries on a table and before closing. */
  settle(table?: Table): void {
    if (table) this.unwritten.write(table);
    else this.unwritten.writeAll();
  }

  /** Deletes up to `limit` expired items and returns their number. */
  expire(table: Table, afterSeconds: number, nowSeconds: number, limit: number): number {
    this.settle(table);
    const due = this.storage
      .prepare(
        `SELECT rowid AS rowid, size, item FROM ${table.sqlTable} WHERE ttl > ? AND ttl <= ? ORDER BY ttl LIMIT ?`,
      )
      .all([afterSeconds, nowSeconds, limit])
      .map((row) => new StoredItem(toItemRow(row)));
    for (const before of due) {
      const key = encodeKey(table.keys, before.item);
      this.change(table, key, { before, after: undefined, cause: 'expiry' });
      this.writeIndexes(table, key, before, undefined);
    }
    return due.length;
  }

  nextExpiry(table: Table, afterSeconds: number): number | undefined {
    this.settle(table);
    const { next } = requireValue(
      this.storage.prepare(`SELECT MIN(ttl) AS next FROM ${table.sqlTable} WHERE ttl > ?`).get([afterSeconds]),
    );
    return next === null ? undefined : Number(next);
  }

  /** Runs `work` and returns a function that undoes its deferred writes: a rollback of the storage does not undo them. */
  trackDeferred<T>(work: () => T): { result: T; undo(): void } {
    const undo: (() => void)[] = [];
    this.undoDeferred = undo;
    try {
      const result = work();
      const undoAll = () => {
        for (const step of undo) step();
      };
      return { result, undo: undoAll };
    } finally {
      this.undoDeferred = undefined;
    }
  }

  private writeIndexes(
    table: Table,
    key: EncodedKey,
    before: StoredItem | undefined,
    after: NewItem | undefined,
    consumption?: Consumption,
  ): void {
    const isDelayed = this.delay.ms > 0 && table.indexes.some(({ kind }) => kind === 'global');
    if (isDelayed) this.delay.delayIndexes(table, before?.text, after?.text);
    for (const index of table.indexes) {
      if (isDelayed && index.kind === 'global') continue;
      const units = writeIndexEntry(this.storage, index, key, before?.item, after?.item);
      consumption?.add(units, index.name);
    }
  }

  private writeLater(table: Table, key: EncodedKey, before: StoredItem | undefined, after: NewItem | undefined): void {
    const toState = (item: StoredItem | NewItem | undefined) =>
      item && { text: item.text, size: item.size, ttl: this.getExpiry(table, item) };
    this.recent.delete(table, key);
    const isCurrent = this.unwritten.set(table, key, toState(after));
    this.undoDeferred?.push(() => {
      if (isCurrent()) this.unwritten.set(table, key, toState(before));
    });
  }

  private change(table: Table, key: EncodedKey, change: RowChange): void {
    const { before, after } = change;
    if (after) {
      const { text, size } = after;
      this.recent.set(table, key, { rowid: this.put(table, key, before?.rowid, after), text, size });
    } else {
      this.storage.prepare(`DELETE FROM ${table.sqlTable} WHERE rowid = ?`).run([requireValue(before).rowid]);
      this.recent.delete(table, key);
    }
    if (table.streamArn) this.streams.append(table, change);
  }

  /** Returns the row id. */
  private put(table: Table, key: EncodedKey, rowid: number | undefined, after: NewItem): number {
    const ttl = this.getExpiry(table, after);
    if (rowid !== undefined) {
      this.storage
        .prepare(`UPDATE ${table.sqlTable} SET size = ?, ttl = ?, item = ? WHERE rowid = ?`)
        .run([after.size, ttl, after.text, rowid]);
      return rowid;
    }
    const { lastInsertRowid } = this.storage
      .prepare(`INSERT INTO ${table.sqlTable} (hash, pk, sk, size, ttl, item) VALUES (?, ?, ?, ?, ?, ?)`)
      .run([key.hash, key.pk, key.sk, after.size, ttl, after.text]);
    return Number(lastInsertRowid);
  }

  private getExpiry(table: Table, { item }: SizedItem): number | null {
    const ttl = getExpiry(table, item);
    if (ttl !== null) this.onExpiry(ttl);
    return ttl;
  }
}

type NewItem = SizedItem & { text: string };

interface RowChange extends Change {
  before: StoredItem | undefined;
  after: NewItem | undefined;
}

/** Computes the item's size once; rejects an item above the limit with the given message. */
export function toSizedItem(item: Item, message: string): SizedItem {
  const size = measureItem(item);
  if (size > maxItemBytes) throw validationError(message);
  return { item, size };
}

function isUnchanged(before: StoredItem, after: NewItem): boolean {
  if (before.text === after.text) return true;
  return before.size === after.size && areItemsEqual(before.item, after.item);
}

function toItemRow(row: Row): ItemRow {
  return { rowid: Number(row.rowid), text: String(row.item), size: Number(row.size) };
}

/** A cached item. Text takes about a quarter of the memory of objects and is cheap to collect. */
interface ItemRow {
  rowid: number;
  text: string;
  size: number;
}

/** A stored item, parsed on first access. */
export class StoredItem implements ItemRow {
  readonly rowid: number;
  readonly text: string;
  readonly size: number;
  #item: Item | undefined;

  constructor({ rowid, text, size }: ItemRow) {
    this.rowid = rowid;
    this.text = text;
    this.size = size;
  }

  get item(): Item {
    this.#item ??= JSON.parse(this.text) as Item;
    return this.#item;
  }
}

const generationBytes = 3_000_000;

class RecentItems {
  private young = new Map<string, ItemRow>();
  private old = new Map<string, ItemRow>();
  private bytes = 0;

  get(table: Table, key: EncodedKey): ItemRow | undefined {
    const name = getCacheKey(table, key);
    const known = this.young.get(name);
    if (known) return known;
    const older = this.old.get(name);
    if (older) this.put(name, older);
    return older;
  }

  set(table: Table, key: EncodedKey, item: ItemRow): void {
    this.put(getCacheKey(table, key), item);
  }

  delete(table: Table, key: EncodedKey): void {
    const name = getCacheKey(table, key);
    this.young.delete(name);
    this.old.delete(name);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
    this.bytes = 0;
  }

  private put(name: string, item: ItemRow): void {
    this.young.set(name, item);
    this.old.delete(name);
    this.bytes += item.text.length;
    if (this.bytes < generationBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.bytes = 0;
  }
}
