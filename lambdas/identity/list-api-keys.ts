import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { newestFirst, pageOfAll } from '../lists/few-records.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { showApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { isShown } from './delete-api-key.ts';

export function listApiKeys(keys: Pick<ApiKeyStore, 'all'>, seal: CursorSeal): UseCase<typeof routes.listApiKeys> {
  return async ({ query }, { caller }) => {
    const owner = hasRole(caller.roles, 'super_admin') ? undefined : caller.id;
    const all = (await keys.all()).map(({ key, lastUsedAt }) => ({ ...key, lastUsedAt }));
    const own = all.filter((key) => isShown(key) && (owner === undefined || key.owner.id === owner));
    const list = `API keys of ${owner ?? 'all'}`;
    return {
      status: 200,
      body: pageOfAll(newestFirst(own), query, seal, list, (key) => showApiKey(key, key.lastUsedAt)),
    };
  };
}
