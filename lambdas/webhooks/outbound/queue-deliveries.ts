import { filterView, type ServiceEvent } from '../../events/event.ts';
import type { Clock } from '../../platform/clock.ts';
import { passes } from '../filter.ts';
import { type Delivery, firstDelivery, type Lane, laneNames } from './delivery.ts';
import type { DeliveryMessage, DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { type OutboundRecord, wants } from './webhook.ts';
import type { OutboundWebhookList } from './webhook-list.ts';

export interface QueueingTools {
  webhooks: OutboundWebhookList;
  deliveries: Pick<DeliveryStore, 'create'>;
  queue: DeliveryQueue;
  clock: Clock;
}

/** Makes a delivery for every webhook that is to be told, and tells the workers. Doing it again does no harm. */
export async function queueEvents(events: readonly ServiceEvent[], tools: QueueingTools): Promise<number> {
  if (events.length === 0) return 0;
  const { webhooks, slow } = await tools.webhooks.withSlow(tools.clock.now());
  const deliveries = events.flatMap((event) =>
    receiversOf(event, webhooks).map(({ id }) =>
      firstDelivery(
        { webhookId: id, event: event.type, eventId: event.id, payload: event.payload },
        Date.parse(event.at),
      ),
    ),
  );
  await storeAndQueue(lanesOf(deliveries, slow), tools);
  return deliveries.length;
}

/** Stored first: a delivery whose message gets lost is found by the sweep. */
export async function storeAndQueue(
  lanes: Readonly<Partial<Record<Lane, readonly Delivery[]>>>,
  { deliveries: store, queue, clock }: Pick<QueueingTools, 'deliveries' | 'queue' | 'clock'>,
): Promise<void> {
  const existing = await store.create(Object.values(lanes).flat(), clock.now());
  // Of one that existed nobody knows how far it came, so its worker has to look.
  const messageOf = (one: Delivery): DeliveryMessage =>
    existing.has(one.id) ? { known: { webhook_id: one.webhook_id, id: one.id } } : { fresh: one };
  await Promise.all(laneNames.map((lane) => queue.send(lane, (lanes[lane] ?? []).map(messageOf))));
}

/** The webhooks that are to be told of an event. */
export function receiversOf(event: ServiceEvent, webhooks: readonly OutboundRecord[]): OutboundRecord[] {
  const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
  if (subscribed.length === 0) return [];
  const view = filterView(event);
  return subscribed.filter(({ document }) => passes(document.filters, view).passed);
}

function isSubscribed(webhook: OutboundRecord, event: ServiceEvent): boolean {
  const { document } = webhook;
  if (!wants(document, event.at) || !document.events.includes(event.type)) return false;
  return document.include_own || !isOwn(webhook, event);
}

/** Whether the receiver made the change itself: through its inbound webhook, or as the API client that it is. */
function isOwn({ id, document }: OutboundRecord, { origin }: ServiceEvent): boolean {
  if (origin.kind === 'webhook') return origin.id !== null && [id, document.inbound_webhook_id].includes(origin.id);
  return origin.client !== undefined && origin.client === document.client_id;
}

// Two queues whose workers do not compete, so that a receiver that hangs holds up none that answers. What is for a receiver
// that was slow within the last minute takes the slow lane. So does what one webhook gets too much of at once: it would
// take all workers of the quick lane before anybody could know how fast its receiver is.

/** Of one webhook, out of one batch of a hundred changes: the everyday burst to a receiver that works stays quick. */
const mostQuick = 200;

export function lanesOf(deliveries: readonly Delivery[], slow: ReadonlySet<string>): Record<Lane, Delivery[]> {
  const lanes: Record<Lane, Delivery[]> = { quick: [], slow: [] };
  const counts = new Map<string, number>();
  for (const delivery of deliveries) {
    const { webhook_id } = delivery;
    const count = (counts.get(webhook_id) ?? 0) + 1;
    counts.set(webhook_id, count);
    lanes[slow.has(webhook_id) || count > mostQuick ? 'slow' : 'quick'].push(delivery);
  }
  return lanes;
}
