import { authorizer } from '../identity/authorizer.ts';
import { userPoolDirectory } from '../identity/directory.ts';
import { remoteKeys, tokenVerifier } from '../identity/token-verifier.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';

const { ISSUER, JWKS_URL, USER_POOL_ID, SERVICE_DOMAIN } = env('ISSUER', 'JWKS_URL', 'USER_POOL_ID', 'SERVICE_DOMAIN');

export const handler = authorizer(
  {
    verify: tokenVerifier(remoteKeys(JWKS_URL), ISSUER, clock),
    directory: userPoolDirectory(cognitoClient(), USER_POOL_ID),
    serviceDomain: SERVICE_DOMAIN,
  },
  log,
);
