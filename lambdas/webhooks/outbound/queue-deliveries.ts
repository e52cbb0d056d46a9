import { filterView, type ServiceEvent } from '../../events/event.ts';
import type { Clock } from '../../platform/clock.ts';
import { evaluateFilters } from '../filter.ts';
import { createDelivery, type Delivery, type Lane, laneNames } from './delivery.ts';
import type { DeliveryMessage, DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { formatPayload } from './formats.ts';
import { isWanted, type OutboundRecord } from './webhook.ts';
import type { OutboundWebhookList } from './webhook-list.ts';

export interface QueueTools {
  webhooks: OutboundWebhookList;
  deliveries: Pick<DeliveryStore, 'create'>;
  queue: DeliveryQueue;
  clock: Clock;
}

/** Creates and queues a delivery for every matching webhook. Safe to retry. */
export async function queueEvents(events: readonly ServiceEvent[], tools: QueueTools): Promise<number> {
  if (events.length === 0) return 0;
  const { webhooks, slow } = await tools.webhooks.withSlow(tools.clock.now());
  const deliveries = events.flatMap((event) =>
    findReceivers(event, webhooks).map(({ id, document }) => {
      const payload = formatPayload(document.format, event.id, event.payload);
      return createDelivery({ webhookId: id, event: event.type, eventId: event.id, payload }, Date.parse(event.at));
    }),
  );
  await storeAndQueue(assignLanes(deliveries, slow), tools);
  return deliveries.length;
}

/** Stores before queueing: the redrive finds deliveries whose message was lost. */
export async function storeAndQueue(
  lanes: Readonly<Partial<Record<Lane, readonly Delivery[]>>>,
  { deliveries: store, queue, clock }: Pick<QueueTools, 'deliveries' | 'queue' | 'clock'>,
): Promise<void> {
  const existing = await store.create(Object.values(lanes).flat(), clock.now());
  // An existing delivery may have been attempted, so its worker reads it first.
  const toMessage = (one: Delivery): DeliveryMessage =>
    existing.has(one.id) ? { known: { webhook_id: one.webhook_id, id: one.id } } : { fresh: one };
  await Promise.all(laneNames.map((lane) => queue.send(lane, (lanes[lane] ?? []).map(toMessage))));
}

/** Finds the webhooks that subscribe to an event. */
export function findReceivers(event: ServiceEvent, webhooks: readonly OutboundRecord[]): OutboundRecord[] {
  const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
  if (subscribed.length === 0) return [];
  const view = filterView(event);
  return subscribed.filter(({ document }) => evaluateFilters(document.filters, view).passed);
}

function isSubscribed(webhook: OutboundRecord, event: ServiceEvent): boolean {
  const { document } = webhook;
  if (!isWanted(document, event.at) || !document.events.includes(event.type)) return false;
  return document.include_own || !isOwn(webhook, event);
}

/** Whether the receiver made the change itself: through its inbound webhook, or as the API client that it is. */
function isOwn({ id, document }: OutboundRecord, { origin }: ServiceEvent): boolean {
  if (origin.kind === 'webhook') return origin.id !== null && [id, document.inbound_webhook_id].includes(origin.id);
  return origin.client !== undefined && origin.client === document.client_id;
}

// Two queues with separate workers, so that receivers that hang do not delay others. Deliveries to a receiver that was
// slow within the last minute take the slow lane. So does a large burst to one webhook, which would occupy all workers of
// the quick lane before its receiver is known to be slow.

/** Of one webhook, out of one batch of a hundred changes: the everyday burst to a receiver that works stays quick. */
const maxQuick = 200;

export function assignLanes(deliveries: readonly Delivery[], slow: ReadonlySet<string>): Record<Lane, Delivery[]> {
  const lanes: Record<Lane, Delivery[]> = { quick: [], slow: [] };
  const counts = new Map<string, number>();
  for (const delivery of deliveries) {
    const { webhook_id } = delivery;
    const count = (counts.get(webhook_id) ?? 0) + 1;
    counts.set(webhook_id, count);
    lanes[slow.has(webhook_id) || count > maxQuick ? 'slow' : 'quick'].push(delivery);
  }
  return lanes;
}
