import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { deleteInboundWebhook } from '../inbound/delete-inbound-webhook.ts';
import { inboundWebhookType } from '../inbound/inbound-webhook.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), inboundWebhookType, clock);

export const handler = route(inboundWebhookOperations.deleteInboundWebhook, deleteInboundWebhook(change));
