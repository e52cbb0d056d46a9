import type { FeedEntry } from '../../contract/events.ts';
import type { orders } from '../../contract/list-query.ts';
import type { Clock } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Backoff, backoff, retry } from '../platform/retry.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, measureItem, readNumber, readString } from '../records/items.ts';
import { fitRows, maxPageBytes, measureJson } from '../records/page.ts';
import { buildExpiryFilter, countNeeded } from '../records/read-items.ts';
import type { ServiceEvent } from '../records/service-event.ts';
import {
  buildHeadWrite,
  countEvents,
  counterKey,
  extendHead,
  type Head,
  isWanted,
  maxRunBytes,
  omitExpired,
  toBucket,
  toBucketKey,
  toEventKey,
  toFeedEntries,
  toHead,
  toRecordEntries,
  toRecordRange,
  toRunItem,
  toSequenceKey,
  toVersionItem,
  versionPartition,
} from './event-items.ts';

// The feed of events. One conditional write stores events, assigns their numbers and advances the counter, so numbers have
// no gaps or duplicates: the newest events are part of the counter's item. Before they leave it, they are stored as a run and
// under their record and version. So an event was emitted if it is in the counter's item or under its version, and
// a repeated stream batch changes nothing. Deduplication is per record, not per stream position, because DynamoDB preserves
// only the order of one record across shards (docs/decisions/0014-events.md).

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
  const readHead = async () => toHead(await store.get(counterKey.pk, counterKey.sk));
  /** As far as this instance knows. */
  let head: Head | undefined;
  /** The versions among the recent events that this instance stored. */
  let storedVersions = new Set<string>();
  const storeVersions = async ({ recent, storedMs }: Head) => {
    const versions = groupByVersion(recent).filter(
      ([{ data, version }]) => !storedVersions.has(`${data.id} ${version}`),
    );
    await store.putMany(versions.map((version) => toVersionItem(version, storedMs)));
    for (const [{ data, version }] of versions) storedVersions.add(`${data.id} ${version}`);
  };
  /** Appends leading events; returns the others. Undefined if another instance appended first. */
  const appendSome = async (events: readonly ServiceEvent[]): Promise<readonly ServiceEvent[] | undefined> => {
    head ??= await readHead();
    const remaining = removeEmitted(events, [...head.recent, ...(await readVersions(store, events))]);
    if (remaining.length === 0) return [];
    const some = takeRun(remaining);
    const added = some.map(({ id, version, payload }, index) => ({
      sequence: requireValue(head).sequence + 1 + index,
      id,
      version,
      ...JSON.parse(payload),
    }));
    const next = extendHead(head, added, clock.now());
    if (head.recent.length > 0 && next.recent[0] !== head.recent[0]) {
      await Promise.all([storeVersions(head), store.putMany([toRunItem(head)])]);
      storedVersions = new Set();
    }
    const outcome = await store.transact([buildHeadWrite(head, next)]);
    if (outcome.kind !== 'written') {
      head = outcome.kind === 'condition_failed' ? toHead(outcome.item) : undefined;
      storedVersions = new Set();
      return undefined;
    }
    head = next;
    await storeVersions(head);
    return remaining.slice(some.length);
  };
  return {
    async append(events) {
      let remaining = events;
      const attempt = async () => {
        remaining = (await appendSome(remaining)) ?? remaining;
        return remaining.length === 0 || undefined;
      };
      await retry(attempt, {
        maxAttempts: getMaxAttempts(events),
        wait: async (number) => (head ? undefined : wait(number)),
        exhausted: () => new Error(`${remaining.length} events could not be stored: too many conflicts`),
      });
    },
    async after(sequence, limit) {
      const { sequence: latest, recent } = omitExpired(await readHead(), clock.now());
      const firstRecent = recent[0]?.sequence ?? latest + 1;
      const items = sequence >= firstRecent - 1 ? [] : await read(store, sequence, limit, latest, clock.now());
      const stored = items.flatMap(toFeedEntries);
      // A page that ends before the recent events does not contain them.
      const isComplete = (stored.at(-1)?.sequence ?? firstRecent) >= firstRecent - 1;
      const all = mergeEntries(stored, isComplete ? recent : []).filter((entry) => entry.sequence > sequence);
      const entries = fitRows(all, limit, measureJson);
      return { entries, latest, isEnd: entries.length === 0 || requireValue(entries.at(-1)).sequence >= latest };
    },
    async listByRecord(recordId, order, position, limit) {
      const { sequence: latest, recent } = omitExpired(await readHead(), clock.now());
      const range = toRecordRange(recordId, order, position, clock.now());
      const items = await store.range(range, limit);
      const isComplete = countNeeded(items, limit, range) === undefined;
      const stored = items.flatMap((item) => toRecordEntries(item, order, position));
      const own = recent.filter(({ data, sequence }) => data.id === recordId && isWanted(sequence, order, position));
      const isAdjacent = isComplete || order === 'desc' || (stored.at(-1)?.sequence ?? 0) >= (own[0]?.sequence ?? 0);
      const all = mergeEntries(stored, isAdjacent ? own : []);
      const entries = fitRows(order === 'desc' ? all.reverse() : all, limit, measureJson);
      return { entries, latest, isEnd: isComplete && entries.length === all.length };
    },
  };
}

/** The lists overlap, because events are stored before they leave the counter's item. */
function mergeEntries(...lists: readonly (readonly FeedEntry[])[]): FeedEntry[] {
  const bySequence = new Map(lists.flat().map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/** Every attempt stores events, drops duplicates, or conflicts with another writer. Conflicts are rare. */
function getMaxAttempts(events: readonly ServiceEvent[]): number {
  return 50 + 2 * events.length;
}

/** Takes leading events that fit into one run, without splitting a version of a record. */
function takeRun(events: readonly ServiceEvent[]): readonly ServiceEvent[] {
  let bytes = 0;
  const over = events.findIndex(({ payload, recordId, version }, index) => {
    bytes += Buffer.byteLength(payload);
    const previous = events[index - 1];
    const isNewVersion = previous && (previous.recordId !== recordId || previous.version !== version);
    return isNewVersion && bytes > maxRunBytes;
  });
  return over < 0 ? events : events.slice(0, over);
}

/** Events of one version are next to each other. */
function groupByVersion(entries: readonly FeedEntry[]): [FeedEntry, ...FeedEntry[]][] {
  const versions: [FeedEntry, ...FeedEntry[]][] = [];
  for (const entry of entries) {
    const [previous] = versions.at(-1) ?? [];
    if (previous?.data.id === entry.data.id && previous.version === entry.version) versions.at(-1)?.push(entry);
    else versions.push([entry]);
  }
  return versions;
}

/** The versions of events that are stored. */
async function readVersions(store: Pick<ItemStore, 'getMany'>, events: readonly ServiceEvent[]): Promise<Emitted[]> {
  const keys = new Map(
    events.map(({ recordId, version }) => [`${recordId} ${version}`, toEventKey(recordId, version)]),
  );
  const items = await store.getMany([...keys.values()], ['pk', 'version']);
  return items.map((item) => ({
    data: { id: readString(item, 'pk').slice(versionPartition.length) },
    version: readNumber(item, 'version'),
  }));
}

type Emitted = Pick<FeedEntry, 'version'> & { data: { id: string } };

/** Versions are emitted in order, so those before an emitted one were emitted, too. */
function removeEmitted(events: readonly ServiceEvent[], emitted: readonly Emitted[]): readonly ServiceEvent[] {
  const last = new Map<string, number>();
  for (const { data, version } of emitted) last.set(data.id, Math.max(version, last.get(data.id) ?? 0));
  return events.filter(({ recordId, version }) => version > (last.get(recordId) ?? 0));
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
