import { outboundWebhookOperations } from '../../contract/outbound-webhooks.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { secretBox } from '../platform/secret-box.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { outboundWebhookType } from '../webhooks/outbound-webhook.ts';
import type { LoopbackRule } from '../webhooks/receiver-address.ts';
import { updateOutboundWebhook } from '../webhooks/update-outbound-webhook.ts';

const { RECORDS_TABLE, SECRETS_KEY, LOOPBACK_RECEIVERS } = env('RECORDS_TABLE', 'SECRETS_KEY', 'LOOPBACK_RECEIVERS');
const store = itemStore(dynamodbClient(), RECORDS_TABLE);
const change = recordChanger(store, outboundWebhookType, clock);
const box = secretBox(kmsClient(), SECRETS_KEY, clock);
const useCase = updateOutboundWebhook(store, change, box, LOOPBACK_RECEIVERS as LoopbackRule);

export const handler = route(outboundWebhookOperations.updateOutboundWebhook, useCase);
