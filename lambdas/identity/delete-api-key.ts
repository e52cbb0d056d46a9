import type { routes } from '../../contract/routes.ts';
import type { Clock } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { notFound } from '../records/find-record.ts';
import { type ApiKey, mayManage, revoked, revoking } from './api-key.ts';
import { type AccessTools, takeAccess } from './api-key-access.ts';
import type { ApiKeyStore } from './api-key-store.ts';

export interface RevocationTools extends AccessTools {
  keys: ApiKeyStore;
}

export function deleteApiKey(tools: RevocationTools): UseCase<typeof routes.deleteApiKey> {
  return async ({ params: { id } }, { caller, clock }) => {
    const key = (await tools.keys.get(id))?.key;
    if (!key || !isShown(key) || !mayManage(key, caller)) throw notFound(id);
    const begun = key.state === 'active' ? revoking(key, caller, clock.now()) : key;
    // False means that a concurrent request began the revocation; both finish it, since every step can be repeated.
    if (key.state === 'active') await tools.keys.move(key, begun);
    await finishRevocation(tools, begun, clock);
    return { status: 204 };
  };
}

/** Once begun, a revocation is finished by whoever comes next: the caller who tries again, or the sweep. */
export async function finishRevocation(tools: RevocationTools, key: ApiKey, clock: Clock): Promise<void> {
  await takeAccess(tools, key);
  await tools.keys.move(key, revoked(key, clock.now()));
}

/** One that is being made has not been given to anybody yet. */
export function isShown({ state }: ApiKey): boolean {
  return state === 'active' || state === 'revoking';
}
