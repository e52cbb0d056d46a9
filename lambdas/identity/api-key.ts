import type { ApiKeyView } from '../../contract/identity.ts';
import { hasRole, type Role, roles } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { AppClient, AppClients } from './app-client-directory.ts';
import type { Consumers } from './consumer-store.ts';

// An API key is an app client of the user pool and a consumer of the gateway's usage plan. It is `making` until both
// exist and `revoking` until both are deleted, so that interrupted work is found and finished (docs/decisions/0018-api-
// keys.md).

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  owner: { id: string; kind: Caller['kind']; email: string };
  state: 'making' | 'active' | 'revoking' | 'revoked';
  /** Null until the app client exists. */
  client_id: string | null;
  created_at: string;
  revoked_at: string | null;
  /** Email of the caller who revoked it. Absent in keys older than the audit log. */
  revoked_by?: string;
}

export function newApiKey(id: string, name: string, role: Role | undefined, caller: Caller, nowMs: number): ApiKey {
  const { id: callerId, kind, email } = caller;
  return {
    id,
    name,
    role: role === undefined ? findHighestRole(caller.roles) : assertGrantable(role, caller.roles),
    owner: { id: callerId, kind, email },
    state: 'making',
    client_id: null,
    created_at: toIso(nowMs),
    revoked_at: null,
  };
}

export function toApiKeyResponse({ id, name, role, owner, created_at }: ApiKey, lastUsedAt: string | null): ApiKeyView {
  return { id, name, role, owner: owner.email, created_at, last_used_at: lastUsedAt };
}

/** From now on the key gets no tokens. The caller is stored for the audit log. */
export function startRevocation(key: ApiKey, caller: Pick<Caller, 'email'>, nowMs: number): ApiKey {
  return { ...key, state: 'revoking', revoked_at: toIso(nowMs), revoked_by: caller.email };
}

export function completeRevocation(key: ApiKey, nowMs: number): ApiKey {
  return { ...key, state: 'revoked', revoked_at: key.revoked_at ?? toIso(nowMs) };
}

/** The client library splits this again. */
export function formatKey({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return `itsm_${Buffer.from(`${clientId}:${clientSecret}`).toString('base64url')}`;
}

/** Other callers must not learn that the key exists. */
export function canManage({ owner }: ApiKey, caller: Caller): boolean {
  return owner.id === caller.id || hasRole(caller.roles, 'super_admin');
}

const namePrefix = 'api-key ';

/** Name of the app client and of the gateway's key; leftovers are found by it. */
export function toConsumerName(keyId: string): string {
  return namePrefix + keyId;
}

/** The id of the key that an app client belongs to; undefined for other clients. */
export function parseKeyId(clientName: string): string | undefined {
  return clientName.startsWith(`${namePrefix}key_`) ? clientName.slice(namePrefix.length) : undefined;
}

function findHighestRole(held: readonly Role[]): Role {
  return requireValue(roles.findLast((role) => held.includes(role)));
}

function assertGrantable(role: Role, held: readonly Role[]): Role {
  if (hasRole(held, role)) return role;
  throw new ServiceError('forbidden', `You need the role ${role} to create a key with it.`);
}

/** The adapters that give a key its access: app client and usage plan. */
export interface AccessTools {
  clients: AppClients;
  consumers: Consumers;
}

export async function grantAccess({ clients, consumers }: AccessTools, { id, role }: ApiKey): Promise<AppClient> {
  const name = toConsumerName(id);
  const client = await clients.create(name, role);
  await consumers.add(name, client.clientId);
  return client;
}

/**
 * Deletes the client first, which stops new tokens. Every step ignores what is already gone, so this can be retried
 * until it succeeds. A client whose id was never stored is found by its name.
 */
export async function revokeAccess({ clients, consumers }: AccessTools, { id, client_id }: ApiKey): Promise<void> {
  const name = toConsumerName(id);
  for (const clientId of client_id === null ? await clients.findIds(name) : [client_id]) await clients.delete(clientId);
  await consumers.remove(name);
}
