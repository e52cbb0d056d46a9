import type { ServiceEvent } from '../events/event.ts';
import type { Clock } from '../platform/clock.ts';
import { type Delivery, firstDelivery } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
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
  const webhooks = await tools.webhooks.all();
  const deliveries = events.flatMap((event) =>
    receiversOf(event, webhooks).map(({ id }) =>
      firstDelivery(
        { webhookId: id, event: event.type, eventId: event.id, payload: event.payload },
        Date.parse(event.at),
      ),
    ),
  );
  await storeAndQueue(deliveries, tools);
  return deliveries.length;
}

/** Stored first: a delivery whose message gets lost is found by the sweep. */
export async function storeAndQueue(
  deliveries: readonly Delivery[],
  { deliveries: store, queue, clock }: Pick<QueueingTools, 'deliveries' | 'queue' | 'clock'>,
): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set();
  const existing = await store.create(deliveries, clock.now());
  // Of one that existed nobody knows how far it came, so its worker has to look.
  await queue.send(
    deliveries.map((one) =>
      existing.has(one.id) ? { known: { webhook_id: one.webhook_id, id: one.id } } : { fresh: one },
    ),
  );
  return existing;
}
