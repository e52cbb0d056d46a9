import { cognitoClient } from '../platform/clients/cognito.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { createRemoteKeys, createSessionCheck, createTokenVerifier } from './access-token.ts';
import { createUseRecorder } from './api-key-store.ts';
import type { Identification } from './authorizer.ts';
import { createDirectory } from './directory.ts';

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
    verify: createTokenVerifier(createRemoteKeys(JWKS_URL), ISSUER, clock),
    directory: createDirectory(cognitoClient(), USER_POOL_ID),
    isSessionOpen: createSessionCheck(USER_INFO_URL),
    recordUse: createUseRecorder(dynamodbClient(), RECORDS_TABLE),
    serviceDomain: SERVICE_DOMAIN,
    clock,
  };
}
