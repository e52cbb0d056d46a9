import { apiKeyOperations } from '../../contract/api-keys.ts';
import { apiKeyStore } from '../identity/api-key-store.ts';
import { listApiKeys } from '../identity/list-api-keys.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal, deployedStore } from '../records/deployed-records.ts';

export const handler = route(apiKeyOperations.listApiKeys, listApiKeys(apiKeyStore(deployedStore()), deployedSeal()));
