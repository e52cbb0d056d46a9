import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { getInboundWebhook } from '../inbound/get-inbound-webhook.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, ALLOWED_ORIGIN } = env('RECORDS_TABLE', 'ALLOWED_ORIGIN');

export const handler = route(
  inboundWebhookOperations.getInboundWebhook,
  getInboundWebhook(itemStore(dynamodbClient(), RECORDS_TABLE), ALLOWED_ORIGIN),
);
