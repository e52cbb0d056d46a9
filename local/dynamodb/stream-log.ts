// Table streams: one record per change, written in the change's own commit and kept for 24 hours. Sequence numbers only
// grow, also over restarts, trimming and tables made anew: the newest record stays as the mark to count on from, and a
// table's number, which is never used again, leads.
import { createHash } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import { type Item, itemSize } from './attribute-value.ts';
import type { Catalog } from './catalog.ts';
import { keyOf } from './key.ts';
import type { Table } from './table.ts';

export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
  };
  eventSourceARN: string;
  userIdentity?: { type: string; principalId: string };
  [field: string]: unknown;
}

/** What changed; the texts are the items as JSON, which the writer has at hand. */
export interface Change {
  before: { item: Item; text: string; size: number } | undefined;
  after: { item: Item; text: string; size: number } | undefined;
  /** Whether the service itself deleted the item because its time had come. */
  cause: 'call' | 'expiry';
}

const retentionMs = 24 * 60 * 60 * 1000;
const trimEveryMs = 60 * 60 * 1000;

/** Several readers follow a stream closely; what one has just read, the others need not make again. */
const mostRecent = 500;
const firstSequence = 100_000_000_000_000_000_000n;
const perTable = 10_000_000_000_000n;

export class StreamLog {
  private readonly storage: Storage;
  private readonly clock: Clock;
  private readonly catalog: Catalog;
  private readonly region: string;
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly trimmedMs = new Map<number, number>();
  private readonly recent = new Map<string, StreamRecord>();
  private arrivalMs: number | undefined;

  constructor(options: { storage: Storage; clock: Clock; catalog: Catalog; region: string }) {
    this.storage = options.storage;
    this.clock = options.clock;
    this.catalog = options.catalog;
    this.region = options.region;
  }

  /** Inside the write that makes the change. */
  append(table: Table, { before, after, cause }: Change): void {
    const view = table.definition.stream!.view;
    const keys = keyOf(table.keys, (after ?? before)!.item);
    const newImage = view.startsWith('NEW') ? after : undefined;
    const oldImage = view.endsWith('OLD_IMAGES') || view === 'OLD_IMAGE' ? before : undefined;
    const size = itemSize(keys) + (newImage?.size ?? 0) + (oldImage?.size ?? 0);
    const event = before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT';
    const nowMs = this.arrivalMs ?? this.clock.now();
    this.storage
      .prepare(
        `INSERT INTO ${table.sqlStream} (created_ms, event, keys, new_image, old_image, size, cause)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run([nowMs, event, JSON.stringify(keys), newImage?.text ?? null, oldImage?.text ?? null, size, cause]);
    this.trim(table, nowMs);
  }

  /** From now on records arrive at this time, whatever the clock says, until it is given back to the clock. */
  arriveAt(timeMs: number | undefined): void {
    this.arrivalMs = timeMs;
  }

  /** Oldest first; without `afterSequence` from the oldest record there is. */
  read(streamArn: string, afterSequence: string | undefined, limit: number): StreamRecord[] {
    const table = this.tableOf(streamArn);
    return this.storage
      .prepare(
        `SELECT sequence, created_ms, event, keys, new_image, old_image, size, cause FROM ${table.sqlStream}
         WHERE sequence > ? AND created_ms > ? ORDER BY sequence LIMIT ?`,
      )
      .all([sequenceOf(table, afterSequence), this.clock.now() - retentionMs, limit])
      .map((row) => this.record(table, row));
  }

  /** The newest record's sequence number; undefined while there never was one. */
  latestSequence(streamArn: string): string | undefined {
    const table = this.tableOf(streamArn);
    const { latest } = this.storage.prepare(`SELECT MAX(sequence) AS latest FROM ${table.sqlStream}`).get()!;
    return latest === null ? undefined : sequenceText(table, Number(latest));
  }

  onRecords(streamArn: string, listener: () => void): () => void {
    const listeners = this.listeners.get(streamArn) ?? new Set();
    listeners.add(listener);
    this.listeners.set(streamArn, listeners);
    return () => listeners.delete(listener);
  }

  /** After the commit. */
  notify(table: Table): void {
    for (const listener of this.listeners.get(table.streamArn ?? '') ?? []) listener();
  }

  partitionKeyName(streamArn: string): string {
    return this.tableOf(streamArn).keys.hash.name;
  }

  /** When a stream is switched off: nothing is left to read, but counting goes on from the newest record. */
  forget(table: Table): void {
    const { sqlStream } = table;
    this.storage.exec(
      `DELETE FROM ${sqlStream} WHERE sequence < (SELECT MAX(sequence) FROM ${sqlStream});
       UPDATE ${sqlStream} SET created_ms = 0`,
    );
  }

  private tableOf(streamArn: string): Table {
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
    this.storage.prepare(`DELETE FROM ${table.sqlStream} WHERE sequence < ?`).run([Number(oldestKept!.sequence)]);
  }

  /** A record never changes, and its number is never used again. */
  private record(table: Table, row: Record<string, unknown>): StreamRecord {
    const sequence = sequenceText(table, Number(row.sequence));
    const known = this.recent.get(sequence);
    if (known) return known;
    const record = this.made(table, row, sequence);
    this.recent.set(sequence, record);
    if (this.recent.size > mostRecent) this.recent.delete(this.recent.keys().next().value!);
    return record;
  }

  private made(table: Table, row: Record<string, unknown>, sequence: string): StreamRecord {
    const image = (column: unknown) => JSON.parse(String(column)) as Item;
    return {
      eventID: createHash('md5').update(`${table.streamArn} ${sequence}`).digest('hex'),
      eventName: row.event as StreamRecord['eventName'],
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: this.region,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Number(row.created_ms) / 1000),
        Keys: image(row.keys),
        ...(row.new_image === null ? {} : { NewImage: image(row.new_image) }),
        ...(row.old_image === null ? {} : { OldImage: image(row.old_image) }),
        SequenceNumber: sequence,
        SizeBytes: Number(row.size),
        StreamViewType: table.definition.stream!.view,
      },
      eventSourceARN: table.streamArn!,
      ...(row.cause === 'expiry' ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } } : {}),
    };
  }
}

export function sequenceText(table: Table, sequence: number): string {
  return String(firstSequence + BigInt(table.id) * perTable + BigInt(sequence));
}

/** A number from before the table was made anew comes before all of its own. */
function sequenceOf(table: Table, text: string | undefined): number {
  if (text === undefined) return 0;
  return Math.max(0, Number(BigInt(text) - firstSequence - BigInt(table.id) * perTable));
}
