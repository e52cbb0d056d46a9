import type { routes } from '../../contract/routes.ts';
import type { Answer } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { findRecord, notFound } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Delivery, showSummary } from './delivery.ts';
import type { DeliveryKey, DeliveryStore } from './delivery-store.ts';
import type { OutboundDocument, OutboundRecord } from './outbound-webhook.ts';
import { deliveryLocation } from './outbound-webhook-answer.ts';
import { type QueueingTools, storeAndQueue } from './queue-deliveries.ts';

// What pings, replays and recoveries have in common.

export interface DeliverAgainTools extends Pick<QueueingTools, 'queue' | 'clock'> {
  records: Pick<ItemStore, 'get'>;
  deliveries: DeliveryStore;
}

/** Repeats of a request with the same key are one occasion; requests without a key are one each. */
export function occasionOf(headers: { 'Idempotency-Key'?: string | undefined }, callerId: string): string {
  const key = headers['Idempotency-Key'];
  return key === undefined ? newId('delivery') : `${callerId} ${key}`;
}

export async function activeWebhook(id: string, { records }: DeliverAgainTools): Promise<OutboundRecord> {
  const record = await findRecord<OutboundDocument>(records, id);
  if (!record.document.active) {
    throw new ServiceError('webhook_inactive', 'The webhook is not active. Activate it first.');
  }
  return record;
}

export async function findDelivery(key: DeliveryKey, { deliveries }: Pick<DeliverAgainTools, 'deliveries'>) {
  const delivery = await deliveries.find(key);
  if (!delivery) throw notFound(key.deliveryId);
  return delivery;
}

/** Starts a delivery and says where to look for it; one that is there already is shown as it is. */
export async function started(
  delivery: Delivery,
  tools: DeliverAgainTools,
): Promise<Answer<typeof routes.replayDelivery>> {
  const existing = await storeAndQueue([delivery], tools);
  const key = { webhookId: delivery.webhook_id, deliveryId: delivery.id };
  const repeated = existing.has(delivery.id);
  return {
    status: 202,
    headers: {
      Location: deliveryLocation(delivery.webhook_id, delivery.id),
      ...(repeated && { 'Idempotent-Replayed': 'true' }),
    },
    body: showSummary(repeated ? await findDelivery(key, tools) : delivery),
  };
}
