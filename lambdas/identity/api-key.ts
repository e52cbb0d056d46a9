import type { ApiKeyView } from '../../contract/api-keys.ts';
import { hasRole, type Role, roles } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { AppClient, AppClients } from './app-client-directory.ts';
import type { Consumers } from './consumer-store.ts';

// An API key is an app client of the user pool and a consumer of the gateway's usage plan; this is what we know of it
// besides. It is `making` until both exist and `revoking` until both are gone, so that whatever stops in between is
// found and finished (docs/decisions/0018-api-keys.md).

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
  /** The address of who revoked it. Absent in keys from before the audit log. */
  revoked_by?: string;
}

export function newApiKey(id: string, name: string, role: Role | undefined, caller: Caller, nowMs: number): ApiKey {
  const { id: callerId, kind, email } = caller;
  return {
    id,
    name,
    role: role === undefined ? highestOf(caller.roles) : allowed(role, caller.roles),
    owner: { id: callerId, kind, email },
    state: 'making',
    client_id: null,
    created_at: new Date(nowMs).toISOString(),
    revoked_at: null,
  };
}

export function showApiKey({ id, name, role, owner, created_at }: ApiKey, lastUsedAt: string | null): ApiKeyView {
  return { id, name, role, owner: owner.email, created_at, last_used_at: lastUsedAt };
}

/** From this moment on it gets no token; who did it is kept for the audit log. */
export function revoking(key: ApiKey, caller: Pick<Caller, 'email'>, nowMs: number): ApiKey {
  return { ...key, state: 'revoking', revoked_at: new Date(nowMs).toISOString(), revoked_by: caller.email };
}

export function revoked(key: ApiKey, nowMs: number): ApiKey {
  return { ...key, state: 'revoked', revoked_at: key.revoked_at ?? new Date(nowMs).toISOString() };
}

/** The form that the SDK takes apart again. */
export function keyText({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return `itsm_${Buffer.from(`${clientId}:${clientSecret}`).toString('base64url')}`;
}

/** Others may not even learn that a key exists. */
export function mayManage({ owner }: ApiKey, caller: Caller): boolean {
  return owner.id === caller.id || hasRole(caller.roles, 'super_admin');
}

const namePrefix = 'api-key ';

/** What the app client and the gateway's key are called: by this name leftovers are found. */
export function consumerName(keyId: string): string {
  return namePrefix + keyId;
}

/** The id of the key that an app client belongs to; undefined for any other client. */
export function keyIdIn(clientName: string): string | undefined {
  return clientName.startsWith(`${namePrefix}key_`) ? clientName.slice(namePrefix.length) : undefined;
}

function highestOf(held: readonly Role[]): Role {
  return roles.findLast((role) => held.includes(role))!;
}

function allowed(role: Role, held: readonly Role[]): Role {
  if (hasRole(held, role)) return role;
  throw new ServiceError('forbidden', `You need the role ${role} to create a key with it.`);
}

/** What makes a key work: its app client and its place in the usage plan. */
export interface AccessTools {
  clients: AppClients;
  consumers: Consumers;
}

export async function giveAccess({ clients, consumers }: AccessTools, { id, role }: ApiKey): Promise<AppClient> {
  const name = consumerName(id);
  const client = await clients.create(name, role);
  await consumers.add(name, client.clientId);
  return client;
}

/**
 * The client first: with it go all further tokens. What is gone already is no error, so this may be done again and again
 * until it succeeds. A client whose id never arrived here is found by its name.
 */
export async function takeAccess({ clients, consumers }: AccessTools, { id, client_id }: ApiKey): Promise<void> {
  const name = consumerName(id);
  for (const clientId of client_id === null ? await clients.idsOf(name) : [client_id]) await clients.delete(clientId);
  await consumers.remove(name);
}
