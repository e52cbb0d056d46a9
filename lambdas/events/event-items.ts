import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FeedEntry } from '../../contract/events.ts';
import type { orders } from '../../contract/list-query.ts';
import { requireValue } from '../platform/require-value.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readNumber, readString } from '../records/items.ts';
import { maxPageBytes, measureJson } from '../records/page.ts';
import { buildExpiryFilter, type Range } from '../records/read-items.ts';
import { toItemKey } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';

// Converts events to items and back. The newest events are part of the counter's item.
//
// | Access pattern                    | Call    | Key                                                      |
// |-----------------------------------|---------|----------------------------------------------------------|
// | the events after a number         | Query   | pk = events#<number div 10,000>, sk = <number, 16 digits>,  |
// |                                   |         | of the last event of a run                               |
// | the highest number                | GetItem | pk = events, sk = counter                                |
// | the events of a record            | Query   | pk = told#<record id>, sk = <version, 10 digits>#0       |

const retentionMs = 30 * 24 * 60 * 60_000;

const bucketSize = 10_000;

/** Partition of the events with the numbers from bucket × 10,000. */
export function toBucketKey(bucket: number): string {
  return `events#${bucket}`;
}

export function toBucket(sequence: number): number {
  return Math.floor(sequence / bucketSize);
}

/** Sort keys are text, so leading zeros keep numbers in order. */
export function toSequenceKey(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

export const counterKey = { pk: 'events', sk: 'counter' } as const;

/** The counter with the newest events. */
export interface Head {
  sequence: number;
  recent: readonly FeedEntry[];
  /** When the newest of them was stored. */
  storedMs: number;
}

export function toHead(item: Item | undefined): Head {
  const sequence = Number(item?.sequence?.N ?? 0);
  if (!item?.recent) return { sequence, recent: [], storedMs: 0 };
  // An earlier release that still runs during a deployment advances only the counter.
  return { sequence, recent: readEntries(item, readNumber(item, 'last')), storedMs: readNumber(item, 'stored_at') };
}

export function omitExpired(head: Head, nowMs: number): Head {
  return nowMs - head.storedMs < retentionMs ? head : { ...head, recent: [] };
}

/** Small, because reading one event reads its whole run. A single version may be larger. */
export const maxRunBytes = 100_000;

/** More would cost another write unit with every event. */
const maxRecentBytes = 940;

/** Events of one run expire together. */
const maxRunMs = 60 * 60_000;

/** Adds events to the recent ones if they fit, and otherwise replaces them. */
export function extendHead({ sequence, recent, storedMs }: Head, added: readonly FeedEntry[], nowMs: number): Head {
  const next = { sequence: sequence + added.length, storedMs: nowMs };
  const all = [...recent, ...added];
  const isExtensible = recent.at(-1)?.sequence === sequence && nowMs - storedMs < maxRunMs;
  const isSmall = isExtensible && measureJson(all) <= maxRunBytes && formatEntries(all).length <= maxRecentBytes;
  return { ...next, recent: isSmall ? all : added };
}

/** Fails unless the counter still has the previous value. */
export function buildHeadWrite({ sequence: from }: Head, { sequence, recent, storedMs }: Head): Write {
  const put = {
    Item: {
      ...toItemKey(counterKey.pk, counterKey.sk),
      sequence: { N: String(sequence) },
      last: { N: String(sequence) },
      recent: { B: formatEntries(recent) },
      stored_at: { N: String(storedMs) },
    },
    ...(from === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#sequence = :from',
          ExpressionAttributeNames: { '#sequence': 'sequence' },
          ExpressionAttributeValues: { ':from': { N: String(from) } },
        }),
  };
  return { name: 'counter', put };
}

/** A run is small: the buffers of the default cost more time than the compression. */
const compression = { windowBits: 13, memLevel: 4, chunkSize: 4096 };

/** Whether a run is small enough is known only once it is formatted, so it would be formatted twice. */
const formatted = new WeakMap<readonly FeedEntry[], Uint8Array>();

/** Deflated, because the events of a version differ only in their type, and the payloads of others have the same fields. */
function formatEntries(entries: readonly FeedEntry[]): Uint8Array {
  const known = formatted.get(entries);
  if (known) return known;
  const bytes = deflateRawSync(JSON.stringify(entries.map(({ sequence: _, ...entry }) => entry)), compression);
  formatted.set(entries, bytes);
  return bytes;
}

/** `last` is the number of the last entry. */
function readEntries(item: Item, last: number): FeedEntry[] {
  const bytes = item.recent?.B ?? item.entries?.B;
  const entries: Omit<FeedEntry, 'sequence'>[] = JSON.parse(
    bytes ? inflateRawSync(bytes).toString() : readOldEntries(item),
  );
  return entries.map((entry, index) => ({ sequence: last - entries.length + 1 + index, ...entry }));
}

/** Earlier releases stored text, at first of one event in each item. */
function readOldEntries(item: Item): string {
  if (item.payload) {
    const [id, version] = [readString(item, 'id'), readNumber(item, 'version')];
    return JSON.stringify([{ id, version, ...JSON.parse(readString(item, 'payload')) }]);
  }
  return item.entries?.S ?? `[${readString(item, 'entry')}]`;
}

/** Stores consecutive events as one item: every item write costs capacity. Another instance may store the same or more. */
export function toRunItem({ recent, storedMs }: Head): Item {
  const { sequence: last } = requireValue(recent.at(-1));
  return {
    ...toItemKey(toBucketKey(toBucket(last)), toSequenceKey(last)),
    count: { N: String(recent.length) },
    entries: { B: formatEntries(recent) },
    ...toExpiry(storedMs),
  };
}

/** Items of the first releases contain one event each. */
export function countEvents(item: Item): number {
  return Number(item.count?.N ?? 1);
}

export function toFeedEntries(item: Item): FeedEntry[] {
  return readEntries(item, Number(readString(item, 'sk')));
}

export function toVersionItem(entries: readonly [FeedEntry, ...FeedEntry[]], storedMs: number): Item {
  const [{ data, version, sequence }] = entries;
  return {
    ...toEventKey(data.id, version),
    version: { N: String(version) },
    first_sequence: { N: String(sequence) },
    sequence: { N: String(sequence + entries.length - 1) },
    entries: { B: formatEntries(entries) },
    ...toExpiry(storedMs),
  };
}

/** The key of the item with the events of a version. Items of earlier releases hold one event each. */
export function toEventKey(recordId: string, version: number): Item {
  return toItemKey(toRecordPartition(recordId), `${String(version).padStart(10, '0')}#0`);
}

export const versionPartition = 'told#';

function toRecordPartition(recordId: string): string {
  return versionPartition + recordId;
}

/** Numbers of one record grow with its versions, so the order of the sort keys is that of the numbers. */
export function toRecordRange(
  recordId: string,
  order: (typeof orders)[number],
  position: number,
  nowMs: number,
): Range {
  const { expression, names, values } = buildExpiryFilter(nowMs);
  const isBefore = '(#first < :position OR (attribute_not_exists(#first) AND #sequence < :position))';
  const isAfter = '#sequence > :position';
  return {
    pk: toRecordPartition(recordId),
    prefix: '0',
    ...(order === 'desc' && { order: 'newest first' }),
    filter: {
      expression: `${expression} AND ${order === 'desc' ? isBefore : isAfter}`,
      names: { ...names, '#sequence': 'sequence', ...(order === 'desc' && { '#first': 'first_sequence' }) },
      values: { ...values, ':position': { N: String(position) } },
    },
    size: (item) => toRecordEntries(item, order, position).length,
    maxBytes: maxPageBytes,
  };
}

export function toRecordEntries(item: Item, order: (typeof orders)[number], position: number): FeedEntry[] {
  const entries = readEntries(item, readNumber(item, 'sequence'));
  return entries.filter(({ sequence }) => isWanted(sequence, order, position));
}

export function isWanted(sequence: number, order: (typeof orders)[number], position: number): boolean {
  return order === 'desc' ? sequence < position : sequence > position;
}

/** The last version of a record that has events; 0 if none has. */
export async function findEmittedVersion(store: Pick<ItemStore, 'range'>, recordId: string): Promise<number> {
  const [last] = await store.range({ pk: toRecordPartition(recordId), prefix: '0', order: 'newest first' }, 1);
  return last ? readNumber(last, 'version') : 0;
}

function toExpiry(storedMs: number): Item {
  return { expires_at: { N: String(Math.ceil((storedMs + retentionMs) / 1_000)) } };
}
