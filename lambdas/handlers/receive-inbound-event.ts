import { deployedIdentification } from '../identity/deployed-identification.ts';
import { deployedTools } from '../inbound/deployed-tools.ts';
import { receiveInboundEvent } from '../inbound/receive-inbound-event.ts';
import { receiveRoute } from '../inbound/receive-route.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { secretBox } from '../platform/secret-box.ts';

const { SECRETS_KEY } = env('SECRETS_KEY');
const box = secretBox(kmsClient(), SECRETS_KEY, clock);
const identification = deployedIdentification();

export const handler = receiveRoute(receiveInboundEvent({ ...deployedTools(), box, identification }));
