import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { type ApiKeyView, maxKeysPerOwner } from '../../contract/identity.ts';
import { idFormats } from '../../contract/ids.ts';
import { hasRole, type Role, roles } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import { type Write, writeWithRetry } from '../records/write-items.ts';
import type { AppClient, AppClients, Consumers } from './app-client-directory.ts';

// The user pool has at most a thousand app clients, so all keys fit into one partition and one query.
//
// | Access pattern                    | Call               | Key                                       |
// |-----------------------------------|--------------------|-------------------------------------------|
// | all keys                          | Query              | pk = api-keys, sk = key_…                 |
// | one key                           | GetItem            | the same                                  |
// | number of keys of an owner        | with each change   | pk = api-keys, sk = count#<owner id>      |
// | record the use of a key           | UpdateItem         | pk = api-keys, sk = key_…                 |
// | verify a key sent as bearer token | GetItem            | pk = api-keys, sk = hash#<SHA-256>        |

interface StoredApiKey {
  key: ApiKey;
  lastUsedAt: string | null;
}

export interface ApiKeyStore {
  all(): Promise<StoredApiKey[]>;
  get(id: string): Promise<StoredApiKey | undefined>;
  /** False when the key is no longer in the expected state. */
  move(before: ApiKey, after: ApiKey, more?: readonly Write[]): Promise<boolean>;
}

export function createApiKeyStore(store: Pick<ItemStore, 'get' | 'range' | 'transact'>): ApiKeyStore {
  return {
    all: async () => (await store.range({ pk: partition, prefix: keyPrefix }, maxKeys)).map(fromItem),
    async get(id) {
      const item = await store.get(partition, id);
      return item && fromItem(item);
    },
    move: (before, after, more = []) => writeWithRetry(store, [...buildMoveWrites(before, after), ...more]),
  };
}

/** Reserves a new key; the write named `count` fails when the owner has reached the limit. */
export function buildReservation(key: ApiKey): Write[] {
  const put = { Item: toItem(key), ConditionExpression: 'attribute_not_exists(pk)' };
  return [{ name: 'key', put }, buildCountWrite(key, 1)];
}

/** Records the use of a key and returns it; undefined when there is no active key with this id. */
export type RecordUse = (keyId: string, nowMs: number) => Promise<ApiKey | undefined>;

export function createUseRecorder(client: DynamoDBClient, table: string): RecordUse {
  return async (keyId, nowMs) => {
    const command = new UpdateItemCommand({
      TableName: table,
      Key: toItemKey(partition, keyId),
      UpdateExpression: 'SET last_used_at = :now',
      ConditionExpression: '#state = :active',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':now': { S: toIso(nowMs) }, ':active': { S: 'active' } },
      ReturnValues: 'ALL_NEW',
    });
    const response: UpdateItemCommandOutput | undefined = await client.send(command).catch((error: unknown) => {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    });
    return response?.Attributes && fromItem(response.Attributes).key;
  };
}

/** The client and the role of a key; undefined if no key has this text. */
export type FindKey = (key: string) => Promise<{ clientId: string; role: Role } | undefined>;

/**
 * Reads the table before Cognito is called: anybody can send texts that look like keys, and the quota of the user pool is
 * shared with valid callers.
 */
export function createKeyFinder(client: DynamoDBClient, table: string): FindKey {
  return async (key) => {
    const command = new GetItemCommand({ TableName: table, Key: toItemKey(partition, toHashSortKey(hashKey(key))) });
    const { Item } = await client.send(command);
    return Item && { clientId: readString(Item, 'client_id'), role: readString(Item, 'role') as Role };
  };
}

const partition = 'api-keys';
const keyPrefix = idFormats.apiKey.prefix;
const maxKeys = 10_000;

/** Retention of a revoked key, so that owners can see what happened to it. */
const revokedRetentionMs = 30 * 24 * 60 * 60_000;

function buildMoveWrites(before: ApiKey, after: ApiKey): Write[] {
  const update = {
    Key: toItemKey(partition, after.id),
    UpdateExpression: `SET #key = :key, #state = :after${after.state === 'revoked' ? ', expires_at = :expires' : ''}`,
    ConditionExpression: '#state = :before',
    ExpressionAttributeNames: { '#key': 'key', '#state': 'state' },
    ExpressionAttributeValues: {
      ':key': { S: JSON.stringify(after) },
      ':after': { S: after.state },
      ':before': { S: before.state },
      ...(after.state === 'revoked' && { ':expires': { N: String(toExpirySeconds(after)) } }),
    },
  };
  return [
    { name: 'key', update },
    ...buildHashWrites(after),
    ...(after.state === 'revoked' ? [buildCountWrite(after, -1)] : []),
  ];
}

/** The hash finds the key while it is active, and expires with it. */
function buildHashWrites(key: ApiKey): Write[] {
  if (!key.hash || key.state === 'revoking') return [];
  const Key = toItemKey(partition, toHashSortKey(key.hash));
  if (key.state === 'revoked') {
    const values = { ':expires': { N: String(toExpirySeconds(key)) } };
    return [{ name: 'hash', update: { Key, UpdateExpression: expire, ExpressionAttributeValues: values } }];
  }
  return [
    { name: 'hash', put: { Item: { ...Key, client_id: { S: requireValue(key.client_id) }, role: { S: key.role } } } },
  ];
}

const expire = 'SET expires_at = :expires';

function toHashSortKey(hash: string): string {
  return `hash#${hash}`;
}

function buildCountWrite({ owner }: ApiKey, change: 1 | -1): Write {
  const update = {
    Key: toItemKey(partition, `count#${owner.id}`),
    UpdateExpression: 'ADD active :change',
    ExpressionAttributeValues: { ':change': { N: String(change) } },
  };
  if (change < 0) return { name: 'count', update };
  const values = { ...update.ExpressionAttributeValues, ':max': { N: String(maxKeysPerOwner) } };
  const condition = 'attribute_not_exists(active) OR active < :max';
  return { name: 'count', update: { ...update, ConditionExpression: condition, ExpressionAttributeValues: values } };
}

function toItem(key: ApiKey): Item {
  return { ...toItemKey(partition, key.id), key: { S: JSON.stringify(key) }, state: { S: key.state } };
}

function fromItem(item: Item): StoredApiKey {
  return { key: JSON.parse(readString(item, 'key')), lastUsedAt: item.last_used_at?.S ?? null };
}

function toExpirySeconds({ revoked_at }: ApiKey): number {
  return Math.ceil((Date.parse(requireValue(revoked_at)) + revokedRetentionMs) / 1_000);
}

// An API key is an app client of the user pool and a consumer of the gateway's usage plan. It is `making` until both
// exist and `revoking` until both are deleted, so that interrupted work is found and finished
// (docs/decisions/0018-api-keys.md).

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  owner: { id: string; kind: Caller['kind']; email: string };
  state: 'making' | 'active' | 'revoking' | 'revoked';
  /** Null until the app client exists. */
  client_id: string | null;
  /** SHA-256 of the whole key. Absent until the app client exists, and in keys older than their use as bearer tokens. */
  hash?: string;
  created_at: string;
  revoked_at: string | null;
  /** Email of the caller who revoked it. Absent in keys older than the audit log. */
  revoked_by?: string;
  /** The addresses that it was created and revoked from, for the audit log. */
  created_from?: string | undefined;
  revoked_from?: string | undefined;
}

export function newApiKey(id: string, name: string, role: Role | undefined, caller: Caller, nowMs: number): ApiKey {
  const { id: callerId, kind, email, sourceIp } = caller;
  return {
    id,
    name,
    role: role === undefined ? findHighestRole(caller.roles) : assertGrantable(role, caller.roles),
    owner: { id: callerId, kind, email },
    state: 'making',
    client_id: null,
    created_at: toIso(nowMs),
    revoked_at: null,
    created_from: sourceIp,
  };
}

export function toApiKeyResponse({ id, name, role, owner, created_at }: ApiKey, lastUsedAt: string | null): ApiKeyView {
  return { id, name, role, owner: owner.email, created_at, last_used_at: lastUsedAt };
}

/** From now on the key gets no tokens. The caller is stored for the audit log. */
export function startRevocation(key: ApiKey, caller: Pick<Caller, 'email' | 'sourceIp'>, nowMs: number): ApiKey {
  const revoked = { revoked_at: toIso(nowMs), revoked_by: caller.email, revoked_from: caller.sourceIp };
  return { ...key, state: 'revoking', ...revoked };
}

export function completeRevocation(key: ApiKey, nowMs: number): ApiKey {
  return { ...key, state: 'revoked', revoked_at: key.revoked_at ?? toIso(nowMs) };
}

/** The start of every key, which no access token has. */
export const secretPrefix = 'itsm_';

/** The client library splits this text into id and secret. */
export function formatKey({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return `${secretPrefix}${Buffer.from(`${clientId}:${clientSecret}`).toString('base64url')}`;
}

/** A key has more than 200 random bits, so a fast hash protects it. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Other callers must not learn that the key exists. */
export function canManage({ owner }: ApiKey, caller: Caller): boolean {
  return owner.id === caller.id || hasRole(caller.roles, 'super_admin');
}

const namePrefix = 'api-key ';

/** Name of the app client and of the gateway's key. Cleanup finds both by this name. */
function toConsumerName(keyId: string): string {
  return namePrefix + keyId;
}

/** The id of the key that an app client belongs to; undefined for other clients. */
export function parseKeyId(clientName: string): string | undefined {
  return clientName.startsWith(namePrefix + keyPrefix) ? clientName.slice(namePrefix.length) : undefined;
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
  consumers: Pick<Consumers, 'add' | 'remove'>;
}

export async function grantAccess({ clients, consumers }: AccessTools, { id, role }: ApiKey): Promise<AppClient> {
  const name = toConsumerName(id);
  const client = await clients.create(name, role);
  await consumers.add(name, client.clientId);
  return client;
}

/**
 * Deletes the client first, so that no new tokens are issued. Every step ignores resources that no longer exist, so this
 * can be retried until it succeeds. A client whose id was never stored is found by its name.
 */
export async function revokeAccess({ clients, consumers }: AccessTools, { id, client_id }: ApiKey): Promise<void> {
  const name = toConsumerName(id);
  for (const clientId of client_id === null ? await clients.findIds(name) : [client_id]) await clients.delete(clientId);
  await consumers.remove(name);
}
