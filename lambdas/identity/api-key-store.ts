import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { maxKeysPerOwner } from '../../contract/identity.ts';
import { toIso } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Item, type ItemStore, readString, type Write, writeWithRetry } from '../records/item-store.ts';
import { toItemKey } from '../records/record-item.ts';
import type { ApiKey } from './api-key.ts';

// The user pool holds a thousand app clients, so all keys fit into one partition and one query.
//
// | Access pattern                    | Call               | Key                                       |
// |-----------------------------------|--------------------|-------------------------------------------|
// | all keys                          | Query              | pk = api-keys, sk = key_…                 |
// | one key                           | GetItem            | the same                                  |
// | how many an owner has             | with each change   | pk = api-keys, sk = count#<owner id>      |
// | whose key it is, and that it is used | UpdateItem      | pk = api-keys, sk = key_…                 |

export interface StoredApiKey {
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
    const answer: UpdateItemCommandOutput | undefined = await client.send(command).catch((error: unknown) => {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    });
    return answer?.Attributes && fromItem(answer.Attributes).key;
  };
}

const partition = 'api-keys';
const keyPrefix = 'key_';
const maxKeys = 10_000;

/** Retention of a revoked key, for those who ask what happened to it. */
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
  return [{ name: 'key', update }, ...(after.state === 'revoked' ? [buildCountWrite(after, -1)] : [])];
}

function buildCountWrite({ owner }: ApiKey, change: 1 | -1): Write {
  const update = {
    Key: toItemKey(partition, `count#${owner.id}`),
    UpdateExpression: 'ADD active :change',
    ExpressionAttributeValues: { ':change': { N: String(change) } },
  };
  if (change < 0) return { name: 'count', update };
  const values = { ...update.ExpressionAttributeValues, ':most': { N: String(maxKeysPerOwner) } };
  const condition = 'attribute_not_exists(active) OR active < :most';
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
