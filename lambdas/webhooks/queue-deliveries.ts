import type { ServiceEvent } from '../events/event.ts';
import type { Clock } from '../platform/clock.ts';
import { type Delivery, firstDelivery } from './delivery.ts';
import type { DeliveryMessage, DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { type Lane, laneNames, lanesOf } from './lanes.ts';
import { receiversOf } from './match-event.ts';
import type { OutboundWebhookList } from './outbound-webhook-list.ts';

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
