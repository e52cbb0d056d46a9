// Sets the records of a stack's table back to the state of a table that DynamoDB restored to a point in time. Each record
// that differs gets the earlier state as a new version, and a record created later is deleted in the usual way. So
// versions, event ids and feed keys only grow: history, events, deliveries, lists and the search index follow as after any
// other change (docs/decisions/0090-a-restore-is-a-change.md).
import { isDeepStrictEqual } from 'node:util';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { findEmittedVersion, toEventKey } from '../lambdas/events/event-items.ts';
import { toIso } from '../lambdas/platform/clock.ts';
import { listResources } from '../lambdas/record-types.ts';
import { historyPrefix } from '../lambdas/records/history.ts';
import { createItemStore, type ItemStore } from '../lambdas/records/item-store.ts';
import { type Item, readString } from '../lambdas/records/items.ts';
import type { Author, RecordType, StoredRecord } from '../lambdas/records/record.ts';
import { buildReplacement, recordSortKey, toItemKey, toRecord } from '../lambdas/records/record-item.ts';
import { type Write, writeWithRetry } from '../lambdas/records/write-items.ts';
import type { SlaMinutes } from '../lambdas/sla/level-set.ts';
import { buildLevelWrites, createLevels, readLevels } from '../lambdas/sla/level-store.ts';
import { inboundWebhookType } from '../lambdas/webhooks/inbound/webhook.ts';
import { type OutboundRecord, outboundWebhookType } from '../lambdas/webhooks/outbound/webhook.ts';
import { buildListWrite } from '../lambdas/webhooks/outbound/webhook-list.ts';
import { UsageError } from './server/settings.ts';

export interface RewindOptions {
  client: DynamoDBClient;
  /** The stack's table of records, its table of events, and the restored table of records. */
  tables: { records: string; events: string; restored: string };
  minutes: SlaMinutes;
  now(): number;
  /** Without it, nothing is written. */
  apply: boolean;
}

export interface RewindReport {
  /** Records that got their earlier state as a new version. */
  rewound: number;
  /** Records that were created later. */
  removed: number;
  /** Notes, settings and guards that were written or deleted. */
  parts: number;
  /** Records that somebody changed in the meantime; run the tool again. */
  conflicts: number;
}

export async function rewindRecords(options: RewindOptions): Promise<RewindReport> {
  const { client, tables } = options;
  const report: RewindReport = { rewound: 0, removed: 0, parts: 0, conflicts: 0 };
  const rewind = createRewinder(options, report);
  for await (const items of scan(client, tables.restored)) await rewind.restore(items);
  for await (const items of scan(client, tables.records)) await rewind.removeLater(items);
  await rewindLevels(options, report);
  // The next sweep applies the current SLA minutes to the incidents of that time.
  if (options.apply) await remove(client, tables.records, toItemKey('sla-policy', 'progress'));
  return report;
}

/** Policies and calendars are also stored together. Records name revisions, so the earlier state is the next one. */
async function rewindLevels({ client, tables, minutes, apply }: RewindOptions, report: RewindReport): Promise<void> {
  const store = createItemStore(client, tables.records);
  const current = await readLevels(store, minutes);
  const { policies, calendars } = await readLevels(createItemStore(client, tables.restored), minutes);
  if (isDeepStrictEqual([current.policies, current.calendars], [policies, calendars])) return;
  report.parts++;
  const writes = buildLevelWrites(current, { ...current, policies, calendars });
  if (apply && !(await writeWithRetry(store, writes))) report.conflicts++;
}

const author: Author = { actor: 'restore', origin: { kind: 'restore', id: null } };
const concurrency = 8;

function createRewinder(options: RewindOptions, report: RewindReport) {
  const { client, tables, minutes, now, apply } = options;
  const store = createItemStore(client, tables.records);
  const eventStore = createItemStore(client, tables.events);
  const restoredStore = createItemStore(client, tables.restored);
  const levels = createLevels(store, minutes, { now });
  const all = [...listResources(levels), inboundWebhookType, outboundWebhookType] as unknown as RecordType<unknown>[];
  const types = new Map(all.map((type) => [type.name, type]));
  const findType = (item: Item): RecordType<unknown> => {
    const type = types.get(readString(item, 'type'));
    if (!type) throw new UsageError(`${readString(item, 'pk')} has a type that this release does not know.`);
    return type;
  };

  /** Writes an earlier state as the next version. */
  const replace = async (live: Item | undefined, state: Item, version: number, deleted: boolean) => {
    const type = findType(state);
    const atMs = Math.max(now(), Date.parse(live?.updated_at?.S ?? '') + 1 || 0);
    const record = { ...toRecord(state), deleted, version, updated_at: toIso(atMs) };
    await type.prepare?.(record);
    const list = type.name === outboundWebhookType.name ? [buildListWrite(record as OutboundRecord)] : [];
    const writes: Write[] = [
      ...buildReplacement(type, live && toComparable(type, live, state), record, author),
      ...list,
    ];
    if (apply && !(await writeWithRetry(store, writes))) report.conflicts++;
    else report[deleted && state === live ? 'removed' : 'rewound']++;
  };
  const put = async (item: Item) => {
    report.parts++;
    if (apply) await client.send(new PutItemCommand({ TableName: tables.records, Item: item }));
  };
  const drop = async (item: Item) => {
    report.parts++;
    if (apply) await remove(client, tables.records, toKey(item));
  };

  const restoreRecords = async (records: readonly Item[]) => {
    const live = await read(store, records.map(toKey));
    const getVersion = (item: Item) => Math.max(toVersion(item), toVersion(live.get(formatKey(item))));
    // Events of a later version remain if an earlier state was written by hand.
    const toLaterKey = (item: Item) => toEventKey(readString(item, 'pk'), getVersion(item) + 1);
    const later = await read(eventStore, records.map(toLaterKey));
    const restoreRecord = async (item: Item) => {
      const id = readString(item, 'pk');
      const current = live.get(formatKey(item));
      const isSame = current !== undefined && isSameState(current, item);
      if (isSame && !later.has(formatKey(toLaterKey(item)))) return;
      const [last] = await store.range({ pk: id, prefix: historyPrefix, order: 'newest first' }, 1);
      const known = Math.max(
        getVersion(item),
        await findEmittedVersion(eventStore, id),
        last ? Number(readString(last, 'sk').slice(historyPrefix.length)) : 0,
      );
      // A record that is gone returns under its last known version, so that it is not announced as new.
      await replace(current, item, current ? known + 1 : known, item.deleted?.BOOL === true);
    };
    await pMap(records, restoreRecord, { concurrency });
  };

  return {
    /** Restores what the items of the restored table describe. */
    async restore(items: readonly Item[]) {
      await restoreRecords(items.filter(isRecord));
      const others = items.filter((item) => !isRecord(item) && (isSetting(item) || isGuard(item)));
      const live = await read(store, others.map(toKey));
      const isNeeded = (item: Item) => {
        const current = live.get(formatKey(item));
        return !current || (isGuard(item) && !isDeepStrictEqual(current, item));
      };
      await pMap(others.filter(isNeeded), put, { concurrency });
    },
    /** Removes what the restored table does not contain. */
    async removeLater(items: readonly Item[]) {
      const candidates = items.filter(
        (item) => (isRecord(item) && item.deleted?.BOOL !== true) || isNote(item) || isGuard(item) || isClaim(item),
      );
      const owners = candidates.filter(isNote).map((item) => toItemKey(readString(item, 'pk'), recordSortKey));
      const restored = await read(restoredStore, [...candidates.map(toKey), ...owners]);
      const removeItem = async (item: Item) => {
        if (restored.has(formatKey(item))) return;
        if (isRecord(item) && isReadable(item)) return replace(item, item, toVersion(item) + 1, true);
        // Notes of a record that was created later stay with it.
        if (isNote(item) && !restored.has(formatKey(toItemKey(readString(item, 'pk'), recordSortKey)))) return;
        await drop(item);
      };
      await pMap(candidates, removeItem, { concurrency });
    },
  };
}

// The kinds of items (docs/data-model.md). Everything else stays: jobs, received events, notifications and the search
// index describe what happened or are derived, and a restored job would run again.

function isRecord({ sk, feed_pk, document }: Item): boolean {
  return sk?.S === recordSortKey && feed_pk !== undefined && document !== undefined;
}

function isNote({ sk }: Item): boolean {
  return sk?.S?.startsWith('note#') === true;
}

/** Restored only if it is missing. */
function isSetting({ pk, sk }: Item): boolean {
  const isPart = ['note#', 'quoted#', historyPrefix].some((prefix) => sk?.S?.startsWith(prefix));
  return isPart || pk?.S === 'api-keys' || /^(?:preferences|notification#reader)#/.test(pk?.S ?? '');
}

/** Refers to a record, so it must have the same age. */
function isGuard({ pk }: Item): boolean {
  return /^(?:dedup|ci-name)#/.test(pk?.S ?? '');
}

/** Marks a request whose effect was removed; its sender may repeat it. */
function isClaim({ pk }: Item): boolean {
  return /^(?:body|idempotency)#/.test(pk?.S ?? '');
}

function isReadable(item: Item): boolean {
  try {
    return toRecord(item).created_at !== '';
  } catch {
    return false;
  }
}

/** The record that is replaced, for the changes in the history. A damaged one counts as equal. */
function toComparable(type: RecordType<unknown>, live: Item, state: Item): StoredRecord<unknown> {
  try {
    const record = toRecord(live);
    type.changes(record.document, toRecord(state).document);
    return record;
  } catch {
    return { ...toRecord(state), version: toVersion(live) };
  }
}

function isSameState(one: Item, other: Item): boolean {
  if (!isReadable(one)) return false;
  const [left, right] = [one, other].map((item) => {
    const { document, deleted, notes_count, private_notes_count } = toRecord(item);
    return { document, deleted, notes_count, private_notes_count };
  });
  return isDeepStrictEqual(left, right);
}

function toVersion(item: Item | undefined): number {
  return Number(item?.version?.N ?? 0);
}

function toKey({ pk, sk }: Item): Item {
  return toItemKey(pk?.S ?? '', sk?.S ?? '');
}

function formatKey({ pk, sk }: Item): string {
  return `${pk?.S}|${sk?.S}`;
}

async function remove(client: DynamoDBClient, TableName: string, Key: Item): Promise<void> {
  await client.send(new DeleteItemCommand({ TableName, Key }));
}

/** Reaching it means that pagination loops. */
const maxPages = 10_000_000;

async function* scan(client: DynamoDBClient, TableName: string): AsyncIterable<Item[]> {
  let start: ScanCommandOutput['LastEvaluatedKey'];
  for (let page = 0; page < maxPages; page++) {
    const { Items = [], LastEvaluatedKey }: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield Items;
    if (!LastEvaluatedKey) return;
    start = LastEvaluatedKey;
  }
  throw new Error(`the scan of ${TableName} does not end`);
}

async function read(store: Pick<ItemStore, 'getMany'>, keys: readonly Item[]): Promise<Map<string, Item>> {
  const unique = new Map(keys.map((key) => [formatKey(key), key]));
  const items = await store.getMany([...unique.values()]);
  return new Map(items.map((item) => [formatKey(item), item]));
}
