import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { testInboundWebhook } from '../inbound/test-inbound-webhook.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');

export const handler = route(
  inboundEventOperations.testInboundWebhook,
  testInboundWebhook(itemStore(dynamodbClient(), RECORDS_TABLE)),
);
