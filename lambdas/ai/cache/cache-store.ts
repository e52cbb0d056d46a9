import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { readNumber, readString } from '../../records/items.ts';

// | Access pattern                         | Call         | Key                                                |
// |----------------------------------------|--------------|----------------------------------------------------|
// | the answer to an equal question        | GetItem      | pk = answer#<scope>#<text>, sk = #                 |
// | the lease of the caller who answers it | UpdateItem   | the same                                           |
// | vectors of questions since a time      | Query        | pk = vectors, sk = <time>#<scope>#<text>           |
// | the answers of the best candidates     | BatchGetItem | pk = answer#<scope>#<text>, sk = #                 |

export interface StoredAnswer {
  text: string;
  /** The id of the caller; empty in items of earlier releases. */
  askedBy: string;
  vector: Uint8Array;
  value: string;
  usedVersions: Readonly<Record<string, string>>;
  /** The number of learned records at that time; undefined in items of earlier releases. */
  learnedCount: number | undefined;
  createdAtMs: number;
  expiresAtMs: number;
}

/** The question of a cached answer. The scope includes the embedder. */
export interface CachedVector {
  scope: string;
  key: string;
  /** Packed. */
  vector: Uint8Array;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface CacheStore {
  get(scope: string, key: string): Promise<StoredAnswer | undefined>;
  /** Returns the existing ones, in any order. */
  getAll(scope: string, keys: readonly string[]): Promise<StoredAnswer[]>;
  put(scope: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Returns undefined while another caller has the lease. `earlier` is the answer that was stored before. */
  lease(
    scope: string,
    key: string,
    nowMs: number,
    untilMs: number,
  ): Promise<{ earlier: StoredAnswer | undefined } | undefined>;
  release(scope: string, key: string): Promise<void>;
  /** Returns the newest first, at most 50,000. */
  vectorsSince(fromMs: number, nowMs: number): Promise<CachedVector[]>;
  putVector(vector: CachedVector): Promise<void>;
}

type Item = Record<string, AttributeValue>;

export function createCacheStore(client: DynamoDBClient, table: string): CacheStore {
  const toAnswerKey = (scope: string, key: string) => ({ pk: { S: `answer#${scope}#${key}` }, sk: { S: '#' } });
  const put = (Item: Item) => client.send(new PutItemCommand({ TableName: table, Item }));
  const update = (Key: Item, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
    client.send(new UpdateItemCommand({ TableName: table, Key, ...input }));
  // A question whose unprocessed keys are missing is answered without the cache, so they are not requested again.
  const batchGet = async (Keys: Item[], ConsistentRead: boolean): Promise<Item[]> => {
    const RequestItems = { [table]: { Keys, ConsistentRead } };
    return (await client.send(new BatchGetItemCommand({ RequestItems }))).Responses?.[table] ?? [];
  };
  return {
    async get(scope, key) {
      const Key = toAnswerKey(scope, key);
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      return toStoredAnswer(Item);
    },
    async getAll(scope, keys) {
      if (keys.length === 0) return [];
      const Keys = keys.map((key) => toAnswerKey(scope, key));
      return (await batchGet(Keys, true)).flatMap((item) => toStoredAnswer(item) ?? []);
    },
    async put(scope, key, answer) {
      await put({ ...toAnswerKey(scope, key), ...toAnswerItem(answer) });
    },
    async lease(scope, key, nowMs, untilMs) {
      try {
        const { Attributes } = await update(toAnswerKey(scope, key), {
          ReturnValues: 'ALL_OLD',
          UpdateExpression: 'SET lease_until = :until, expires_at = :expires',
          ConditionExpression: 'attribute_not_exists(lease_until) OR lease_until < :now',
          ExpressionAttributeValues: {
            ':until': { N: String(untilMs) },
            ':now': { N: String(nowMs) },
            ':expires': { N: String(Math.ceil(untilMs / 1_000) + 3_600) },
          },
        });
        return { earlier: toStoredAnswer(Attributes) };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },
    async release(scope, key) {
      await update(toAnswerKey(scope, key), { UpdateExpression: 'REMOVE lease_until' });
    },
    async vectorsSince(fromMs, nowMs) {
      const vectors: CachedVector[] = [];
      let after: Item | undefined;
      do {
        const query = {
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk >= :from',
          ExpressionAttributeValues: { ':pk': { S: vectorsKey }, ':from': { S: toTimeKey(fromMs) } },
          ScanIndexForward: false,
          ...(after && { ExclusiveStartKey: after }),
        };
        const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(query));
        vectors.push(...Items.map(toCachedVector).filter(({ expiresAtMs }) => expiresAtMs > nowMs));
        after = LastEvaluatedKey;
      } while (after && vectors.length < maxVectors);
      return vectors;
    },
    async putVector({ scope, key, vector, createdAtMs, expiresAtMs }) {
      await put({
        pk: { S: vectorsKey },
        sk: { S: `${toTimeKey(createdAtMs)}#${scope}#${key}` },
        vector: { B: vector },
        expires_at_ms: { N: String(expiresAtMs) },
        expires_at: { N: String(Math.ceil(expiresAtMs / 1_000)) },
      });
    },
  };
}

const vectorsKey = 'vectors';

/** 22 MB. */
const maxVectors = 50_000;

/** Sorts like the time until the year 2286. */
const toTimeKey = (ms: number) => String(Math.max(0, ms)).padStart(13, '0');

function toCachedVector(item: Item): CachedVector {
  const [createdAt, scope = '', key = ''] = readString(item, 'sk').split('#');
  const vector = item.vector?.B ?? new Uint8Array();
  return { scope, key, vector, createdAtMs: Number(createdAt), expiresAtMs: readNumber(item, 'expires_at_ms') };
}

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

/** Undefined for an item that has only a lease. */
function toStoredAnswer(item: Item | undefined): StoredAnswer | undefined {
  if (!item?.value) return undefined;
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
