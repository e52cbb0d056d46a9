import type { Attempt, DeliveredType, DeliveryStatus } from '../../../contract/deliveries.ts';
import { toShard, toTimedPrefix } from '../../platform/ids.ts';
import { type DueWork, toDueKeys } from '../../records/index-store.ts';
import { type Item, readString } from '../../records/items.ts';
import type { Log } from '../../records/log-page.ts';
import { buildExpiryFilter, type Range } from '../../records/read-items.ts';
import { toItemKey } from '../../records/record-item.ts';
import { parseDocument } from '../../records/stored-document.ts';
import type { Write } from '../../records/write-items.ts';
import { type Delivery, deliveryShards, isLost, isOpen } from './delivery.ts';
import type { OutboundRecord } from './webhook.ts';

// Converts deliveries to items and back. Payload and responses are separate attributes: an attempt does not rewrite the
// payload, and the index `list` contains neither.
//
// | Access pattern                                | Call    | Key                                                      |
// |-----------------------------------------------|---------|----------------------------------------------------------|
// | one delivery                                  | GetItem | pk = <webhook id>#<shard>, sk = delivery#<id>            |
// | the deliveries of a webhook, newest first     | Query   | the same, merged from all shards                         |
// | its deliveries with a status, newest first    | Query   | index list, list_pk = pk, list_sk = <stage>#<id>         |
// | failed deliveries to recover, oldest first    | Query   | the same with stage `lost-failed` or `lost-cancelled`    |
// | overdue deliveries                            | Query   | index due, due_pk = delivery#<shard>, due_sk up to now   |
//
// Ids begin with a time that counts down, so that the newest comes first. Deliveries of earlier releases have
// pk = <webhook id> and are not in the index `list`.

const deliveryPrefix = 'delivery#';
const listIndex = 'list';

const retentionMs = 30 * 24 * 60 * 60_000;

/** The redrive checks deliveries that are open for longer than this. */
const redriveAfterMs = 10 * 60_000;

export const deliveryWork: DueWork = { kind: 'delivery', shards: deliveryShards };

/** The keys under which a delivery may be stored, of this release and of earlier ones. */
export function listItemKeys(webhookId: string, deliveryId: string): { pk: string; sk: string }[] {
  const sk = deliveryPrefix + deliveryId;
  return [toShard(deliveryId, deliveryShards), undefined].map((shard) => ({ pk: toPartition(webhookId, shard), sk }));
}

export function parseItemKey(item: Item): { webhookId: string; deliveryId: string } {
  const [webhookId = ''] = readString(item, 'pk').split('#');
  return { webhookId, deliveryId: readString(item, 'sk').slice(deliveryPrefix.length) };
}

function toPartition(webhookId: string, shard: number | undefined): string {
  return shard === undefined ? webhookId : `${webhookId}#${shard}`;
}

function toKey({ webhook_id, shard, id }: Delivery): Item {
  return toItemKey(toPartition(webhook_id, shard), deliveryPrefix + id);
}

/** Items of the index have no responses and no payload; items of earlier releases contain the responses in `delivery`. */
export function toDelivery(item: Item): Delivery {
  const delivery: Delivery = parseDocument('delivery', readString(item, 'delivery'));
  const responses: Attempt['response'][] = JSON.parse(item.responses?.S ?? '[]');
  const attempts = delivery.attempts.map((attempt, index) => ({
    ...attempt,
    response: attempt.response ?? responses[index] ?? null,
  }));
  return { ...delivery, attempts, payload: item.payload?.S ?? '' };
}

/** Fails when the delivery exists. The write is named after its index in the transaction. */
export function buildCreationWrite(delivery: Delivery, nowMs: number, name: string): Write {
  const Item = {
    ...toKey(delivery),
    ...toChangingAttributes(delivery),
    event: { S: delivery.event },
    created_at: { S: delivery.created_at },
    payload: { S: delivery.payload },
    expires_at: { N: String(Math.ceil((Date.parse(delivery.created_at) + retentionMs) / 1_000)) },
    ...toDueAttributes(delivery, nowMs),
  };
  return { name, put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** Fails when the delivery has changed since `before`. */
export function buildProgressWrite(before: Delivery, after: Delivery, nowMs: number, name: string): Write {
  const set = Object.entries({ ...toChangingAttributes(after), ...toDueAttributes(after, nowMs) });
  const update = {
    Key: toKey(after),
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

/** Links a delivery to a replay of it, so that it needs no recovery. */
export function buildReplayedWrite(original: Delivery, replayId: string): Write {
  return buildLinkWrite(original, replayId, 'attribute_exists(pk)');
}

/** Like buildReplayedWrite(), but fails when the delivery was recovered before. */
export function buildRecoveredWrite(original: Delivery, replayId: string): Write {
  return buildLinkWrite(original, replayId, 'attribute_exists(pk) AND attribute_not_exists(recovered)');
}

function buildLinkWrite(original: Delivery, replayId: string, condition: string): Write {
  const recovered: Item = isLost(original) ? { recovered: { BOOL: true }, ...toListKeys(original, true) } : {};
  const set = Object.entries(recovered);
  const update = {
    Key: toKey(original),
    UpdateExpression: `ADD replays :replays${set.length > 0 ? ` SET ${set.map(([name]) => `${name} = :${name}`).join(', ')}` : ''}`,
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':replays': { SS: [replayId] },
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    },
  };
  return { name: original.id, update };
}

/** The ids of the replays of a delivery and of the delivery that it replays. */
export function listLinkedIds(item: Item): string[] {
  const { replay_of } = toDelivery(item);
  return [...(item.replays?.SS ?? []), ...(replay_of === null ? [] : [replay_of])];
}

function toChangingAttributes({ payload: _, ...delivery }: Delivery): Item {
  const { status } = delivery;
  const attempts = delivery.attempts.map((attempt) => ({ ...attempt, response: null }));
  return {
    delivery: { S: JSON.stringify({ ...delivery, attempts }) },
    responses: { S: JSON.stringify(delivery.attempts.map(({ response }) => response)) },
    status: { S: status },
    attempts_made: { N: String(attempts.length) },
    ...toListKeys(delivery, false),
  };
}

/** Keys of the index `list`. Separate stages for lost events let a recovery find them without reading others. */
function toListKeys({ id, webhook_id, shard, ...rest }: Omit<Delivery, 'payload'>, isRecovered: boolean): Item {
  if (shard === undefined) return {};
  const stage = isLost(rest) && !isRecovered ? `lost-${rest.status}` : rest.status;
  return { list_pk: { S: toPartition(webhook_id, shard) }, list_sk: { S: `${stage}#${id}` } };
}

function toDueAttributes(delivery: Delivery, nowMs: number): Item {
  if (!isOpen(delivery)) return {};
  const fromMs = Math.max(nowMs, delivery.next_attempt_at === null ? 0 : Date.parse(delivery.next_attempt_at));
  const { due_pk, due_sk } = toDueKeys(deliveryWork, delivery.id, fromMs + redriveAfterMs);
  return { due_pk: { S: due_pk }, due_sk: { S: due_sk } };
}

interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: DeliveredType | undefined;
}

const shards = Array.from({ length: deliveryShards }, (_, shard) => shard);

/** All deliveries of a webhook, newest first. */
export function listDeliveryRanges(webhookId: string, nowMs: number): Range[] {
  const filter = buildExpiryFilter(nowMs);
  return [...shards, undefined].map((shard) => ({
    pk: toPartition(webhookId, shard),
    prefix: deliveryPrefix,
    filter,
  }));
}

/** The ranges of the index in which deliveries with a status are found. A delivery stored as open may be cancelled. */
const stages: Readonly<Record<DeliveryStatus, readonly string[]>> = {
  pending: ['pending'],
  retrying: ['retrying'],
  delivered: ['delivered'],
  failed: ['failed', 'lost-failed'],
  cancelled: ['cancelled', 'lost-cancelled', 'pending', 'retrying'],
};

/** The deliveries of a webhook that match a filter, newest first. Counting does not read their payloads. */
export function toDeliveryLog(webhook: OutboundRecord, query: DeliveryFilter, nowMs: number): Log {
  const { status, event } = query;
  const list = `deliveries of ${webhook.id} ${status ?? ''} ${event ?? ''}`;
  return status || event
    ? { list, groups: [listFilteredRanges(webhook, query, nowMs)] }
    : { list, groups: [listDeliveryRanges(webhook.id, nowMs)], counted: listCountedRanges(webhook.id, nowMs) };
}

function listFilteredRanges(webhook: OutboundRecord, query: DeliveryFilter, nowMs: number): Range[] {
  const filter = buildFilter(webhook, query, nowMs);
  const searched = query.status ? stages[query.status] : [...new Set(Object.values(stages).flat())];
  const indexed = searched.flatMap((stage) =>
    shards.map((shard) => ({ index: listIndex, pk: toPartition(webhook.id, shard), prefix: `${stage}#`, filter })),
  );
  return [...indexed, { pk: webhook.id, prefix: deliveryPrefix, filter }];
}

/** All deliveries of a webhook in any order, from the index. */
function listCountedRanges(webhookId: string, nowMs: number): Range[] {
  const filter = buildExpiryFilter(nowMs);
  const indexed = shards.map((shard) => ({
    index: listIndex,
    pk: toPartition(webhookId, shard),
    prefix: '',
    from: '!',
    filter,
  }));
  return [...indexed, { pk: webhookId, prefix: deliveryPrefix, filter }];
}

/** Lost deliveries since a time that were not recovered, oldest first. */
export function listRecoveryRanges(webhookId: string, sinceMs: number): Range[] {
  const end = `${toTimedPrefix('delivery', sinceMs)}~`;
  const indexed = ['lost-failed#', 'lost-cancelled#'].flatMap((prefix) =>
    shards.map((shard): Range => {
      const pk = toPartition(webhookId, shard);
      return { index: listIndex, pk, prefix, to: prefix + end, order: 'newest first' };
    }),
  );
  const old: Range = {
    pk: webhookId,
    prefix: deliveryPrefix,
    to: deliveryPrefix + end,
    order: 'newest first',
    filter: {
      expression: '#status = :failed AND #event <> :ping AND attribute_not_exists(recovered)',
      names: { '#status': 'status', '#event': 'event' },
      values: { ':failed': { S: 'failed' }, ':ping': { S: 'ping' } },
    },
  };
  return [...indexed, old];
}

function buildFilter(
  { document }: OutboundRecord,
  { status, event }: DeliveryFilter,
  nowMs: number,
): NonNullable<Range['filter']> {
  const { expression, names, values } = buildExpiryFilter(nowMs);
  const conditions = [
    expression,
    ...(event ? ['#event = :event'] : []),
    ...(status ? [buildStatusCondition(status, document.active)] : []),
  ];
  const used = conditions.join(' AND ');
  const attributes = { '#event': 'event', '#status': 'status', '#created': 'created_at' };
  const operands: Item = {
    ':event': { S: event ?? '' },
    ':status': { S: status ?? '' },
    ':ping': { S: 'ping' },
    ':pending': { S: 'pending' },
    ':retrying': { S: 'retrying' },
    ':since': { S: document.active_since },
  };
  // DynamoDB rejects names and values that no condition uses.
  return {
    expression: used,
    names: { ...names, ...pickUsed(used, attributes) },
    values: { ...values, ...pickUsed(used, operands) },
  };
}

/** The same rule as `isStopped`, as a DynamoDB expression. */
function buildStatusCondition(status: DeliveryStatus, isActive: boolean): string {
  const isWanted = isActive ? '(#event = :ping OR #created >= :since)' : '#event = :ping';
  if (status === 'pending' || status === 'retrying') return `#status = :status AND ${isWanted}`;
  if (status !== 'cancelled') return '#status = :status';
  return `(#status = :status OR (#status IN (:pending, :retrying) AND NOT ${isWanted}))`;
}

function pickUsed<Value>(text: string, all: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
}
