import { outboundWebhookOperations } from '../../contract/outbound-webhooks.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';
import { getOutboundWebhook } from '../webhooks/get-outbound-webhook.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');

export const handler = route(
  outboundWebhookOperations.getOutboundWebhook,
  getOutboundWebhook(itemStore(dynamodbClient(), RECORDS_TABLE)),
);
