import { createHash } from 'node:crypto';
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import type { DeliveredType, DeliveryStatus } from '../../../contract/deliveries.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { toIso } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { toTimedPrefix } from '../../platform/ids.ts';
import { dueIndex } from '../../records/index-store.ts';
import {
  buildExpiryFilter,
  createItemStore,
  createWriteBatcher,
  type Item,
  type ItemStore,
  type Range,
  readNumber,
  readString,
  type Write,
  writeWithRetry,
} from '../../records/item-store.ts';
import { toItemKey } from '../../records/record-item.ts';
import { type Delivery, isOpen } from './delivery.ts';
import type { OutboundRecord } from './webhook.ts';

// | Access pattern                                | Call    | Key                                             |
// |-----------------------------------------------|---------|-------------------------------------------------|
// | one delivery                                  | GetItem | pk = webhook id, sk = delivery#<id>             |
// | the deliveries of a webhook, newest first     | Query   | pk = webhook id, sk begins with delivery#       |
// | overdue deliveries                            | Query   | index due, due_pk = delivery#<shard>, due_sk up to now |
//
// Ids begin with a time that counts down, so that the newest comes first.

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
  /** Newest first, at most `limit`. */
  since(webhookId: string, sinceMs: number, limit: number): Promise<Delivery[]>;
  /** Newest first, without expired ones. */
  latest(webhookId: string, limit: number, nowMs: number): Promise<Delivery[]>;
  due(nowMs: number): AsyncIterable<DeliveryKey[]>;
}

export function createDeliveryStore(): DeliveryStore {
  const { EVENTS_TABLE } = env('EVENTS_TABLE');
  return createDynamoDeliveryStore(dynamodbClient(), EVENTS_TABLE);
}

export function createDynamoDeliveryStore(client: DynamoDBClient, table: string): DeliveryStore {
  const store = createItemStore(client, table);
  const record = createWriteBatcher(store);
  return {
    create: (deliveries, nowMs) => create(store, deliveries, nowMs),
    async find({ webhookId, deliveryId }) {
      const item = await store.get(webhookId, deliveryPrefix + deliveryId);
      return item && toDelivery(item);
    },
    record: (before, after, nowMs) => record(buildProgressWrite(before, after, nowMs, after.id)),
    async postpone(delivery, nowMs) {
      await writeWithRetry(store, [buildPostponeWrite(delivery, nowMs)]);
    },
    async since(webhookId, sinceMs, limit) {
      const items = await store.range({ pk: webhookId, prefix: deliveryPrefix }, limit);
      const end = `${deliveryPrefix}${toTimedPrefix('delivery', sinceMs)}~`;
      return items.filter((item) => readString(item, 'sk') <= end).map(toDelivery);
    },
    async latest(webhookId, limit, nowMs) {
      const items = await store.range({ pk: webhookId, prefix: deliveryPrefix }, limit);
      return items.filter((item) => readNumber(item, 'expires_at') * 1_000 > nowMs).map(toDelivery);
    },
    due: (nowMs) => due(client, table, nowMs),
  };
}

/** DynamoDB takes 100 items and 4 MB in one transaction. */
const maxItems = 100;
const maxBytes = 3_000_000;

async function create(store: ItemStore, deliveries: readonly Delivery[], nowMs: number): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const some of splitIntoBatches(deliveries)) {
    const writes = some.map((delivery) => buildCreationWrite(delivery, nowMs, delivery.id));
    if (await writeWithRetry(store, writes)) continue;
    // Some exist, because this is a retry. Store them one by one to find out which.
    await Promise.all(
      writes.map(async (write) => {
        if (!(await writeWithRetry(store, [write]))) existing.add(write.name);
      }),
    );
  }
  return existing;
}

function splitIntoBatches(deliveries: readonly Delivery[]): Delivery[][] {
  const batches: Delivery[][] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const size = Buffer.byteLength(delivery.payload);
    const current = batches.at(-1);
    if (current && current.length < maxItems && bytes + size <= maxBytes) {
      current.push(delivery);
      bytes += size;
    } else {
      batches.push([delivery]);
      bytes = size;
    }
  }
  return batches;
}

const duePageSize = 100;
const maxDuePages = 20;

async function* due(client: DynamoDBClient, table: string, nowMs: number): AsyncIterable<DeliveryKey[]> {
  for (let shard = 0; shard < dueShards; shard++) {
    let start: QueryCommandOutput['LastEvaluatedKey'];
    for (let pages = 0; pages < maxDuePages; pages++) {
      const response: QueryCommandOutput = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: dueIndex,
          KeyConditionExpression: 'due_pk = :shard AND due_sk <= :now',
          ExpressionAttributeValues: {
            ':shard': { S: toDuePartition(shard) },
            ':now': { S: `${toIso(nowMs)}~` },
          },
          Limit: duePageSize,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      yield (response.Items ?? []).map((item) => ({
        webhookId: readString(item, 'pk'),
        deliveryId: readString(item, 'sk').slice(deliveryPrefix.length),
      }));
      start = response.LastEvaluatedKey;
      if (!start) break;
    }
  }
}

// Converts deliveries to items and back. The payload is a separate attribute, so that an attempt does not rewrite it.

export const deliveryPrefix = 'delivery#';

const retentionMs = 30 * 24 * 60 * 60_000;

/** The redrive checks deliveries that are open for longer than this. */
const redriveAfterMs = 10 * 60_000;

export const dueShards = 4;

export function toDuePartition(shard: number): string {
  return `delivery#${shard}`;
}

export function toDeliveryKey(webhookId: string, deliveryId: string): Item {
  return toItemKey(webhookId, deliveryPrefix + deliveryId);
}

export function toDelivery(item: Item): Delivery {
  return { ...JSON.parse(readString(item, 'delivery')), payload: readString(item, 'payload') };
}

/** Fails when the delivery exists. The write is named after its index in the transaction. */
export function buildCreationWrite(delivery: Delivery, nowMs: number, name: string): Write {
  const Item = {
    ...toDeliveryKey(delivery.webhook_id, delivery.id),
    ...toChangingAttributes(delivery),
    event: { S: delivery.event },
    created_at: { S: delivery.created_at },
    payload: { S: delivery.payload },
    expires_at: { N: String(Math.ceil((Date.parse(delivery.created_at) + retentionMs) / 1_000)) },
    ...toDueKeys(delivery, nowMs),
  };
  return { name, put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** Fails when the delivery has changed since `before`. */
export function buildProgressWrite(before: Delivery, after: Delivery, nowMs: number, name: string): Write {
  const set = Object.entries({ ...toChangingAttributes(after), ...toDueKeys(after, nowMs) });
  const update = {
    Key: toDeliveryKey(after.webhook_id, after.id),
    UpdateExpression:
      `SET ${set.map((_, place) => `#${place} = :${place}`).join(', ')}` +
      (isOpen(after) ? '' : ' REMOVE due_pk, due_sk'),
    ConditionExpression: '#status = :before AND attempts_made = :made',
    ExpressionAttributeNames: {
      ...Object.fromEntries(set.map(([attribute], place) => [`#${place}`, attribute])),
      '#status': 'status',
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map(([, value], place) => [`:${place}`, value])),
      ':before': { S: before.status },
      ':made': { N: String(before.attempts.length) },
    },
  };
  return { name, update };
}

/** Postpones the next check of an open delivery. */
export function buildPostponeWrite(delivery: Delivery, nowMs: number): Write {
  return buildProgressWrite(delivery, delivery, nowMs, 'delivery');
}

function toChangingAttributes({ payload: _, ...delivery }: Delivery): Item {
  return {
    delivery: { S: JSON.stringify(delivery) },
    status: { S: delivery.status },
    attempts_made: { N: String(delivery.attempts.length) },
  };
}

function toDueKeys(delivery: Delivery, nowMs: number): Item {
  if (!isOpen(delivery)) return {};
  const fromMs = Math.max(nowMs, delivery.next_attempt_at === null ? 0 : Date.parse(delivery.next_attempt_at));
  const shard = (createHash('sha256').update(delivery.id).digest()[0] ?? 0) % dueShards;
  return {
    due_pk: { S: toDuePartition(shard) },
    due_sk: { S: `${toIso(fromMs + redriveAfterMs)}#${delivery.id}` },
  };
}

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: DeliveredType | undefined;
}

/** The deliveries of a webhook that match a filter, newest first. A delivery stored as open may have been cancelled. */
export function buildDeliveryRange(webhook: OutboundRecord, { status, event }: DeliveryFilter, nowMs: number): Range {
  const { expression, names, values } = buildExpiryFilter(nowMs);
  const conditions = [
    expression,
    ...(event ? ['#event = :event'] : []),
    ...(status ? [buildStatusCondition(status, webhook)] : []),
  ];
  const used = conditions.join(' AND ');
  const attributes = { '#event': 'event', '#status': 'status', '#created': 'created_at' };
  const operands: Item = {
    ':event': { S: event ?? '' },
    ':status': { S: status ?? '' },
    ':ping': { S: 'ping' },
    ':pending': { S: 'pending' },
    ':retrying': { S: 'retrying' },
    ':since': { S: webhook.document.active_since },
  };
  // DynamoDB rejects names and values that no condition uses.
  return {
    pk: webhook.id,
    prefix: deliveryPrefix,
    filter: {
      expression: used,
      names: { ...names, ...pickUsed(used, attributes) },
      values: { ...values, ...pickUsed(used, operands) },
    },
  };
}

/** The same rule as `isStopped`, as a DynamoDB expression. */
function buildStatusCondition(status: DeliveryStatus, { document }: OutboundRecord): string {
  const wanted = document.active ? '(#event = :ping OR #created >= :since)' : '#event = :ping';
  if (status === 'pending' || status === 'retrying') return `#status = :status AND ${wanted}`;
  if (status !== 'cancelled') return '#status = :status';
  return `(#status = :status OR (#status IN (:pending, :retrying) AND NOT ${wanted}))`;
}

function pickUsed<Value>(text: string, all: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
}
