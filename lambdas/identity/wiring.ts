import { cognitoClient } from '../platform/clients/cognito.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { keyUse } from './api-key-store.ts';
import { userPoolDirectory } from './directory.ts';
import type { Identification } from './identify-caller.ts';
import { userInfoCheck } from './session-check.ts';
import { remoteKeys, tokenVerifier } from './token-verifier.ts';

/** The dependencies of `identifyCaller`, created from the function's environment. */
export function createIdentification(): Identification {
  const { ISSUER, JWKS_URL, USER_INFO_URL, USER_POOL_ID, SERVICE_DOMAIN, RECORDS_TABLE } = env(
    'ISSUER',
    'JWKS_URL',
    'USER_INFO_URL',
    'USER_POOL_ID',
    'SERVICE_DOMAIN',
    'RECORDS_TABLE',
  );
  return {
    verify: tokenVerifier(remoteKeys(JWKS_URL), ISSUER, clock),
    directory: userPoolDirectory(cognitoClient(), USER_POOL_ID),
    isSessionOpen: userInfoCheck(USER_INFO_URL),
    noteUse: keyUse(dynamodbClient(), RECORDS_TABLE),
    serviceDomain: SERVICE_DOMAIN,
    clock,
  };
}
