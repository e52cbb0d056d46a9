import type { FeedEntry } from '../../contract/events.ts';
import type { Item, Range, Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';
import type { ServiceEvent } from './event.ts';

// | Access pattern                    | Call    | Key                                                      |
// |-----------------------------------|---------|----------------------------------------------------------|
// | the events after a number         | Query   | pk = events#<number div 10,000>, sk = <number, 16 digits>,  |
// |                                   |         | of the last event of a run                               |
// | the highest number                | GetItem | pk = events, sk = counter                                |
// | what was told of a record already | –       | pk = told#<record id>, sk = #, checked by a condition    |

export const keptMs = 30 * 24 * 60 * 60_000;

export const bucketSize = 10_000;

/** Partition of the events with the numbers from bucket × 10,000. */
export function bucketKey(bucket: number): string {
  return `events#${bucket}`;
}

export function bucketOf(sequence: number): number {
  return Math.floor(sequence / bucketSize);
}

/** Sort keys are text, so numbers need leading zeros to be in order. */
export function sequenceKey(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

export const counterKey = { pk: 'events', sk: 'counter' } as const;

/** Events with consecutive numbers in one item: a busy stream brings dozens at once, and each item written costs. */
export function runWrite(events: readonly ServiceEvent[], first: number, nowMs: number): Write {
  const last = first + events.length - 1;
  const put = {
    Item: {
      ...keyOf(bucketKey(bucketOf(last)), sequenceKey(last)),
      count: { N: String(events.length) },
      entries: { S: `[${events.map(entryText).join()}]` },
      ...expiry(nowMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'run', put };
}

/** The payload is JSON as it is delivered; it need not be read to be put into more of it. */
function entryText({ id, version, payload }: ServiceEvent): string {
  return `{"id":"${id}","version":${version},${payload.slice(1)}`;
}

/** Items that were written before there were runs hold one event each. */
export function countOf(item: Item): number {
  return Number(item.count?.N ?? 1);
}

export function toFeedEntries(item: Item): FeedEntry[] {
  const first = Number(item.sk!.S) - countOf(item) + 1;
  const entries = (item.entries ? JSON.parse(item.entries.S!) : [entryOf(item)]) as Omit<FeedEntry, 'sequence'>[];
  return entries.map((entry, place) => ({ sequence: first + place, ...entry }));
}

/** DynamoDB removes an item some time after it expired; it is not shown from that moment on. */
export function kept(nowMs: number): NonNullable<Range['filter']> {
  return {
    expression: '#expires > :now',
    names: { '#expires': 'expires_at' },
    values: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
}

function entryOf({ id, version, payload }: Item): unknown {
  return { id: id!.S, version: Number(version!.N), ...JSON.parse(payload!.S!) };
}

/** Refused unless the counter still has the given value. */
export function counterWrite(from: number, to: number): Write {
  const update = {
    Key: keyOf(counterKey.pk, counterKey.sk),
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

export function counterOf(item: Item | undefined): number {
  return Number(item?.sequence?.N ?? 0);
}

/** Refused when one of the versions from `first` on was told already. */
export function toldWrite(recordId: string, { first, last }: { first: number; last: number }, nowMs: number): Write {
  const put = {
    Item: { ...keyOf(`told#${recordId}`, '#'), version: { N: String(last) }, ...expiry(nowMs) },
    ConditionExpression: 'attribute_not_exists(pk) OR #version < :first',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':first': { N: String(first) } },
  };
  return { name: recordId, put };
}

export function toldVersion(item: Item | undefined): number {
  return Number(item?.version?.N ?? 0);
}

function expiry(nowMs: number): Item {
  return { expires_at: { N: String(Math.ceil((nowMs + keptMs) / 1_000)) } };
}
