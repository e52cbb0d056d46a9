// Stream records as objects and as JSON, and a cache of each table's newest records. The JSON is assembled from the items'
// own JSON, without parsing.
import { requireValue } from '../require-value.ts';
import type { Item } from './attribute-value.ts';
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

/** A stored change. */
export interface StreamEntry {
  sequence: number;
  createdMs: number;
  event: StreamRecord['eventName'];
  keys: Item;
  /** The items as JSON. */
  newImage: string | undefined;
  oldImage: string | undefined;
  size: number;
  /** 'expiry': the service deleted an expired item. */
  cause: 'call' | 'expiry';
}

const firstSequence = 100_000_000_000_000_000_000n;
const perTable = 10_000_000_000_000n;

const texts = new WeakMap<StreamRecord, () => string>();

export function createStreamRecord(table: Table, region: string, entry: StreamEntry): StreamRecord {
  const { keys, newImage, oldImage } = entry;
  const SequenceNumber = formatSequence(table, entry.sequence);
  const head = {
    eventID: SequenceNumber.padStart(32, '0'),
    eventName: entry.event,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: requireValue(table.streamArn),
    ...(entry.cause === 'expiry' ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } } : {}),
  };
  const about = {
    ApproximateCreationDateTime: Math.floor(entry.createdMs / 1000),
    SequenceNumber,
    SizeBytes: entry.size,
    StreamViewType: requireValue(table.definition.stream).view,
  };
  const dynamodb: StreamRecord['dynamodb'] = { ...about, Keys: keys };
  if (newImage !== undefined) defineLazily(dynamodb, 'NewImage', newImage);
  if (oldImage !== undefined) defineLazily(dynamodb, 'OldImage', oldImage);
  const record: StreamRecord = { ...head, dynamodb };
  let text: string | undefined;
  texts.set(record, () => {
    const images = `"Keys":${JSON.stringify(keys)}${formatMember('NewImage', newImage)}${formatMember('OldImage', oldImage)}`;
    text ??= `${openObject(head)},"dynamodb":${openObject(about)},${images}}}`;
    return text;
  });
  return record;
}

/** The record as JSON, assembled on demand because most records are filtered out. */
export function serializeRecord(record: StreamRecord): string {
  return texts.get(record)?.() ?? JSON.stringify(record);
}

/** Unique across tables: prefixed with the table's number, which is never reused. */
export function formatSequence({ id }: Table, sequence: number): string {
  return String(firstSequence + BigInt(id) * perTable + BigInt(sequence));
}

/** Returns 0 for a sequence number of a deleted table with the same name, so reading starts at the first record. */
export function parseSequence({ id }: Table, text: string | undefined): number {
  if (text === undefined) return 0;
  return Math.max(0, Number(BigInt(text) - firstSequence - BigInt(id) * perTable));
}

/** Parses an image on access, because most are only passed on as JSON. */
function defineLazily(dynamodb: StreamRecord['dynamodb'], name: 'NewImage' | 'OldImage', text: string): void {
  Object.defineProperty(dynamodb, name, { enumerable: true, get: () => JSON.parse(text) });
}

function formatMember(name: string, image: string | undefined): string {
  return image === undefined ? '' : `,"${name}":${image}`;
}

/** Serializes an object without its closing brace. */
function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

interface CachedEntry extends StreamEntry {
  record?: StreamRecord;
}

const maxEntries = 4_000;
const maxTextLength = 8_000_000;

export class StreamTail {
  private entries: CachedEntry[] = [];
  private textLength = 0;

  add(entry: StreamEntry): void {
    const last = this.entries.at(-1);
    if (last && entry.sequence !== last.sequence + 1) this.clear();
    this.entries.push(entry);
    this.textLength += measureText(entry);
    // Drop half, so this happens rarely.
    if (this.entries.length > maxEntries || this.textLength > maxTextLength)
      this.drop(Math.ceil(this.entries.length / 2));
  }

  clear(): void {
    this.entries = [];
    this.textLength = 0;
  }

  /** Returns undefined when the cache lacks some of the records after that sequence. */
  readAfter(
    sequence: number,
    limit: number,
    oldestMs: number,
    record: (entry: StreamEntry) => StreamRecord,
  ): StreamRecord[] | undefined {
    const first = this.entries[0]?.sequence;
    if (first === undefined || sequence < first - 1) return undefined;
    // The storage omits records older than the retention.
    if (requireValue(this.entries[0]).createdMs <= oldestMs) return undefined;
    const from = sequence + 1 - first;
    return this.entries.slice(from, from + limit).map((entry) => {
      entry.record ??= record(entry);
      return entry.record;
    });
  }

  private drop(count: number): void {
    for (const entry of this.entries.splice(0, count)) this.textLength -= measureText(entry);
  }
}

function measureText({ newImage, oldImage }: StreamEntry): number {
  return (newImage?.length ?? 0) + (oldImage?.length ?? 0);
}
