import { maxKeysPerOwner } from '../../contract/identity.ts';
import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { cutPageOfAll, sortNewestFirst } from '../lists/feed-store.ts';
import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { OperationResponse, UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import { notFound } from '../records/change-record.ts';
import {
  type IdempotentRequest,
  toExpiredResponseWrite,
  toIdempotentRequest,
  writeOnce,
} from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { CursorSeal } from '../records/page.ts';
import {
  type AccessTools,
  type ApiKey,
  type ApiKeyStore,
  buildReservation,
  canManage,
  completeRevocation,
  formatKey,
  grantAccess,
  hashKey,
  newApiKey,
  revokeAccess,
  startRevocation,
  toApiKeyResponse,
} from './api-key-store.ts';

export interface KeyTools extends AccessTools {
  store: Pick<ItemStore, 'transact'>;
  keys: ApiKeyStore;
}

type Route = typeof routes.createApiKey;

/**
 * Reserves the key together with the response for retries, which contains no secret, and then creates its access. If a
 * step fails, the previous steps are undone; if that fails, too, the sweep undoes them.
 */
export function createApiKey(tools: KeyTools): UseCase<Route> {
  return async ({ body, headers }, { caller, clock, log, requestId }) => {
    await rejectApiKeys(tools.keys, caller);
    const nowMs = clock.now();
    const idempotentRequest = toIdempotentRequest('createApiKey', caller, headers, body);
    const key = newApiKey(newId('apiKey'), body.name, body.role, caller, nowMs);
    const reserved = await writeOnce(tools.store, idempotentRequest, nowMs, () => ({
      writes: buildReservation(key),
      response: { status: 201 as const, headers: {}, body: toApiKeyResponse(key, null) },
      onConditionFailed: rejectAboveLimit,
    }));
    if (reserved.body.id !== key.id) return replayCreation(tools, reserved);
    try {
      const client = await grantAccess(tools, key);
      const secret = formatKey(client);
      const active: ApiKey = { ...key, state: 'active', client_id: client.clientId, hash: hashKey(secret) };
      if (!(await tools.keys.move(key, active))) throw new Error(`${key.id} timed out and was revoked by the sweep`);
      return { ...reserved, body: { ...reserved.body, key: secret } };
    } catch (error) {
      log('error', 'failed to create an API key', { request_id: requestId, key: key.id, ...toErrorFields(error) });
      await undoCreation(tools, key, idempotentRequest, clock.now(), log);
      // A quota of the account, not of the caller: trying again does not help.
      if (error instanceof Error && error.name === 'LimitExceededException') throw rejectAboveQuota(error);
      throw new ServiceError('unavailable', 'The API key could not be created. Try again.', { cause: error });
    }
  };
}

/** A leaked key must not be able to create keys that outlive it. */
async function rejectApiKeys(keys: ApiKeyStore, { kind, clientId }: Caller): Promise<void> {
  if (kind !== 'client') return;
  const known = (await keys.all()).some(({ key }) => key.client_id === clientId);
  if (known) throw new ServiceError('forbidden', 'An API key cannot create API keys.');
}

function rejectAboveLimit(by: string): void {
  if (by !== 'count') return;
  throw new ServiceError('limit_reached', `You can have up to ${maxKeysPerOwner} API keys. Revoke one first.`);
}

function rejectAboveQuota(cause: Error): ServiceError {
  const detail =
    'The deployment has no room for another API key. Revoke unused keys, or ask an administrator to raise the quota.';
  return new ServiceError('limit_reached', detail, { cause });
}

/** Only the user pool stores the secret, so read it from there again. */
async function replayCreation(
  { keys, clients }: KeyTools,
  { body, ...response }: { status: 201; headers: Record<string, string>; body: ReturnType<typeof toApiKeyResponse> },
): Promise<OperationResponse<Route>> {
  const key = (await keys.get(body.id))?.key;
  if (key?.state === 'making') {
    throw new ServiceError('idempotency_key_in_flight', 'Another request with this Idempotency-Key is in progress.');
  }
  if (key?.state !== 'active') {
    throw new ServiceError('idempotency_key_reused', 'The API key created with this Idempotency-Key was revoked.');
  }
  return { ...response, body: { ...body, key: formatKey(await clients.read(requireValue(key.client_id))) } };
}

async function undoCreation(
  tools: KeyTools,
  key: ApiKey,
  idempotentRequest: IdempotentRequest | undefined,
  nowMs: number,
  log: Log,
): Promise<void> {
  try {
    await revokeAccess(tools, key);
    await tools.keys.move(
      key,
      completeRevocation(key, nowMs),
      idempotentRequest ? [toExpiredResponseWrite(idempotentRequest, nowMs)] : [],
    );
  } catch (error) {
    log('warn', 'failed to undo an API key creation; the sweep will retry', { key: key.id, ...toErrorFields(error) });
  }
}

export function listApiKeys(keys: Pick<ApiKeyStore, 'all'>, seal: CursorSeal): UseCase<typeof routes.listApiKeys> {
  return async ({ query }, { caller }) => {
    const owner = hasRole(caller.roles, 'super_admin') ? undefined : caller.id;
    const all = (await keys.all()).map(({ key, lastUsedAt }) => ({ ...key, lastUsedAt }));
    const own = all.filter((key) => isVisible(key) && (owner === undefined || key.owner.id === owner));
    const list = `API keys of ${owner ?? 'all'}`;
    return {
      status: 200,
      body: cutPageOfAll(sortNewestFirst(own), query, seal, list, (key) => toApiKeyResponse(key, key.lastUsedAt)),
    };
  };
}

export interface RevocationTools extends AccessTools {
  keys: ApiKeyStore;
}

export function deleteApiKey(tools: RevocationTools): UseCase<typeof routes.deleteApiKey> {
  return async ({ params: { id } }, { caller, clock }) => {
    const key = (await tools.keys.get(id))?.key;
    if (!key || !isVisible(key) || !canManage(key, caller)) throw notFound(id);
    const begun = key.state === 'active' ? startRevocation(key, caller, clock.now()) : key;
    // False means that a concurrent request started the revocation. Both finish it, because every step is idempotent.
    if (key.state === 'active') await tools.keys.move(key, begun);
    await finishRevocation(tools, begun, clock);
    return { status: 204 };
  };
}

/** Finishes a revocation that has started; a retry or the sweep may call it again. */
export async function finishRevocation(tools: RevocationTools, key: ApiKey, clock: Clock): Promise<void> {
  await revokeAccess(tools, key);
  await tools.keys.move(key, completeRevocation(key, clock.now()));
}

/** A key that is being created has not been returned to anybody yet. */
export function isVisible({ state }: ApiKey): boolean {
  return state === 'active' || state === 'revoking';
}

// Finishes interrupted work: keys that were never returned to anybody, and unfinished revocations.

export interface SweepTools extends RevocationTools {
  clock: Clock;
  log: Log;
}

/** Longer than the timeout of the function that creates keys. */
const creationTimeoutMs = 5 * 60_000;

export async function sweepApiKeys(tools: SweepTools): Promise<void> {
  const { keys, clock, log } = tools;
  const interrupted = (await keys.all()).map(({ key }) => key).filter((key) => isInterrupted(key, clock.now()));
  let failures = 0;
  for (const key of interrupted) {
    await finishRevocation(tools, key, clock).catch((error: unknown) => {
      failures++;
      log('error', 'failed to revoke an API key', { key: key.id, ...toErrorFields(error) });
    });
  }
  if (interrupted.length > 0) log('warn', 'revoked interrupted API keys', { found: interrupted.length, failures });
  if (failures > 0) throw new Error(`${failures} API keys could not be revoked`);
}

function isInterrupted({ state, created_at }: ApiKey, nowMs: number): boolean {
  return state === 'revoking' || (state === 'making' && Date.parse(created_at) + creationTimeoutMs < nowMs);
}
