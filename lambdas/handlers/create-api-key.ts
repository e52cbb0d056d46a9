import { apiKeyOperations } from '../../contract/api-keys.ts';
import { createApiKey } from '../identity/create-api-key.ts';
import { deployedKeys } from '../identity/deployed-keys.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(apiKeyOperations.createApiKey, createApiKey(deployedKeys()));
