import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { inboundWebhookType } from '../inbound/inbound-webhook.ts';
import { rotateInboundSecret } from '../inbound/rotate-inbound-secret.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { secretBox } from '../platform/secret-box.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, SECRETS_KEY, ALLOWED_ORIGIN } = env('RECORDS_TABLE', 'SECRETS_KEY', 'ALLOWED_ORIGIN');
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), inboundWebhookType, clock);
const box = secretBox(kmsClient(), SECRETS_KEY, clock);

export const handler = route(
  inboundWebhookOperations.rotateInboundSecret,
  rotateInboundSecret(change, box, ALLOWED_ORIGIN),
);
