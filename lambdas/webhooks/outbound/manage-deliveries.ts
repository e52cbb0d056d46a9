import pMap from 'p-map';
import type { routes } from '../../../contract/routes.ts';
import { toLinks } from '../../events/event.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import type { OperationResponse, UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { findRecord, notFound } from '../../records/change-record.ts';
import { type IdempotentRequest, toIdempotentRequest, writeOnce } from '../../records/idempotency.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type CursorSeal, cutPage, maxPageBytes } from '../../records/page.ts';
import {
  createDelivery,
  createReplay,
  type Delivery,
  formatPayload,
  isOpen,
  toDeliveryResponse,
  toDeliverySummary,
  toVisibleDelivery,
} from './delivery.ts';
import { type DeliveryQueue, type DeliveryTools, storeAndQueue } from './delivery-queue.ts';
import {
  buildCreationWrite,
  buildDeliveryRange,
  type DeliveryKey,
  type DeliveryStore,
  toDelivery,
} from './delivery-store.ts';
import type { RetryMachine } from './retry-machine.ts';
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
): Promise<OperationResponse<typeof routes.replayDelivery>> {
  const nowMs = clock.now();
  const response = await writeOnce(events, idempotentRequest, nowMs, () => ({
    writes: [buildCreationWrite(delivery, nowMs, delivery.id)],
    response: {
      status: 202 as const,
      headers: { Location: toDeliveryLocation(delivery.webhook_id, delivery.id) },
      body: toDeliverySummary(delivery),
    },
    // A new delivery has a random id, so it is never taken.
    onConditionFailed: (by) => {
      throw new Error(`the new delivery ${by} exists`);
    },
  }));
  if (response.body.id === delivery.id) await queue.send('quick', [{ fresh: delivery }]);
  return response;
}

export function listDeliveries(
  records: Pick<ItemStore, 'get'>,
  events: Pick<ItemStore, 'range' | 'count'>,
  seal: CursorSeal,
): UseCase<typeof routes.listDeliveries> {
  return async ({ params: { id }, query: { status, event, limit, cursor } }, { clock }) => {
    const list = `deliveries of ${id} ${status ?? ''} ${event ?? ''}`;
    const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
    const webhook = await findRecord<OutboundDocument>(records, id);
    const range = buildDeliveryRange(webhook, { status, event }, clock.now());
    const [items, total] = await Promise.all([
      events.range({ ...range, ...after, maxBytes: maxPageBytes }, limit + 1),
      events.count(range),
    ]);
    const page = cutPage(items, limit, seal, list);
    const data = page.items.map((item) => toDeliverySummary(toVisibleDelivery(toDelivery(item), webhook)));
    return { status: 200, body: { data, ...page.next, total } };
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
    const delivery = await findDelivery({ webhookId: id, deliveryId: delivery_id }, tools);
    const idempotentRequest = toIdempotentRequest('replayDelivery', caller, headers, { id, delivery_id });
    return startDelivery(createReplay(delivery, newId('delivery'), clock.now()), idempotentRequest, tools);
  };
}

/**
 * The maximum number of deliveries that one request reads and starts. Started deliveries are no longer failed, so the
 * next request continues with the rest.
 */
const maxRead = 20_000;
const maxReplayed = 500;

export function recoverDeliveries(tools: RedeliveryTools): UseCase<typeof routes.recoverDeliveries> {
  return async ({ params: { id }, body: { since } }, { clock }) => {
    const webhook = await findActiveWebhook(id, tools);
    const nowMs = clock.now();
    const known = await tools.deliveries.since(id, Date.parse(since), maxRead);
    const lost = findUnrecovered(known.map((delivery) => toVisibleDelivery(delivery, webhook)));
    const replays = lost.slice(0, maxReplayed).map((delivery) => createReplay(delivery, 'recovery', nowMs));
    // The slow queue, because the receiver failed recently and there may be many deliveries.
    await storeAndQueue({ slow: replays }, tools);
    return { status: 202, body: { replayed: replays.length, more: lost.length > replays.length } };
  };
}

/** For each event that is neither delivered nor pending, the newest failed delivery; oldest events first. */
export function findUnrecovered(newestFirst: readonly Delivery[]): Delivery[] {
  const good = newestFirst.filter((delivery) => delivery.status === 'delivered' || isOpen(delivery));
  const saved = new Set(good.map(({ event_id }) => event_id));
  const lost = new Map<string, Delivery>();
  for (const delivery of newestFirst) {
    const { event, event_id, status } = delivery;
    const isLost = status === 'failed' && event !== 'ping' && !saved.has(event_id);
    if (isLost && !lost.has(event_id)) lost.set(event_id, delivery);
  }
  return [...lost.values()].reverse();
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

// Redrives deliveries whose message or execution was lost. Workers read the stored delivery first, so a duplicate
// message causes no second attempt.

interface RedriveTools {
  deliveries: Pick<DeliveryStore, 'due' | 'find' | 'postpone'>;
  queue: DeliveryQueue;
  machine: RetryMachine;
  clock: Clock;
  log: Log;
}

export async function redriveDeliveries(tools: RedriveTools): Promise<{ redriven: number }> {
  let [redriven, failures] = [0, 0];
  for await (const keys of tools.deliveries.due(tools.clock.now())) {
    const attempt = async (key: DeliveryKey) => {
      try {
        redriven += await redrive(key, tools);
      } catch (error) {
        failures++;
        tools.log('error', 'failed to redrive a delivery', { ...key, ...toErrorFields(error) });
      }
    };
    await pMap(keys, attempt, { concurrency });
  }
  if (redriven > 0) tools.log('warn', 'deliveries redriven', { redriven });
  if (failures > 0) throw new Error(`${failures} deliveries could not be redriven`);
  return { redriven };
}

const concurrency = 8;

async function redrive(key: DeliveryKey, { deliveries, queue, machine, clock }: RedriveTools): Promise<number> {
  const delivery = await deliveries.find(key);
  if (!delivery || !isOpen(delivery)) return 0;
  const nowMs = clock.now();
  if (delivery.status === 'pending') {
    await queue.send('slow', [{ known: { webhook_id: key.webhookId, id: key.deliveryId } }]);
  } else {
    // The name of a failed execution cannot be reused, so this execution needs another one.
    await machine.start(delivery, nowMs, `-${nowMs}`);
  }
  await deliveries.postpone(delivery, nowMs);
  return 1;
}
