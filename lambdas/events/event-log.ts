import type { FeedEntry } from '../../contract/events.ts';
import type { orders } from '../../contract/list-query.ts';
import type { Clock } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Backoff, backoff, retry } from '../platform/retry.ts';
import {
  buildExpiryFilter,
  countNeeded,
  type Item,
  type ItemStore,
  measureItem,
  type Outcome,
  type Range,
  readNumber,
  readString,
  type Write,
} from '../records/item-store.ts';
import { fitRows, groupBySize, maxPageBytes, measureJson } from '../records/page.ts';
import { toItemKey } from '../records/record-item.ts';
import type { ServiceEvent } from '../records/service-event.ts';

// The feed of events. The transaction that stores events also increments the counter on the condition of its old value, so
// sequence numbers have no gaps or duplicates. The same transaction stores the events under their record and version; a repeated
// stream batch finds them there and changes nothing. Deduplication is per record, not per stream position,
// because DynamoDB preserves only the order of one record across shards (docs/decisions/0014-events.md).

export interface EventLog {
  /** Stores the events that are not in the feed yet, in the given order. */
  append(events: readonly ServiceEvent[]): Promise<void>;
  after(sequence: number, limit: number): Promise<FeedRead>;
  /** The events of one record: with `asc` after the number, with `desc` before it. */
  listByRecord(recordId: string, order: (typeof orders)[number], position: number, limit: number): Promise<FeedRead>;
}

interface FeedRead {
  entries: readonly FeedEntry[];
  latest: number;
  /** Whether no entries are left in this direction. */
  isEnd: boolean;
}

export function createEventLog(store: ItemStore, clock: Clock, wait: Backoff = backoff): EventLog {
  let known = 0;
  return {
    async append(events) {
      let remaining = events;
      let hasConflict = false;
      const attempt = async () => {
        if (remaining.length === 0) return true;
        const some = takeFitting(remaining);
        const outcome = await store.transact(toWrites(some, known, clock.now()));
        hasConflict = outcome.kind === 'conflict';
        if (outcome.kind === 'written') {
          known += some.length;
          remaining = remaining.slice(some.length);
        } else if (outcome.kind === 'condition_failed') {
          if (outcome.failedWrite === 'counter') known = toCounter(outcome.item);
          else remaining = removeEmitted(remaining, outcome);
        }
        return remaining.length === 0 || undefined;
      };
      await retry(attempt, {
        maxAttempts: getMaxAttempts(events),
        wait: async (number) => (hasConflict ? wait(number) : undefined),
        exhausted: () => new Error(`${remaining.length} events could not be stored: too many conflicts`),
      });
    },
    async after(sequence, limit) {
      const latest = toCounter(await store.get(counterKey.pk, counterKey.sk));
      const items = await read(store, sequence, limit, latest, clock.now());
      // The first run may begin before the requested number, and the last run may exceed the page.
      const all = items.flatMap(toFeedEntries).filter((entry) => entry.sequence > sequence);
      const entries = fitRows(all, limit, measureJson);
      return { entries, latest, isEnd: entries.length === 0 || requireValue(entries.at(-1)).sequence >= latest };
    },
    async listByRecord(recordId, order, position, limit) {
      const latest = toCounter(await store.get(counterKey.pk, counterKey.sk));
      const range = toRecordRange(recordId, order, position, clock.now());
      const items = await store.range(range, limit);
      const all = items.flatMap((item) => toRecordEntries(item, order, position));
      const entries = fitRows(all, limit, measureJson);
      const isEnd = countNeeded(items, limit, range) === undefined && entries.length === all.length;
      return { entries, latest, isEnd };
    },
  };
}

/** Every attempt stores events, drops duplicates, or conflicts with another writer. Conflicts are rare. */
function getMaxAttempts(events: readonly ServiceEvent[]): number {
  return 50 + 2 * events.length;
}

/** DynamoDB takes 100 items and 4 MB in one transaction, and 400 KB in an item. Every event is stored twice. */
const maxItems = 100;
const maxBytes = 1_800_000;
/** Small, because reading one event reads its whole run. A single event may be larger. */
const maxRunBytes = 100_000;

/** Takes leading events that fit into one transaction, without splitting a version of a record. */
function takeFitting(events: readonly ServiceEvent[]): readonly ServiceEvent[] {
  let bytes = 0;
  const over = events.findIndex(({ payload }, index) => {
    bytes += Buffer.byteLength(payload);
    return index > 0 && (1 + index + 1 + countMaxRuns(bytes) > maxItems || bytes > maxBytes);
  });
  if (over < 0) return events;
  const { recordId, version } = requireValue(events[over]);
  const first = events.findIndex((event) => event.recordId === recordId && event.version === version);
  if (first === 0) throw new Error(`version ${version} of ${recordId} has more events than one transaction takes`);
  return events.slice(0, first);
}

/** Two consecutive runs together exceed the size of one run; otherwise they would have been merged. */
function countMaxRuns(bytes: number): number {
  return 1 + Math.floor((2 * bytes) / maxRunBytes);
}

function toWrites(events: readonly ServiceEvent[], counter: number, nowMs: number): Write[] {
  let next = counter + 1;
  let last = counter;
  return [
    buildCounterWrite(counter, counter + events.length),
    ...groupByVersion(events).map((version) => {
      last += version.length;
      return buildVersionWrite(version, last, nowMs);
    }),
    ...groupBySize(events, maxRunBytes, ({ payload }) => Buffer.byteLength(payload)).map((run) => {
      const write = buildRunWrite(run, next, nowMs);
      next += run.length;
      return write;
    }),
  ];
}

/** Events of one version are next to each other. */
function groupByVersion(events: readonly ServiceEvent[]): ServiceEvent[][] {
  const versions: ServiceEvent[][] = [];
  for (const event of events) {
    const [previous] = versions.at(-1) ?? [];
    if (previous?.recordId === event.recordId && previous.version === event.version) versions.at(-1)?.push(event);
    else versions.push([event]);
  }
  return versions;
}

function removeEmitted(
  events: readonly ServiceEvent[],
  outcome: Outcome & { kind: 'condition_failed' },
): ServiceEvent[] {
  const emitted = events.find((event) => event.id === outcome.failedWrite);
  const remaining = events.filter(
    ({ recordId, version }) => recordId !== emitted?.recordId || version > emitted.version,
  );
  if (remaining.length === events.length)
    throw new Error(`the condition of "${outcome.failedWrite}" did not hold, but no event was emitted`);
  return remaining;
}

/** Reads runs with at least `limit` events after the number, or with as many as fit into one response. */
async function read(store: ItemStore, after: number, limit: number, latest: number, nowMs: number): Promise<Item[]> {
  const found: Item[] = [];
  let remaining = limit;
  let bytes = 0;
  let bucket = toBucket(after + 1);
  const last = toBucket(latest);
  const size = (item: Item) => Math.min(countEvents(item), Number(readString(item, 'sk')) - after);
  // A page spans at most two partitions, unless all events in them have expired.
  for (let reads = 0; bucket <= last && remaining > 0 && bytes <= maxPageBytes && reads < maxReads; reads++) {
    const range = {
      pk: toBucketKey(bucket),
      prefix: '0',
      after: toSequenceKey(after),
      filter: buildExpiryFilter(nowMs),
      size,
      maxBytes: maxPageBytes,
    };
    const some = await store.range(range, remaining);
    found.push(...some);
    for (const item of some) {
      remaining -= size(item);
      bytes += measureItem(item);
    }
    bucket = found.length > 0 ? bucket + 1 : await findOldestBucket(store, bucket + 1, last, nowMs);
  }
  return found;
}

const maxReads = 40;

/** The oldest events expire first, so a binary search finds the first partition that has events. */
async function findOldestBucket(store: ItemStore, from: number, last: number, nowMs: number): Promise<number> {
  let [low, high] = [from, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const some = await store.range({ pk: toBucketKey(middle), prefix: '0', filter: buildExpiryFilter(nowMs) }, 1);
    if (some.length > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

// | Access pattern                    | Call    | Key                                                      |
// |-----------------------------------|---------|----------------------------------------------------------|
// | the events after a number         | Query   | pk = events#<number div 10,000>, sk = <number, 16 digits>,  |
// |                                   |         | of the last event of a run                               |
// | the highest number                | GetItem | pk = events, sk = counter                                |
// | the events of a record            | Query   | pk = told#<record id>, sk = <version, 10 digits>#0       |

export const retentionMs = 30 * 24 * 60 * 60_000;

export const bucketSize = 10_000;

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

/** Stores consecutive events as one item: a batch can contain dozens of events, and every item write costs capacity. */
export function buildRunWrite(events: readonly ServiceEvent[], first: number, nowMs: number): Write {
  const last = first + events.length - 1;
  const put = {
    Item: {
      ...toItemKey(toBucketKey(toBucket(last)), toSequenceKey(last)),
      count: { N: String(events.length) },
      entries: { S: `[${events.map(formatEntry).join()}]` },
      ...toExpiry(nowMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'run', put };
}

/** The payload is JSON, so it can be embedded without parsing it. */
function formatEntry({ id, version, payload }: ServiceEvent): string {
  return `{"id":"${id}","version":${version},${payload.slice(1)}`;
}

/** Items of earlier releases contain one event each. */
export function countEvents(item: Item): number {
  return Number(item.count?.N ?? 1);
}

export function toFeedEntries(item: Item): FeedEntry[] {
  const first = Number(readString(item, 'sk')) - countEvents(item) + 1;
  const entries: Omit<FeedEntry, 'sequence'>[] = item.entries
    ? JSON.parse(readString(item, 'entries'))
    : [toEntry(item)];
  return entries.map((entry, index) => ({ sequence: first + index, ...entry }));
}

function toEntry(item: Item): Omit<FeedEntry, 'sequence'> {
  const { id, version } = { id: readString(item, 'id'), version: readNumber(item, 'version') };
  return { id, version, ...JSON.parse(readString(item, 'payload')) };
}

/** Fails unless the counter still has the given value. */
export function buildCounterWrite(from: number, to: number): Write {
  const update = {
    Key: toItemKey(counterKey.pk, counterKey.sk),
    UpdateExpression: 'SET #sequence = :to',
    ConditionExpression: from === 0 ? 'attribute_not_exists(pk)' : '#sequence = :from',
    ExpressionAttributeNames: { '#sequence': 'sequence' },
    ExpressionAttributeValues: {
      ':to': { N: String(to) },
      ...(from === 0 ? {} : { ':from': { N: String(from) } }),
    },
  };
  return { name: 'counter', update };
}

export function toCounter(item: Item | undefined): number {
  return Number(item?.sequence?.N ?? 0);
}

/** Fails when the version was already emitted. `last` is the number of its last event. */
function buildVersionWrite(events: readonly ServiceEvent[], last: number, nowMs: number): Write {
  const { id, recordId, version } = requireValue(events[0]);
  const put = {
    Item: {
      ...toEventKey(recordId, version),
      version: { N: String(version) },
      first_sequence: { N: String(last - events.length + 1) },
      sequence: { N: String(last) },
      entries: { S: `[${events.map(formatEntry).join()}]` },
      ...toExpiry(nowMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: id, put };
}

/** The key of the item with the events of a version. Items of earlier releases hold one event each. */
export function toEventKey(recordId: string, version: number): Item {
  return toItemKey(toRecordPartition(recordId), `${String(version).padStart(10, '0')}#0`);
}

function toRecordPartition(recordId: string): string {
  return `told#${recordId}`;
}

/** Numbers of one record grow with its versions, so the order of the sort keys is that of the numbers. */
function toRecordRange(recordId: string, order: (typeof orders)[number], position: number, nowMs: number): Range {
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

function toRecordEntries(item: Item, order: (typeof orders)[number], position: number): FeedEntry[] {
  const entries: Omit<FeedEntry, 'sequence'>[] = item.entries
    ? JSON.parse(readString(item, 'entries'))
    : [JSON.parse(readString(item, 'entry'))];
  const first = readNumber(item, 'sequence') - entries.length + 1;
  const numbered = entries.map((entry, index) => ({ sequence: first + index, ...entry }));
  return order === 'desc'
    ? numbered.filter(({ sequence }) => sequence < position).reverse()
    : numbered.filter(({ sequence }) => sequence > position);
}

/** The last version of a record that has events; 0 if none has. */
export async function findEmittedVersion(store: Pick<ItemStore, 'range'>, recordId: string): Promise<number> {
  const [last] = await store.range({ pk: toRecordPartition(recordId), prefix: '0', order: 'newest first' }, 1);
  return last ? readNumber(last, 'version') : 0;
}

function toExpiry(nowMs: number): Item {
  return { expires_at: { N: String(Math.ceil((nowMs + retentionMs) / 1_000)) } };
}
