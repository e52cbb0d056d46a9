// Defers the writes of expendable tables, so that a request never waits for the disk. Their items change with every
// request; only the last state within 100 ms is written.
import { StorageUnavailable } from '../storage/errors.ts';
import { alwaysExpendable, type Storage } from '../storage/storage.ts';
import { type EncodedKey, getCacheKey } from './key.ts';
import type { Table } from './table.ts';

interface Unwritten {
  key: EncodedKey;
  /** undefined: deleted. */
  state: { text: string; size: number; ttl: number | null } | undefined;
}

const writtenWithinMs = 100;
const retryAfterMs = 1_000;

export class UnwrittenItems {
  private readonly storage: Storage;
  /** By table number. */
  private readonly tables = new Map<number, { table: Table; items: Map<string, Unwritten> }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  /** Returns undefined for an item without a deferred write. */
  get(table: Table, key: EncodedKey): Unwritten | undefined {
    return this.tables.get(table.id)?.items.get(getCacheKey(table, key));
  }

  /** Returns a function that checks whether the item is still unchanged. */
  set(table: Table, key: EncodedKey, state: Unwritten['state']): () => boolean {
    const known = this.tables.get(table.id) ?? { table, items: new Map<string, Unwritten>() };
    const item = { key, state };
    known.items.set(getCacheKey(table, key), item);
    this.tables.set(table.id, known);
    this.timer ??= setTimeout(() => this.writeSoon(), writtenWithinMs).unref();
    return () => (this.get(table, key) ?? item) === item;
  }

  /** Must run before a query reads the table from the storage. */
  write(table: Table): void {
    const known = this.tables.get(table.id);
    if (!known) return;
    this.storage.writeUnflushed(() => {
      for (const item of known.items.values()) this.writeItem(table, item);
    });
    this.tables.delete(table.id);
  }

  writeAll(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { table } of [...this.tables.values()]) this.write(table);
  }

  private writeSoon(): void {
    this.timer = undefined;
    if (this.storage.isClosed) return;
    // Items are removed only after the commit. If the disk is full, they are written later.
    let written: { id: number; table: Table; items: ReadonlyMap<string, Unwritten> }[] = [];
    const work = () => {
      written = [...this.tables].map(([id, { table, items }]) => ({ id, table, items: new Map(items) }));
      for (const { table, items } of written) for (const item of items.values()) this.writeItem(table, item);
    };
    const removeAll = () => {
      for (const { id, items } of written) this.removeWritten(id, items);
    };
    this.storage.write(work, alwaysExpendable).then(removeAll, (error: unknown) => {
      if (error instanceof StorageUnavailable) this.timer ??= setTimeout(() => this.writeSoon(), retryAfterMs).unref();
      // The table was deleted.
      else this.tables.clear();
    });
  }

  /** Keeps items that changed after the write began. */
  private removeWritten(tableId: number, written: ReadonlyMap<string, Unwritten>): void {
    const known = this.tables.get(tableId);
    if (!known) return;
    for (const [name, item] of written) if (known.items.get(name) === item) known.items.delete(name);
    if (known.items.size === 0) this.tables.delete(tableId);
    else this.timer ??= setTimeout(() => this.writeSoon(), writtenWithinMs).unref();
  }

  private writeItem({ sqlTable }: Table, { key, state }: Unwritten): void {
    if (!state) {
      this.storage
        .prepare(`DELETE FROM ${sqlTable} WHERE hash = ? AND pk = ? AND sk = ?`)
        .run([key.hash, key.pk, key.sk]);
      return;
    }
    this.storage
      .prepare(
        `INSERT INTO ${sqlTable} (hash, pk, sk, size, ttl, item) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (hash, pk, sk) DO UPDATE SET size = excluded.size, ttl = excluded.ttl, item = excluded.item`,
      )
      .run([key.hash, key.pk, key.sk, state.size, state.ttl, state.text]);
  }
}
