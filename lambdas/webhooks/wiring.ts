import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { createEventStore, createRecordStore } from '../records/wiring.ts';
import type { DeliverAgainTools } from './deliver-again.ts';
import { deliveryQueue } from './delivery-queue.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { type OutboundWebhookList, outboundWebhookList } from './outbound-webhook-list.ts';

/** Everything that a function needs to queue deliveries. */
export function createDeliveryTools(): DeliverAgainTools & { webhooks: OutboundWebhookList } {
  const { DELIVERY_QUEUE_URL, SLOW_DELIVERY_QUEUE_URL } = env('DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL');
  const records = createRecordStore();
  return {
    records,
    events: createEventStore(),
    webhooks: outboundWebhookList(records),
    deliveries: createDeliveryStore(),
    queue: deliveryQueue(sqsClient(), { quick: DELIVERY_QUEUE_URL, slow: SLOW_DELIVERY_QUEUE_URL }),
    clock,
  };
}
