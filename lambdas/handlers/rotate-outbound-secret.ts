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
import { rotateOutboundSecret } from '../webhooks/rotate-outbound-secret.ts';

const { RECORDS_TABLE, SECRETS_KEY } = env('RECORDS_TABLE', 'SECRETS_KEY');
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), outboundWebhookType, clock);
const box = secretBox(kmsClient(), SECRETS_KEY, clock);

export const handler = route(outboundWebhookOperations.rotateOutboundSecret, rotateOutboundSecret(change, box));
