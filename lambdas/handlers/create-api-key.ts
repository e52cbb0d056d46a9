import { routes } from '../../contract/routes.ts';
import { createApiKey } from '../identity/create-api-key.ts';
import { deployedKeys } from '../identity/deployed-keys.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(routes.createApiKey, createApiKey(deployedKeys()));
