import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { inboundWebhookType } from '../inbound/inbound-webhook.ts';
import { listInboundWebhooks } from '../inbound/list-inbound-webhooks.ts';
import { feedStore } from '../lists/feed-store.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { cursorSeal } from '../records/cursor.ts';

const { RECORDS_TABLE, CURSOR_KEY, ALLOWED_ORIGIN } = env('RECORDS_TABLE', 'CURSOR_KEY', 'ALLOWED_ORIGIN');
const feed = feedStore(dynamodbClient(), RECORDS_TABLE, inboundWebhookType.name);

export const handler = route(
  inboundWebhookOperations.listInboundWebhooks,
  listInboundWebhooks(feed, cursorSeal(CURSOR_KEY), ALLOWED_ORIGIN),
);
