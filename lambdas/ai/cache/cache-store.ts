import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { readNumber, readString } from '../../records/item-store.ts';

// | Access pattern                          | Call         | Key                                        |
// |-----------------------------------------|--------------|--------------------------------------------|
// | the answer to these very words          | GetItem      | pk = answer#<scope>#<text>, sk = #         |
// | who is answering these words right now  | UpdateItem   | the same                                   |
// | what may be similar                     | BatchGetItem | pk = bucket#<scope>#<table>.<bits>, sk = # |
// | the answers that are most similar       | BatchGetItem | pk = answer#<scope>#<text>, sk = #         |
//
// A bucket is one item with an attribute per answer in it: a sketch of its vector, and when it expires.

export interface StoredAnswer {
  text: string;
  /** Id of the caller who asked; empty in items of earlier releases. */
  askedBy: string;
  /** Exact, since a threshold decides by it. */
  vector: Uint8Array;
  value: string;
  usedVersions: Readonly<Record<string, string>>;
  /** How many records had been learned by then; undefined in items of earlier releases. */
  learnedCount: number | undefined;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface Lease {
  /** What was answered to these words before the lease began. */
  earlier: StoredAnswer | undefined;
}

export interface BucketEntry {
  key: string;
  sketch: Uint8Array;
}

export interface CacheStore {
  get(scope: string, key: string): Promise<StoredAnswer | undefined>;
  /** Those of the answers that are there, in any order. */
  getAll(scope: string, keys: readonly string[]): Promise<StoredAnswer[]>;
  put(scope: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Given to the one who is to answer; the others get nothing and wait for it, no longer than the lease. */
  lease(scope: string, key: string, nowMs: number, untilMs: number): Promise<Lease | undefined>;
  release(scope: string, key: string): Promise<void>;
  bucketEntries(scope: string, buckets: readonly string[], nowMs: number): Promise<BucketEntry[]>;
  addToBuckets(scope: string, buckets: readonly string[], entry: BucketEntry, expiresAtMs: number): Promise<void>;
}

export function createCacheStore(client: DynamoDBClient, table: string): CacheStore {
  const toKey = (pk: string) => ({ pk: { S: pk }, sk: { S: '#' } });
  const answerKey = (scope: string, key: string) => toKey(`answer#${scope}#${key}`);
  const bucketKey = (scope: string, bucket: string) => toKey(`bucket#${scope}#${bucket}`);
  return {
    async get(scope, key) {
      const found = await client.send(
        new GetItemCommand({ TableName: table, Key: answerKey(scope, key), ConsistentRead: true }),
      );
      return found.Item?.value && toStoredAnswer(found.Item);
    },
    async getAll(scope, keys) {
      if (keys.length === 0) return [];
      const Keys = keys.map((key) => answerKey(scope, key));
      const { Responses } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      return (Responses?.[table] ?? []).flatMap((item) => (item.value ? [toStoredAnswer(item)] : []));
    },
    async put(scope, key, answer) {
      await client.send(
        new PutItemCommand({ TableName: table, Item: { ...answerKey(scope, key), ...toAnswerItem(answer) } }),
      );
    },
    async lease(scope, key, nowMs, untilMs) {
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: answerKey(scope, key),
            ReturnValues: 'ALL_OLD',
            UpdateExpression: 'SET lease_until = :until, expires_at = :expires',
            ConditionExpression: 'attribute_not_exists(lease_until) OR lease_until < :now',
            ExpressionAttributeValues: {
              ':until': { N: String(untilMs) },
              ':now': { N: String(nowMs) },
              ':expires': { N: String(Math.ceil(untilMs / 1_000) + 3_600) },
            },
          }),
        );
        return { earlier: Attributes?.value && toStoredAnswer(Attributes) };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },
    async release(scope, key) {
      const Key = answerKey(scope, key);
      await client.send(new UpdateItemCommand({ TableName: table, Key, UpdateExpression: 'REMOVE lease_until' }));
    },
    async bucketEntries(scope, buckets, nowMs) {
      const Keys = buckets.map((bucket) => bucketKey(scope, bucket));
      const { Responses } = await client.send(new BatchGetItemCommand({ RequestItems: { [table]: { Keys } } }));
      // What the table cannot give at once is not asked for again: without it a question is answered anew, that is all.
      return (Responses?.[table] ?? []).flatMap((item) => toEntries(item, nowMs));
    },
    async addToBuckets(scope, buckets, { key, sketch }, expiresAtMs) {
      const bytes = Buffer.alloc(8 + sketch.length);
      bytes.writeDoubleLE(expiresAtMs, 0);
      bytes.set(sketch, 8);
      const expires = { N: String(Math.ceil(expiresAtMs / 1_000)) };
      const name = `${entryPrefix}${key}`;
      await Promise.all(
        buckets.map(async (bucket) => {
          const Key = bucketKey(scope, bucket);
          try {
            await client.send(
              new UpdateItemCommand({
                TableName: table,
                Key,
                UpdateExpression: 'SET #entry = :entry, expires_at = :expires',
                ExpressionAttributeNames: { '#entry': name },
                ExpressionAttributeValues: { ':entry': { B: bytes }, ':expires': expires },
              }),
            );
          } catch (error) {
            if (!isFull(error)) throw error;
            // It holds thousands of answers, most of them expired: it starts anew.
            await client.send(
              new PutItemCommand({ TableName: table, Item: { ...Key, [name]: { B: bytes }, expires_at: expires } }),
            );
          }
        }),
      );
    },
  };
}

const entryPrefix = 'e.';

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);
}

type Item = Record<string, AttributeValue>;

function toAnswerItem(answer: StoredAnswer): Item {
  const { text, askedBy, vector, value, usedVersions, learnedCount, createdAtMs, expiresAtMs } = answer;
  return {
    text: { S: text },
    asked_by: { S: askedBy },
    vector: { B: vector },
    value: { S: value },
    used_versions: { S: JSON.stringify(usedVersions) },
    ...(learnedCount !== undefined && { learned_count: { N: String(learnedCount) } }),
    created_at_ms: { N: String(createdAtMs) },
    expires_at_ms: { N: String(expiresAtMs) },
    expires_at: { N: String(Math.ceil(expiresAtMs / 1_000)) },
  };
}

function toStoredAnswer(item: Item): StoredAnswer {
  return {
    text: readString(item, 'text'),
    askedBy: item.asked_by?.S ?? '',
    vector: item.vector?.B ?? new Uint8Array(),
    value: readString(item, 'value'),
    usedVersions: JSON.parse(readString(item, 'used_versions')),
    learnedCount: item.learned_count?.N === undefined ? undefined : Number(item.learned_count.N),
    createdAtMs: readNumber(item, 'created_at_ms'),
    expiresAtMs: readNumber(item, 'expires_at_ms'),
  };
}

function toEntries(item: Item, nowMs: number): BucketEntry[] {
  return Object.entries(item).flatMap(([name, value]) => {
    if (!name.startsWith(entryPrefix) || !value.B) return [];
    const bytes = Buffer.from(value.B.buffer, value.B.byteOffset, value.B.byteLength);
    if (bytes.readDoubleLE(0) <= nowMs) return [];
    return [{ key: name.slice(entryPrefix.length), sketch: bytes.subarray(8) }];
  });
}
