import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { itemStore } from '../records/item-store.ts';
import type { DeliverAgainTools } from './deliver-again.ts';
import { deliveryQueue } from './delivery-queue.ts';
import { deliveryStore } from './delivery-store.ts';
import { type OutboundWebhookList, outboundWebhookList } from './outbound-webhook-list.ts';

/** What the functions need that start deliveries, from their environment. */
export function deployedQueueing(): DeliverAgainTools & { webhooks: OutboundWebhookList } {
  const { RECORDS_TABLE, EVENTS_TABLE, DELIVERY_QUEUE_URL, SLOW_DELIVERY_QUEUE_URL } = env(
    'RECORDS_TABLE',
    'EVENTS_TABLE',
    'DELIVERY_QUEUE_URL',
    'SLOW_DELIVERY_QUEUE_URL',
  );
  const records = itemStore(dynamodbClient(), RECORDS_TABLE);
  return {
    records,
    events: itemStore(dynamodbClient(), EVENTS_TABLE),
    webhooks: outboundWebhookList(records),
    deliveries: deliveryStore(dynamodbClient(), EVENTS_TABLE),
    queue: deliveryQueue(sqsClient(), { quick: DELIVERY_QUEUE_URL, slow: SLOW_DELIVERY_QUEUE_URL }),
    clock,
  };
}
