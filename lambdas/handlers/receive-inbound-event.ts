import { userPoolDirectory } from '../identity/directory.ts';
import { remoteKeys, tokenVerifier } from '../identity/token-verifier.ts';
import { deployedTools } from '../inbound/deployed-tools.ts';
import { receiveInboundEvent } from '../inbound/receive-inbound-event.ts';
import { receiveRoute } from '../inbound/receive-route.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { kmsClient } from '../platform/clients/kms.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { secretBox } from '../platform/secret-box.ts';

const { ISSUER, JWKS_URL, USER_POOL_ID, SECRETS_KEY } = env('ISSUER', 'JWKS_URL', 'USER_POOL_ID', 'SECRETS_KEY');
const tools = deployedTools();
const identification = {
  verify: tokenVerifier(remoteKeys(JWKS_URL), ISSUER, clock),
  directory: userPoolDirectory(cognitoClient(), USER_POOL_ID),
  serviceDomain: tools.serviceDomain,
};
const box = secretBox(kmsClient(), SECRETS_KEY, clock);

export const handler = receiveRoute(receiveInboundEvent({ ...tools, box, identification }));
