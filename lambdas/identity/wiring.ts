import { cognitoClient } from '../platform/clients/cognito.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { remoteKeys, tokenVerifier, userInfoCheck } from './access-token.ts';
import { keyUse } from './api-key-store.ts';
import type { Identification } from './authorizer.ts';
import { userPoolDirectory } from './directory.ts';

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
