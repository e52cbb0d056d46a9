import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { timedPrefix } from '../platform/ids.ts';
import { dueIndex } from '../records/index-store.ts';
import { type ItemStore, itemStore, written, writtenTogether } from '../records/item-store.ts';
import type { Delivery } from './delivery.ts';
import {
  creation,
  deliveryPrefix,
  duePartition,
  dueShards,
  postponement,
  progress,
  toDelivery,
} from './delivery-item.ts';

// | Access pattern                                | Call    | Key                                             |
// |-----------------------------------------------|---------|-------------------------------------------------|
// | one delivery                                  | GetItem | pk = webhook id, sk = delivery#<id>             |
// | the deliveries of a webhook, newest first     | Query   | pk = webhook id, sk begins with delivery#       |
// | deliveries that should have come further      | Query   | index due, due_pk = delivery#<shard>, due_sk up to now |
//
// Ids begin with a time that counts down, so that the newest comes first.

export interface DeliveryKey {
  webhookId: string;
  deliveryId: string;
}

export interface DeliveryStore {
  /** Stores those that do not exist; the ids of those that did. */
  create(deliveries: readonly Delivery[], nowMs: number): Promise<Set<string>>;
  find(key: DeliveryKey): Promise<Delivery | undefined>;
  /** False when the delivery had come further than `before` meanwhile. */
  record(before: Delivery, after: Delivery, nowMs: number): Promise<boolean>;
  postpone(delivery: Delivery, nowMs: number): Promise<void>;
  /** Newest first, at most `limit`. */
  since(webhookId: string, sinceMs: number, limit: number): Promise<Delivery[]>;
  due(nowMs: number): AsyncIterable<DeliveryKey[]>;
}

export function createDeliveryStore(): DeliveryStore {
  const { EVENTS_TABLE } = env('EVENTS_TABLE');
  return deliveryStore(dynamodbClient(), EVENTS_TABLE);
}

export function deliveryStore(client: DynamoDBClient, table: string): DeliveryStore {
  const store = itemStore(client, table);
  const record = writtenTogether(store);
  return {
    create: (deliveries, nowMs) => create(store, deliveries, nowMs),
    async find({ webhookId, deliveryId }) {
      const item = await store.get(webhookId, deliveryPrefix + deliveryId);
      return item && toDelivery(item);
    },
    record: (before, after, nowMs) => record(progress(before, after, nowMs, after.id)),
    async postpone(delivery, nowMs) {
      await written(store, [postponement(delivery, nowMs)]);
    },
    async since(webhookId, sinceMs, limit) {
      const items = await store.range({ pk: webhookId, prefix: deliveryPrefix }, limit);
      const end = `${deliveryPrefix}${timedPrefix('delivery', sinceMs)}~`;
      return items.filter(({ sk }) => sk!.S! <= end).map(toDelivery);
    },
    due: (nowMs) => due(client, table, nowMs),
  };
}

/** DynamoDB takes 100 items and 4 MB in one transaction. */
const mostItems = 100;
const mostBytes = 3_000_000;

async function create(store: ItemStore, deliveries: readonly Delivery[], nowMs: number): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const some of portions(deliveries)) {
    const writes = some.map((delivery) => creation(delivery, nowMs, delivery.id));
    if (await written(store, writes)) continue;
    // Some exist, because this happens for the second time. Which ones is found out one by one.
    await Promise.all(
      writes.map(async (write) => {
        if (!(await written(store, [write]))) existing.add(write.name);
      }),
    );
  }
  return existing;
}

function portions(deliveries: readonly Delivery[]): Delivery[][] {
  const portions: Delivery[][] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const size = Buffer.byteLength(delivery.payload);
    const current = portions.at(-1);
    if (current && current.length < mostItems && bytes + size <= mostBytes) {
      current.push(delivery);
      bytes += size;
    } else {
      portions.push([delivery]);
      bytes = size;
    }
  }
  return portions;
}

const duePageSize = 100;
const mostDuePages = 20;

async function* due(client: DynamoDBClient, table: string, nowMs: number): AsyncIterable<DeliveryKey[]> {
  for (let shard = 0; shard < dueShards; shard++) {
    let start: QueryCommandOutput['LastEvaluatedKey'];
    for (let pages = 0; pages < mostDuePages; pages++) {
      const answer: QueryCommandOutput = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: dueIndex,
          KeyConditionExpression: 'due_pk = :shard AND due_sk <= :now',
          ExpressionAttributeValues: {
            ':shard': { S: duePartition(shard) },
            ':now': { S: `${new Date(nowMs).toISOString()}~` },
          },
          Limit: duePageSize,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      yield (answer.Items ?? []).map(({ pk, sk }) => ({
        webhookId: pk!.S!,
        deliveryId: sk!.S!.slice(deliveryPrefix.length),
      }));
      start = answer.LastEvaluatedKey;
      if (!start) break;
    }
  }
}
