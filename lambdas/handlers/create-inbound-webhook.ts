import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { createInboundWebhook } from '../inbound/create-inbound-webhook.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { secretBox } from '../platform/secret-box.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, SECRETS_KEY, ALLOWED_ORIGIN } = env('RECORDS_TABLE', 'SECRETS_KEY', 'ALLOWED_ORIGIN');
const store = itemStore(dynamodbClient(), RECORDS_TABLE);
const box = secretBox(kmsClient(), SECRETS_KEY, clock);

export const handler = route(
  inboundWebhookOperations.createInboundWebhook,
  createInboundWebhook(store, box, ALLOWED_ORIGIN),
);
