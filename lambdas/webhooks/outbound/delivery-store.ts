import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { env } from '../../platform/env.ts';
import { gatherTransactions } from '../../records/gather-calls.ts';
import { createDueFinder, type FindDue } from '../../records/index-store.ts';
import { createItemStore, type ItemStore } from '../../records/item-store.ts';
import type { Item } from '../../records/items.ts';
import { readLog } from '../../records/log-page.ts';
import { type Write, writeWithRetry } from '../../records/write-items.ts';
import { type Delivery, isLost, isOpen, toVisibleDelivery } from './delivery.ts';
import {
  buildCreationWrite,
  buildProgressWrite,
  buildRecoveredWrite,
  deliveryWork,
  listDeliveryRanges,
  listItemKeys,
  listLinkedIds,
  listRecoveryRanges,
  parseItemKey,
  toDelivery,
} from './delivery-item.ts';
import type { OutboundRecord } from './webhook.ts';

// The keys and items are described in delivery-item.ts.

export interface DeliveryKey {
  webhookId: string;
  deliveryId: string;
}

export interface DeliveryStore {
  /** Stores new deliveries. Returns the ids of those that existed. */
  create(deliveries: readonly Delivery[], nowMs: number): Promise<Set<string>>;
  find(key: DeliveryKey): Promise<Delivery | undefined>;
  /** False when the delivery has changed since `before`. */
  record(before: Delivery, after: Delivery, nowMs: number): Promise<boolean>;
  postpone(delivery: Delivery, nowMs: number): Promise<void>;
  /** Lost deliveries since a time that were not recovered, oldest first. `more`: not all of them were read. */
  lost(webhook: OutboundRecord, sinceMs: number, limit: number): Promise<{ deliveries: LostDelivery[]; more: boolean }>;
  /** Stores the replays of lost deliveries. Returns the replays; skips deliveries that were recovered before. */
  recover(recoveries: readonly Recovery[], nowMs: number): Promise<Delivery[]>;
  /** Newest first, without expired ones. */
  latest(webhookId: string, limit: number, nowMs: number): Promise<Delivery[]>;
  due: FindDue;
}

export interface LostDelivery {
  delivery: Delivery;
  /** Another delivery of the same event arrived or is open. */
  isRedundant: boolean;
}

/** A lost delivery and its replay; none if another delivery of the event replaces it. */
export interface Recovery {
  original: Delivery;
  replay?: Delivery;
}

export function createDeliveryStore(): DeliveryStore {
  const { EVENTS_TABLE } = env('EVENTS_TABLE');
  return createDynamoDeliveryStore(dynamodbClient(), EVENTS_TABLE);
}

export function createDynamoDeliveryStore(client: DynamoDBClient, table: string): DeliveryStore {
  const store = createItemStore(client, table);
  const gathered = gatherTransactions(store);
  return {
    async create(deliveries, nowMs) {
      const units = deliveries.map((delivery) => [buildCreationWrite(delivery, nowMs, delivery.id)]);
      return new Set((await writeUnits(store, units)).map(([write]) => write?.name ?? ''));
    },
    async find(key) {
      const item = await findItem(store, key);
      return item && toDelivery(item);
    },
    record: (before, after, nowMs) => writeWithRetry(gathered, [buildProgressWrite(before, after, nowMs, after.id)]),
    async postpone(delivery, nowMs) {
      await writeWithRetry(store, [buildProgressWrite(delivery, delivery, nowMs, 'delivery')]);
    },
    async lost(webhook, sinceMs, limit) {
      const ranges = listRecoveryRanges(webhook.id, sinceMs);
      const { rows, stoppedAt } = await readLog(store, [ranges], { limit: limit + 1, budget: recoveryBudget });
      const inspect = ({ item }: { item: Item }) => inspectLost(store, parseItemKey(item), webhook);
      const deliveries = (await pMap(rows.slice(0, limit), inspect, { concurrency })).flat();
      return { deliveries, more: stoppedAt !== undefined || rows.length > limit };
    },
    async recover(recoveries, nowMs) {
      const units = new Map(recoveries.map((recovery) => [recovery, buildRecoveryWrites(recovery, nowMs)]));
      const failed = new Set(await writeUnits(store, [...units.values()]));
      return recoveries.flatMap((recovery) => {
        const { replay } = recovery;
        const writes = units.get(recovery);
        return replay && writes && !failed.has(writes) ? [replay] : [];
      });
    },
    async latest(webhookId, limit, nowMs) {
      const ranges = listDeliveryRanges(webhookId, nowMs);
      const { rows } = await readLog(store, [ranges], { limit, maxBytes: Number.POSITIVE_INFINITY });
      return rows.slice(0, limit).map(({ item }) => toDelivery(item));
    },
    due: createDueFinder(store, deliveryWork),
  };
}

/** Large, because deliveries of earlier releases are not in the index: their partition is searched to its end. */
const recoveryBudget = { examined: 200_000, queries: 200 };

async function findItem(store: ItemStore, { webhookId, deliveryId }: DeliveryKey): Promise<Item | undefined> {
  for (const { pk, sk } of listItemKeys(webhookId, deliveryId)) {
    const item = await store.get(pk, sk);
    if (item) return item;
  }
  return undefined;
}

/** Follows the links between a lost delivery and its replays, up and down. Returns nothing if the index was outdated. */
async function inspectLost(store: ItemStore, key: DeliveryKey, webhook: OutboundRecord): Promise<LostDelivery[]> {
  const item = await findItem(store, key);
  const delivery = item && toDelivery(item);
  if (!delivery || item.recovered || !isLost(delivery)) return [];
  const seen = new Set([delivery.id]);
  const waiting = listLinkedIds(item);
  for (let id = waiting.pop(); id !== undefined && seen.size < maxLinked; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const linked = await findItem(store, { webhookId: webhook.id, deliveryId: id });
    if (!linked) continue;
    const visible = toVisibleDelivery(toDelivery(linked), webhook);
    if (visible.status === 'delivered' || isOpen(visible)) return [{ delivery, isRedundant: true }];
    waiting.push(...listLinkedIds(linked));
  }
  return [{ delivery, isRedundant: false }];
}

const concurrency = 16;
const maxLinked = 100;

function buildRecoveryWrites({ original, replay }: Recovery, nowMs: number): Write[] {
  const link = buildRecoveredWrite(original, replay?.id ?? original.id);
  return replay ? [link, buildCreationWrite(replay, nowMs, replay.id)] : [link];
}

/** Writes units in as few transactions as possible. Returns the units of which a condition failed. */
async function writeUnits(store: ItemStore, units: readonly Write[][]): Promise<Write[][]> {
  const target = units.length > 1 ? gatherTransactions(store) : store;
  const written = await Promise.all(units.map((unit) => writeWithRetry(target, unit)));
  return units.filter((_, index) => !written[index]);
}
