// Simulates the eventual consistency of DynamoDB: global indexes and streams show a write after a delay that
// /_local/faults sets. Delayed index entries are stored with the write, so a rollback removes them and a crash loses none.
// They consume no capacity.
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from './attribute-value.ts';
import type { Catalog } from './catalog.ts';
import { writeIndexEntry } from './index-entry.ts';
import { encodeKey } from './key.ts';
import type { Table } from './table.ts';

export const maxDelayMs = 600_000;

export class PropagationDelay {
  private readonly storage: Storage;
  private readonly clock: Clock;
  private readonly catalog: Catalog;
  private delayMs = 0;
  private lastDueMs = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(options: { storage: Storage; clock: Clock; catalog: Catalog }) {
    this.storage = options.storage;
    this.clock = options.clock;
    this.catalog = options.catalog;
    this.storage.exec(
      `CREATE TABLE IF NOT EXISTS dynamodb_delayed_entries (
        id INTEGER PRIMARY KEY, table_name TEXT NOT NULL, due_ms REAL NOT NULL, before TEXT, after TEXT
      ) STRICT`,
    );
  }

  get ms(): number {
    return this.delayMs;
  }

  /** Sets the delay; 0 removes it. */
  async set(delayMs: number): Promise<void> {
    this.delayMs = delayMs;
    if (delayMs > 0) return;
    this.lastDueMs = 0;
    await this.clock.track(this.storage.write(() => this.apply(Number.MAX_VALUE)));
    for (const listener of this.listeners) listener();
  }

  /** Calls back when the delay ends. */
  onEnd(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Must run inside the write that changes the item. */
  delayIndexes(table: Table, before: string | undefined, after: string | undefined): void {
    // Entries are applied in the order of the writes, even if the delay was shortened between them.
    this.lastDueMs = Math.max(this.lastDueMs, this.clock.now() + this.delayMs);
    this.storage
      .prepare('INSERT INTO dynamodb_delayed_entries (table_name, due_ms, before, after) VALUES (?, ?, ?, ?)')
      .run([table.name, this.lastDueMs, before ?? null, after ?? null]);
    this.clock.at(this.lastDueMs, () =>
      this.clock.track(this.storage.writeWithRetry(() => this.apply(this.clock.now()))),
    );
  }

  /** Applies entries that a crash left behind, because a delay does not survive a restart. */
  applyAll(): void {
    this.storage.writeNow(() => this.apply(Number.MAX_VALUE));
  }

  private apply(nowMs: number): void {
    const due = this.storage
      .prepare('SELECT id, table_name, before, after FROM dynamodb_delayed_entries WHERE due_ms <= ? ORDER BY id')
      .all([nowMs]);
    for (const { id, table_name, before, after } of due) {
      this.storage.prepare('DELETE FROM dynamodb_delayed_entries WHERE id = ?').run([id]);
      const table = this.catalog.find(String(table_name));
      const [oldItem, newItem] = [parseItem(before), parseItem(after)];
      const item = newItem ?? oldItem;
      if (!table || !item) continue;
      const key = encodeKey(table.keys, item);
      for (const index of table.indexes)
        if (index.kind === 'global') writeIndexEntry(this.storage, index, key, oldItem, newItem);
    }
  }
}

function parseItem(column: unknown): Item | undefined {
  return typeof column === 'string' ? (JSON.parse(column) as Item) : undefined;
}

/** Parses {"service": "dynamodb", "delay_ms": 500}; undefined when it is invalid. */
export function parseDelay(command: Record<string, unknown>): number | undefined {
  const { service: _service, delay_ms: delayMs, ...unknown } = command;
  const isValid =
    Number.isInteger(delayMs) &&
    Number(delayMs) >= 0 &&
    Number(delayMs) <= maxDelayMs &&
    Object.keys(unknown).length === 0;
  return isValid ? Number(delayMs) : undefined;
}
