import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { remembered } from '../platform/remembered.ts';
import { secretBox } from '../platform/secret-box.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { recordSortKey, toRecord } from '../records/record-item.ts';
import { ownerAlert } from './alert.ts';
import type { WorkerTools } from './attempt-deliveries.ts';
import { deliveryStore } from './delivery-store.ts';
import { disableWebhook } from './disable-webhook.ts';
import { type OutboundDocument, outboundWebhookType } from './outbound-webhook.ts';
import { receiver } from './receiver.ts';
import { addressRule, type LoopbackRule } from './receiver-address.ts';
import { watchReceivers } from './slow-receivers.ts';

/** Deactivating a webhook stops what is on its way within this time. */
const rememberedMs = 1_000;

/** What the function needs that makes attempts, from its environment. */
export function deployedAttempts(): Omit<WorkerTools, 'machine'> {
  const { RECORDS_TABLE, EVENTS_TABLE, SECRETS_KEY, SERVICE_VERSION, LOOPBACK_RECEIVERS } = env(
    'RECORDS_TABLE',
    'EVENTS_TABLE',
    'SECRETS_KEY',
    'SERVICE_VERSION',
    'LOOPBACK_RECEIVERS',
  );
  const records = itemStore(dynamodbClient(), RECORDS_TABLE);
  return {
    deliveries: deliveryStore(dynamodbClient(), EVENTS_TABLE),
    findWebhook: remembered(
      async (webhookId) => {
        const item = await records.get(webhookId, recordSortKey);
        return item && toRecord<OutboundDocument>(item);
      },
      rememberedMs,
      clock.now,
    ),
    post: receiver(addressRule(LOOPBACK_RECEIVERS as LoopbackRule)),
    watch: watchReceivers(records, clock, log),
    box: secretBox(kmsClient(), SECRETS_KEY, clock),
    alert: ownerAlert(records),
    disable: disableWebhook(recordChanger(records, outboundWebhookType, clock)),
    clock,
    log,
    version: SERVICE_VERSION,
  };
}
