import pMap from 'p-map';
import type { routes } from '../../../contract/routes.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import type { OperationResponse, UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { findRecord, notFound } from '../../records/change-record.ts';
import { type IdempotentRequest, toIdempotentRequest, writeOnce } from '../../records/idempotency.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { Item } from '../../records/items.ts';
import { readLogPage } from '../../records/log-page.ts';
import type { CursorSeal } from '../../records/page.ts';
import { toLinks } from '../../records/service-event.ts';
import type { Write } from '../../records/write-items.ts';
import {
  createDelivery,
  createReplay,
  type Delivery,
  isOpen,
  toDeliveryResponse,
  toDeliverySummary,
  toVisibleDelivery,
} from './delivery.ts';
import { buildCreationWrite, buildReplayedWrite, parseItemKey, toDelivery, toDeliveryLog } from './delivery-item.ts';
import type { DeliveryTools } from './delivery-queue.ts';
import type { DeliveryKey, DeliveryStore, LostDelivery, Recovery } from './delivery-store.ts';
import { formatPayload } from './payload-format.ts';
import {
  type OutboundDocument,
  type OutboundRecord,
  toDeliveryLocation,
  toOutboundWebhookLocation,
} from './webhook.ts';

// Shared by pings, replays and recoveries.

export type RedeliveryTools = Omit<DeliveryTools, 'webhooks'>;

export async function findActiveWebhook(id: string, { records }: RedeliveryTools): Promise<OutboundRecord> {
  const record = await findRecord<OutboundDocument>(records, id);
  if (!record.document.active) {
    throw new ServiceError('webhook_inactive', 'The webhook is inactive. Activate it first.');
  }
  return record;
}

export async function findDelivery(key: DeliveryKey, { deliveries }: Pick<RedeliveryTools, 'deliveries'>) {
  const delivery = await deliveries.find(key);
  if (!delivery) throw notFound(key.deliveryId);
  return delivery;
}

/**
 * Starts a delivery and returns its location. A retry with the same idempotency key gets the first response and starts
 * nothing. If the first request died before queueing, the redrive queues the delivery.
 */
export async function startDelivery(
  delivery: Delivery,
  idempotentRequest: IdempotentRequest | undefined,
  { events, queue, clock }: RedeliveryTools,
  otherWrites: readonly Write[] = [],
): Promise<OperationResponse<typeof routes.replayDelivery>> {
  const nowMs = clock.now();
  const response = await writeOnce(events, idempotentRequest, nowMs, () => ({
    writes: [buildCreationWrite(delivery, nowMs, delivery.id), ...otherWrites],
    response: {
      status: 202 as const,
      headers: { Location: toDeliveryLocation(delivery.webhook_id, delivery.id) },
      body: toDeliverySummary(delivery),
    },
    // A new delivery has a random id, so it is never taken. The original can have expired.
    onConditionFailed: (by) => {
      throw by === delivery.replay_of ? notFound(by) : new Error(`the new delivery ${by} exists`);
    },
  }));
  if (response.body.id === delivery.id) await queue.send('quick', [{ fresh: delivery }]);
  return response;
}

export function listDeliveries(
  records: Pick<ItemStore, 'get'>,
  events: Pick<ItemStore, 'slice'>,
  seal: CursorSeal,
): UseCase<typeof routes.listDeliveries> {
  return async ({ params: { id }, query: { limit, cursor, ...filter } }, { clock }) => {
    const webhook = await findRecord<OutboundDocument>(records, id);
    const log = toDeliveryLog(webhook, filter, clock.now());
    const { items, rest } = await readLogPage(events, seal, log, { limit, cursor });
    const data = items.map((item) => toDeliverySummary(toVisibleDelivery(toDelivery(item), webhook)));
    return { status: 200, body: { data, ...rest } };
  };
}

export function getDelivery(
  records: Pick<ItemStore, 'get'>,
  deliveries: DeliveryStore,
): UseCase<typeof routes.getDelivery> {
  return async ({ params: { id, delivery_id } }) => {
    const [delivery, webhook] = await Promise.all([
      findDelivery({ webhookId: id, deliveryId: delivery_id }, { deliveries }),
      findRecord<OutboundDocument>(records, id),
    ]);
    return { status: 200, body: toDeliveryResponse(toVisibleDelivery(delivery, webhook)) };
  };
}

export function replayDelivery(tools: RedeliveryTools): UseCase<typeof routes.replayDelivery> {
  return async ({ params: { id, delivery_id }, headers }, { caller, clock }) => {
    await findActiveWebhook(id, tools);
    const original = await findDelivery({ webhookId: id, deliveryId: delivery_id }, tools);
    const replay = createReplay(original, newId('delivery'), clock.now());
    const idempotentRequest = toIdempotentRequest('replayDelivery', caller, headers, { id, delivery_id });
    return startDelivery(replay, idempotentRequest, tools, [buildReplayedWrite(original, replay.id)]);
  };
}

/** The maximum number of deliveries that one request starts. The next request continues with the rest. */
const maxReplayed = 500;

export function recoverDeliveries(tools: RedeliveryTools): UseCase<typeof routes.recoverDeliveries> {
  return async ({ params: { id }, body: { since } }, { clock }) => {
    const webhook = await findActiveWebhook(id, tools);
    const nowMs = clock.now();
    const { deliveries, more } = await tools.deliveries.lost(webhook, Date.parse(since), maxReplayed);
    const replays = await tools.deliveries.recover(planRecoveries(deliveries, nowMs), nowMs);
    // The slow queue, because the receiver failed recently and there may be many deliveries.
    await tools.queue.send(
      'slow',
      replays.map((fresh) => ({ fresh })),
    );
    return { status: 202, body: { replayed: replays.length, more } };
  };
}

/** Replays the newest lost delivery of each event. `lost` has the oldest delivery first. */
export function planRecoveries(lost: readonly LostDelivery[], nowMs: number): Recovery[] {
  const newest = new Map(lost.map(({ delivery }) => [delivery.event_id, delivery.id]));
  return lost.map(({ delivery: original, isRedundant }) =>
    isRedundant || newest.get(original.event_id) !== original.id
      ? { original }
      : { original, replay: createReplay(original, 'recovery', nowMs) },
  );
}

export interface PingTools extends RedeliveryTools {
  serviceInstance: string;
  publicUrl: string;
}

/** Sends a ping to this webhook only. */
export function testOutboundWebhook(tools: PingTools): UseCase<typeof routes.testOutboundWebhook> {
  return async ({ params: { id }, headers }, { caller, clock }) => {
    const { document } = await findRecord<OutboundDocument>(tools.records, id);
    const nowMs = clock.now();
    const event = JSON.stringify({
      event: 'ping',
      timestamp: toIso(nowMs),
      service_instance: tools.serviceInstance,
      data: { id, ...toLinks(tools.publicUrl + toOutboundWebhookLocation(id)) },
    });
    const eventId = newId('event');
    const payload = formatPayload(document.format, eventId, event);
    const ping = createDelivery({ webhookId: id, event: 'ping', eventId, payload }, nowMs);
    return startDelivery(ping, toIdempotentRequest('testOutboundWebhook', caller, headers, { id }), tools);
  };
}

// Redrives deliveries whose message or execution was lost, by another message to the slow queue. Workers read the stored delivery first, so a duplicate
// message causes no second attempt.

interface RedriveTools {
  deliveries: Pick<DeliveryStore, 'due' | 'find' | 'postpone'>;
  queue: DeliveryTools['queue'];
  clock: Clock;
  log: Log;
}

export async function redriveDeliveries(tools: RedriveTools): Promise<{ redriven: number }> {
  let [redriven, failures] = [0, 0];
  const attempt = async (item: Item) => {
    const key = parseItemKey(item);
    try {
      redriven += await redrive(key, tools);
    } catch (error) {
      failures++;
      tools.log('error', 'failed to requeue a delivery', { ...key, ...toErrorFields(error) });
    }
  };
  for (const pages of tools.deliveries.due(tools.clock.now())) {
    for await (const items of pages) await pMap(items, attempt, { concurrency });
  }
  if (redriven > 0) tools.log('warn', 'requeued deliveries', { redriven });
  if (failures > 0) throw new Error(`${failures} deliveries could not be redriven`);
  return { redriven };
}

const concurrency = 8;

async function redrive(key: DeliveryKey, { deliveries, queue, clock }: RedriveTools): Promise<number> {
  const delivery = await deliveries.find(key);
  if (!delivery || !isOpen(delivery)) return 0;
  const known = { webhook_id: key.webhookId, id: key.deliveryId };
  await queue.send('slow', [{ known, attempt: delivery.attempts.length + 1 }]);
  await deliveries.postpone(delivery, clock.now());
  return 1;
}
