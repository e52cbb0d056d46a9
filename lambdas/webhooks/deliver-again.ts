import type { routes } from '../../contract/routes.ts';
import type { Answer } from '../platform/http/answer.ts';
import { ServiceError } from '../platform/service-error.ts';
import { findRecord, notFound } from '../records/find-record.ts';
import { type Repeatable, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Delivery, showSummary } from './delivery.ts';
import { creation } from './delivery-item.ts';
import type { DeliveryKey, DeliveryStore } from './delivery-store.ts';
import type { OutboundDocument, OutboundRecord } from './outbound-webhook.ts';
import { deliveryLocation } from './outbound-webhook-answer.ts';
import type { QueueingTools } from './queue-deliveries.ts';

// What pings, replays and recoveries have in common.

export interface DeliverAgainTools extends Pick<QueueingTools, 'queue' | 'clock'> {
  records: Pick<ItemStore, 'get'>;
  /** The table of the deliveries. */
  events: Pick<ItemStore, 'transact'>;
  deliveries: DeliveryStore;
}

export async function activeWebhook(id: string, { records }: DeliverAgainTools): Promise<OutboundRecord> {
  const record = await findRecord<OutboundDocument>(records, id);
  if (!record.document.active) {
    throw new ServiceError('webhook_inactive', 'The webhook is inactive. Activate it first.');
  }
  return record;
}

export async function findDelivery(key: DeliveryKey, { deliveries }: Pick<DeliverAgainTools, 'deliveries'>) {
  const delivery = await deliveries.find(key);
  if (!delivery) throw notFound(key.deliveryId);
  return delivery;
}

/**
 * Starts a delivery and says where to look for it. A repeat of the request gets the first answer and starts nothing; when
 * whoever came first died before telling the workers, the sweep does.
 */
export async function started(
  delivery: Delivery,
  asked: Repeatable | undefined,
  { events, queue, clock }: DeliverAgainTools,
): Promise<Answer<typeof routes.replayDelivery>> {
  const nowMs = clock.now();
  const answer = await writeOnce(events, asked, nowMs, () => ({
    writes: [creation(delivery, nowMs, delivery.id)],
    answer: {
      status: 202 as const,
      headers: { Location: deliveryLocation(delivery.webhook_id, delivery.id) },
      body: showSummary(delivery),
    },
    // Its id has a random part of its own.
    refused: (by) => {
      throw new Error(`the new delivery ${by} exists`);
    },
  }));
  if (answer.body.id === delivery.id) await queue.send('quick', [{ fresh: delivery }]);
  return answer;
}
