import { apiGatewayClient } from '../platform/clients/api-gateway.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { env } from '../platform/env.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { apiKeyStore } from './api-key-store.ts';
import { userPoolAppClients } from './app-client-directory.ts';
import { planConsumers } from './consumer-store.ts';
import type { KeyTools } from './create-api-key.ts';

/** What it takes to make and to revoke API keys inside Lambda, from the function's environment. */
export function deployedKeys(): KeyTools {
  const { USER_POOL_ID, CONSUMERS_PLAN } = env('USER_POOL_ID', 'CONSUMERS_PLAN');
  const store = deployedStore();
  return {
    store,
    keys: apiKeyStore(store),
    clients: userPoolAppClients(cognitoClient(), USER_POOL_ID),
    consumers: planConsumers(apiGatewayClient(), CONSUMERS_PLAN),
  };
}
