import type { FeedEntry } from '../../contract/events.ts';
import { type Backoff, backoff } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { type Item, type ItemStore, itemBytes, type Outcome, type Write } from '../records/item-store.ts';
import { fitRows, jsonBytes, maxPageBytes } from '../records/page.ts';
import type { ServiceEvent } from './event.ts';
import {
  bucketKey,
  bucketOf,
  counterKey,
  counterOf,
  counterWrite,
  countOf,
  kept,
  runWrite,
  sequenceKey,
  toFeedEntries,
  toldVersion,
  toldWrite,
} from './event-item.ts';

// The feed of events. Numbers are given in the transaction that stores the events, on condition of the counter, so there
// is no number without an event and no event with two. The same transaction notes, for each record, the version up to
// which it was told; a batch of the stream that comes again is refused there and changes nothing. That holds per record
// and not per place in the stream, because a stream has many shards and only a record's own order is kept across them
// (docs/decisions/0014-events.md).

export interface EventLog {
  /** Stores those that are not in the feed yet, in the order given. */
  append(events: readonly ServiceEvent[]): Promise<void>;
  after(sequence: number, limit: number): Promise<{ entries: FeedEntry[]; latest: number }>;
}

export function eventLog(store: ItemStore, clock: Clock, wait: Backoff = backoff): EventLog {
  let known = 0;
  return {
    async append(events) {
      let left = events;
      for (let tries = 1; left.length > 0; tries++) {
        if (tries > mostTries(events)) throw new Error(`events could not be stored in ${tries} tries`);
        const some = fitting(left);
        const outcome = await store.transact(writesOf(some, known, clock.now()));
        if (outcome.kind === 'written') {
          known += some.length;
          left = left.slice(some.length);
        } else if (outcome.kind === 'conflict') await wait(Math.min(tries, 6));
        else if (outcome.by === 'counter') known = counterOf(outcome.item);
        else left = withoutTold(left, outcome);
      }
    },
    async after(sequence, limit) {
      const latest = counterOf(await store.get(counterKey.pk, counterKey.sk));
      const items = await read(store, sequence, limit, latest, clock.now());
      // The first run may begin before the number asked for, the last one end behind what fits.
      const entries = items.flatMap(toFeedEntries).filter((entry) => entry.sequence > sequence);
      return { entries: [...fitRows(entries, limit, jsonBytes)], latest };
    },
  };
}

/** Every try stores something, drops what was told, or lost against another writer, which happens a few times at most. */
function mostTries(events: readonly ServiceEvent[]): number {
  return 50 + 2 * events.length;
}

/** DynamoDB takes 100 items and 4 MB in one transaction, and 400 KB in an item. */
const mostItems = 100;
const mostBytes = 3_000_000;
/** Well below, because whoever reads one event reads its run. One event alone may be larger. */
const mostRunBytes = 100_000;

/** Whole versions of records from the front, as many as fit. One version has a handful of events. */
function fitting(events: readonly ServiceEvent[]): readonly ServiceEvent[] {
  const records = new Set<string>();
  let bytes = 0;
  const over = events.findIndex(({ recordId, payload }, place) => {
    records.add(recordId);
    bytes += Buffer.byteLength(payload);
    return place > 0 && (1 + records.size + mostRuns(bytes) > mostItems || bytes > mostBytes);
  });
  if (over < 0) return events;
  const { recordId, version } = events[over]!;
  const first = events.findIndex((event) => event.recordId === recordId && event.version === version);
  if (first === 0) throw new Error(`version ${version} of ${recordId} has more events than one transaction takes`);
  return events.slice(0, first);
}

/** Two runs that follow each other hold more than one may, or they would be one. */
function mostRuns(bytes: number): number {
  return 1 + Math.floor((2 * bytes) / mostRunBytes);
}

function writesOf(events: readonly ServiceEvent[], counter: number, nowMs: number): Write[] {
  const versions = new Map<string, { first: number; last: number }>();
  for (const { recordId, version } of events) {
    versions.set(recordId, { first: versions.get(recordId)?.first ?? version, last: version });
  }
  let next = counter + 1;
  return [
    counterWrite(counter, counter + events.length),
    ...[...versions].map(([recordId, range]) => toldWrite(recordId, range, nowMs)),
    ...runsOf(events).map((run) => {
      const write = runWrite(run, next, nowMs);
      next += run.length;
      return write;
    }),
  ];
}

function runsOf(events: readonly ServiceEvent[]): ServiceEvent[][] {
  const runs: ServiceEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const own = Buffer.byteLength(event.payload);
    bytes += own;
    if (runs.length > 0 && bytes <= mostRunBytes) runs.at(-1)!.push(event);
    else {
      runs.push([event]);
      bytes = own;
    }
  }
  return runs;
}

function withoutTold(events: readonly ServiceEvent[], outcome: Outcome & { kind: 'refused' }): ServiceEvent[] {
  const told = toldVersion(outcome.item);
  const left = events.filter(({ recordId, version }) => recordId !== outcome.by || version > told);
  if (left.length === events.length)
    throw new Error(`the condition of "${outcome.by}" did not hold, but nothing was told`);
  return left;
}

/** Runs that hold at least `limit` events after the number, or all that one answer can hold, if there are so many. */
async function read(store: ItemStore, after: number, limit: number, latest: number, nowMs: number): Promise<Item[]> {
  const found: Item[] = [];
  let left = limit;
  let bytes = 0;
  let bucket = bucketOf(after + 1);
  const last = bucketOf(latest);
  const size = (item: Item) => Math.min(countOf(item), Number(item.sk!.S) - after);
  // What is wanted touches two partitions, unless everything in them has expired.
  for (let looks = 0; bucket <= last && left > 0 && bytes <= maxPageBytes && looks < mostLooks; looks++) {
    const range = {
      pk: bucketKey(bucket),
      prefix: '0',
      after: sequenceKey(after),
      filter: kept(nowMs),
      size,
      maxBytes: maxPageBytes,
    };
    const some = await store.range(range, left);
    found.push(...some);
    for (const item of some) {
      left -= size(item);
      bytes += itemBytes(item);
    }
    bucket = found.length > 0 ? bucket + 1 : await oldestBucket(store, bucket + 1, last, nowMs);
  }
  return found;
}

const mostLooks = 40;

/** Events expire from the front, so the partitions that still hold some are those from a certain one on. */
async function oldestBucket(store: ItemStore, from: number, last: number, nowMs: number): Promise<number> {
  let [low, high] = [from, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const some = await store.range({ pk: bucketKey(middle), prefix: '0', filter: kept(nowMs) }, 1);
    if (some.length > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
