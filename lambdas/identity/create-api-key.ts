import { mostKeysPerOwner } from '../../contract/api-keys.ts';
import type { routes } from '../../contract/routes.ts';
import type { Caller } from '../platform/caller.ts';
import type { Answer, UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { errorFields, type Log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import { answerForgotten, type Repeatable, repeatable } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { writeOnce } from '../records/write-once.ts';
import { type ApiKey, keyText, newApiKey, revoked, showApiKey } from './api-key.ts';
import { type AccessTools, giveAccess, takeAccess } from './api-key-access.ts';
import { type ApiKeyStore, reservation } from './api-key-store.ts';

export interface KeyTools extends AccessTools {
  store: Pick<ItemStore, 'transact'>;
  keys: ApiKeyStore;
}

type Route = typeof routes.createApiKey;

/**
 * First the key is reserved, together with the answer for repeats, which holds no secret; then it is made. When a step
 * fails, the steps before it are taken back; should that fail, too, the sweep does it.
 */
export function createApiKey(tools: KeyTools): UseCase<Route> {
  return async ({ body, headers }, { caller, clock, log, requestId }) => {
    await refuseKeys(tools.keys, caller);
    const nowMs = clock.now();
    const asked = repeatable('createApiKey', caller, headers, body);
    const key = newApiKey(newId('apiKey'), body.name, body.role, caller, nowMs);
    const reserved = await writeOnce(tools.store, asked, nowMs, () => ({
      writes: reservation(key),
      answer: { status: 201 as const, headers: {}, body: showApiKey(key, null) },
      refused: refuseMore,
    }));
    if (reserved.body.id !== key.id) return repeated(tools, reserved);
    try {
      const client = await giveAccess(tools, key);
      const active: ApiKey = { ...key, state: 'active', client_id: client.clientId };
      if (!(await tools.keys.move(key, active))) throw new Error(`${key.id} took too long and was given up`);
      return { ...reserved, body: { ...reserved.body, key: keyText(client) } };
    } catch (error) {
      log('error', 'an API key could not be made', { request_id: requestId, key: key.id, ...errorFields(error) });
      await takeBack(tools, key, asked, clock.now(), log);
      throw new ServiceError('unavailable', 'The API key could not be created. Try again.', { cause: error });
    }
  };
}

/** A key that leaked must not be able to make others that survive it. */
async function refuseKeys(keys: ApiKeyStore, { kind, clientId }: Caller): Promise<void> {
  if (kind !== 'client') return;
  const known = (await keys.all()).some(({ key }) => key.client_id === clientId);
  if (known) throw new ServiceError('forbidden', 'An API key cannot create API keys.');
}

function refuseMore(by: string): void {
  if (by !== 'count') return;
  throw new ServiceError('limit_reached', `You can have up to ${mostKeysPerOwner} API keys. Revoke one first.`);
}

/** The secret is read from the user pool once more, which alone has it. */
async function repeated(
  { keys, clients }: KeyTools,
  { body, ...answer }: { status: 201; headers: Record<string, string>; body: ReturnType<typeof showApiKey> },
): Promise<Answer<Route>> {
  const key = (await keys.get(body.id))?.key;
  if (key?.state === 'making') {
    throw new ServiceError('idempotency_key_in_flight', 'Another request with this Idempotency-Key is in progress.');
  }
  if (key?.state !== 'active') {
    throw new ServiceError('idempotency_key_reused', 'The API key created with this Idempotency-Key was revoked.');
  }
  return { ...answer, body: { ...body, key: keyText(await clients.read(key.client_id!)) } };
}

async function takeBack(
  tools: KeyTools,
  key: ApiKey,
  asked: Repeatable | undefined,
  nowMs: number,
  log: Log,
): Promise<void> {
  try {
    await takeAccess(tools, key);
    await tools.keys.move(key, revoked(key, nowMs), asked ? [answerForgotten(asked)] : []);
  } catch (error) {
    log('warn', 'what was made of an API key is left to the sweep', { key: key.id, ...errorFields(error) });
  }
}
