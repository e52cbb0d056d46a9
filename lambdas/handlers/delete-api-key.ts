import { apiKeyOperations } from '../../contract/api-keys.ts';
import { deleteApiKey } from '../identity/delete-api-key.ts';
import { deployedKeys } from '../identity/deployed-keys.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(apiKeyOperations.deleteApiKey, deleteApiKey(deployedKeys()));
