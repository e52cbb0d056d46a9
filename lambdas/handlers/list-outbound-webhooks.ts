import { outboundWebhookOperations } from '../../contract/outbound-webhooks.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { cursorSeal } from '../records/cursor.ts';
import { itemStore } from '../records/item-store.ts';
import { listOutboundWebhooks } from '../webhooks/list-outbound-webhooks.ts';
import { outboundWebhookList } from '../webhooks/outbound-webhook-list.ts';

const { RECORDS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'CURSOR_KEY');
const webhooks = outboundWebhookList(itemStore(dynamodbClient(), RECORDS_TABLE));

export const handler = route(
  outboundWebhookOperations.listOutboundWebhooks,
  listOutboundWebhooks(webhooks, cursorSeal(CURSOR_KEY)),
);
