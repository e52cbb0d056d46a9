import { outboundWebhookOperations } from '../../contract/outbound-webhooks.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { deleteOutboundWebhook } from '../webhooks/delete-outbound-webhook.ts';
import { outboundWebhookType } from '../webhooks/outbound-webhook.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), outboundWebhookType, clock);

export const handler = route(outboundWebhookOperations.deleteOutboundWebhook, deleteOutboundWebhook(change));
