import { createHash } from 'node:crypto';
import type { Item, Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';
import { type Delivery, isOpen } from './delivery.ts';

// A delivery as an item, and back. The payload is an attribute of its own, so that an attempt need not write it again.

export const deliveryPrefix = 'delivery#';

const keptMs = 30 * 24 * 60 * 60_000;

/** Deliveries that should have come further by now are looked after. Nothing that works takes this long. */
const patienceMs = 10 * 60_000;

export const dueShards = 4;

export function duePartition(shard: number): string {
  return `delivery#${shard}`;
}

export function deliveryKey(webhookId: string, deliveryId: string): Item {
  return keyOf(webhookId, deliveryPrefix + deliveryId);
}

export function toDelivery(item: Item): Delivery {
  return { ...JSON.parse(item.delivery!.S!), payload: item.payload!.S! };
}

/** Refused when the delivery exists. Its place in the transaction is its name. */
export function creation(delivery: Delivery, nowMs: number, name: string): Write {
  const Item = {
    ...deliveryKey(delivery.webhook_id, delivery.id),
    ...changing(delivery),
    event: { S: delivery.event },
    created_at: { S: delivery.created_at },
    payload: { S: delivery.payload },
    expires_at: { N: String(Math.ceil((Date.parse(delivery.created_at) + keptMs) / 1_000)) },
    ...dueKeys(delivery, nowMs),
  };
  return { name, put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** Refused when the delivery has come further than `before` meanwhile. */
export function progress(before: Delivery, after: Delivery, nowMs: number, name: string): Write {
  const set = Object.entries({ ...changing(after), ...dueKeys(after, nowMs) });
  const update = {
    Key: deliveryKey(after.webhook_id, after.id),
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

/** Puts off the next look after a delivery that is still open. */
export function postponement(delivery: Delivery, nowMs: number): Write {
  return progress(delivery, delivery, nowMs, 'delivery');
}

function changing({ payload: _, ...delivery }: Delivery): Item {
  return {
    delivery: { S: JSON.stringify(delivery) },
    status: { S: delivery.status },
    attempts_made: { N: String(delivery.attempts.length) },
  };
}

function dueKeys(delivery: Delivery, nowMs: number): Item {
  if (!isOpen(delivery)) return {};
  const fromMs = Math.max(nowMs, delivery.next_attempt_at === null ? 0 : Date.parse(delivery.next_attempt_at));
  const shard = createHash('sha256').update(delivery.id).digest()[0]! % dueShards;
  return {
    due_pk: { S: duePartition(shard) },
    due_sk: { S: `${new Date(fromMs + patienceMs).toISOString()}#${delivery.id}` },
  };
}
