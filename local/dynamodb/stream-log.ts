// Table streams: one record per change, written in the same commit, with a retention of 24 hours. Sequence numbers always
// increase, across restarts, trimming and recreated tables: the newest record is never trimmed, and the table's number,
// which is never reused, is the prefix.

import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import type { Row, Storage } from '../storage/storage.ts';
import { type Item, measureItem } from './attribute-value.ts';
import type { Catalog } from './catalog.ts';
import { extractKey } from './key.ts';
import type { PropagationDelay } from './propagation-delay.ts';
import { readImages, writeImages } from './stream-images.ts';
import {
  createStreamRecord,
  formatSequence,
  parseSequence,
  type StreamEntry,
  type StreamRecord,
  StreamTail,
  serializeRecord,
} from './stream-record.ts';
import type { Table } from './table.ts';

/** A change, with the items as objects and JSON. */
export interface Change {
  before: { item: Item; text: string; size: number } | undefined;
  after: { item: Item; text: string; size: number } | undefined;
  cause: StreamEntry['cause'];
}

const retentionMs = 24 * 60 * 60 * 1000;
const trimEveryMs = 60 * 60 * 1000;

export class StreamLog {
  private readonly storage: Storage;
  private readonly clock: Clock;
  private readonly catalog: Catalog;
  private readonly delay: PropagationDelay;
  private readonly region: string;
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly trimmedMs = new Map<number, number>();
  private readonly tails = new Map<number, StreamTail>();
  private arrivalMs: number | undefined;

  constructor(options: { storage: Storage; clock: Clock; catalog: Catalog; delay: PropagationDelay; region: string }) {
    this.storage = options.storage;
    this.clock = options.clock;
    this.catalog = options.catalog;
    this.delay = options.delay;
    this.region = options.region;
    this.delay.onEnd(() => {
      for (const listener of [...this.listeners.values()].flatMap((each) => [...each])) listener();
    });
    options.storage.onUndo(() => this.tails.clear());
  }

  /** Must run inside the write that makes the change. */
  append(table: Table, { before, after, cause }: Change): void {
    const view = requireValue(table.definition.stream).view;
    const newImage = view.startsWith('NEW') ? after : undefined;
    const oldImage = view.endsWith('OLD_IMAGES') || view === 'OLD_IMAGE' ? before : undefined;
    const keys = extractKey(table.keys, requireValue(after ?? before).item);
    const size = measureItem(keys) + (newImage?.size ?? 0) + (oldImage?.size ?? 0);
    const event = before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT';
    const createdMs = this.arrivalMs ?? this.clock.now();
    const { lastInsertRowid } = this.storage
      .prepare(
        `INSERT INTO ${table.sqlStream} (created_ms, event, keys, images, size, cause)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run([createdMs, event, JSON.stringify(keys), writeImages(newImage?.text, oldImage?.text), size, cause]);
    const sequence = Number(lastInsertRowid);
    const images = { newImage: newImage?.text, oldImage: oldImage?.text };
    this.getTail(table).add({ sequence, createdMs, event, keys, ...images, size, cause });
    this.trim(table, createdMs);
  }

  /** Sets the arrival time of new records; undefined: use the clock. */
  arriveAt(timeMs: number | undefined): void {
    this.arrivalMs = timeMs;
  }

  /** Oldest first; without `afterSequence`, from the oldest record. */
  read(streamArn: string, afterSequence: string | undefined, limit: number): StreamRecord[] {
    const table = this.getTable(streamArn);
    const after = parseSequence(table, afterSequence);
    const oldestMs = this.clock.now() - retentionMs;
    const record = (entry: StreamEntry) => createStreamRecord(table, this.region, entry);
    const delayMs = this.delay.ms;
    const written = delayMs > 0 ? undefined : this.getTail(table).readAfter(after, limit, oldestMs, record);
    if (written) return written;
    const newestMs = delayMs > 0 ? this.clock.now() - delayMs : Number.MAX_SAFE_INTEGER;
    return this.storage
      .prepare(
        `SELECT sequence, created_ms, event, keys, images, size, cause FROM ${table.sqlStream}
         WHERE sequence > ? AND created_ms > ? AND created_ms <= ? ORDER BY sequence LIMIT ?`,
      )
      .all([after, oldestMs, newestMs, limit])
      .map((row) => record(toEntry(row)));
  }

  serialize(record: StreamRecord): string {
    return serializeRecord(record);
  }

  /** The newest sequence number; undefined for a stream that was always empty. */
  getLatestSequence(streamArn: string): string | undefined {
    const table = this.getTable(streamArn);
    const { latest } = requireValue(
      this.storage.prepare(`SELECT MAX(sequence) AS latest FROM ${table.sqlStream}`).get(),
    );
    return latest === null ? undefined : formatSequence(table, Number(latest));
  }

  onRecords(streamArn: string, listener: () => void): () => void {
    const listeners = this.listeners.get(streamArn) ?? new Set();
    listeners.add(listener);
    this.listeners.set(streamArn, listeners);
    return () => listeners.delete(listener);
  }

  /** Must run after the commit. */
  notify(table: Table): void {
    if (this.delay.ms > 0) this.clock.after(this.delay.ms, () => this.callListeners(table));
    else this.callListeners(table);
  }

  private callListeners(table: Table): void {
    for (const listener of this.listeners.get(table.streamArn ?? '') ?? []) listener();
  }

  /** Removes all readable records of a disabled stream, but keeps the sequence number. */
  removeRecords(table: Table): void {
    const { sqlStream } = table;
    this.tails.delete(table.id);
    this.storage.exec(
      `DELETE FROM ${sqlStream} WHERE sequence < (SELECT MAX(sequence) FROM ${sqlStream});
       UPDATE ${sqlStream} SET created_ms = 0`,
    );
  }

  private getTable(streamArn: string): Table {
    const table = this.catalog.withStream(streamArn);
    if (!table) throw new Error(`no table has the stream ${streamArn}`);
    return table;
  }

  private trim(table: Table, nowMs: number): void {
    if (nowMs - (this.trimmedMs.get(table.id) ?? Number.NEGATIVE_INFINITY) < trimEveryMs) return;
    this.trimmedMs.set(table.id, nowMs);
    const oldestKept = this.storage
      .prepare(`SELECT sequence FROM ${table.sqlStream} WHERE created_ms > ? ORDER BY sequence LIMIT 1`)
      .get([nowMs - retentionMs]);
    this.storage
      .prepare(`DELETE FROM ${table.sqlStream} WHERE sequence < ?`)
      .run([Number(requireValue(oldestKept).sequence)]);
  }

  private getTail({ id }: Table): StreamTail {
    const known = this.tails.get(id) ?? new StreamTail();
    this.tails.set(id, known);
    return known;
  }
}

function toEntry(row: Row): StreamEntry {
  return {
    sequence: Number(row.sequence),
    createdMs: Number(row.created_ms),
    event: row.event as StreamEntry['event'],
    keys: JSON.parse(String(row.keys)) as Item,
    ...readImages(row.images),
    size: Number(row.size),
    cause: row.cause as StreamEntry['cause'],
  };
}
