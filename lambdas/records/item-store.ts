import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  type KeysAndAttributes,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { requireValue } from '../platform/require-value.ts';
import { type Backoff, backoff, retry } from '../platform/retry.ts';
import { ServiceError, summarize } from '../platform/service-error.ts';

// | Access pattern                     | Call               | Key                                    |
// |------------------------------------|--------------------|----------------------------------------|
// | one record                         | GetItem            | pk = id, sk = #                        |
// | the parts of a record, in order    | Query              | pk = id, sk begins with its kind       |
// | a change of one item               | PutItem, UpdateItem| the record                             |
// | a change with all its items        | TransactWriteItems | the record, its history, its notes …   |
// | items without conditions           | BatchWriteItem     | events                                 |

export type Item = Record<string, AttributeValue>;

type Target<Kind extends 'Put' | 'Update'> = Omit<NonNullable<TransactWriteItem[Kind]>, 'TableName'>;

/**
 * One write of a transaction. Its name identifies the write whose condition failed. An update without an expression only
 * checks its condition; its name is the field of the request that is invalid if the condition does not hold.
 */
export type Write = PutWrite | { name: string; update: Target<'Update'> };

export interface PutWrite {
  name: string;
  put: Target<'Put'>;
}

/** `conflict`: another transaction touched the same items; a retry may succeed. */
export type Outcome =
  | { kind: 'written' }
  | { kind: 'condition_failed'; failedWrite: string; item?: Item }
  | { kind: 'conflict' };

export interface Range {
  pk: string;
  /** Prefix of the sort key. */
  prefix: string;
  /** Only items after this sort key, in the requested order. */
  after?: string;
  /** Limits the sort keys further, inclusive. */
  from?: string;
  to?: string;
  /** Ascending by sort key by default; descending if the newest item has the greatest key. */
  order?: 'newest first';
  /** Reads this index. `pk` and the sort keys are then its attributes `<index>_pk` and `<index>_sk`. */
  index?: string;
  filter?: { expression: string; names: Record<string, string>; values: Item };
  /** Number of requested rows in an item; 1 by default. */
  size?(item: Item): number;
  /** Stops after the item that exceeds this total size. */
  maxBytes?: number;
}

export interface ItemStore {
  get(pk: string, sk: string): Promise<Item | undefined>;
  /** Returns the items that exist, or only these attributes of them, in any order. */
  getMany(keys: readonly Item[], attributes?: readonly string[]): Promise<Item[]>;
  /** Writes all or nothing. A single write is no transaction, which would cost twice as much. */
  transact(writes: readonly Write[]): Promise<Outcome>;
  /** Writes different items, each on its own. After an error, some may be written. */
  putMany(items: readonly Item[]): Promise<void>;
  /** Returns the first items that pass the filter, up to `limit` or `maxBytes`. */
  range(range: Range, limit: number): Promise<Item[]>;
  /** Makes one query, which examines at most `limit` items, or about 1 MB of them. */
  slice(range: Range, limit: number, select?: 'COUNT'): Promise<Slice>;
}

export interface Slice {
  items: Item[];
  /** Number of items that pass the filter. */
  count: number;
  examined: number;
  /** The sort key of the last item examined; undefined at the end of the range. */
  last: string | undefined;
}

export function createItemStore(client: DynamoDBClient, table: string, wait: Backoff = backoff): ItemStore {
  return {
    async get(pk, sk) {
      const Key = { pk: { S: pk }, sk: { S: sk } };
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item;
    },
    async getMany(keys, attributes = []) {
      const batches = split(keys, keysPerCall).map((some) => readBatch(client, table, some, attributes, wait));
      return (await Promise.all(batches)).flat();
    },
    async putMany(items) {
      await Promise.all(split(items, writesPerCall).map((some) => writeBatch(client, table, some, wait)));
    },
    transact(writes) {
      const [first, ...others] = writes;
      return first && others.length === 0 ? writeOne(client, table, first) : transact(client, table, writes);
    },
    async range(range, limit) {
      const found: Item[] = [];
      // DynamoDB filters after reading, so a page may hold fewer items than requested.
      const pageSize = range.filter ? {} : { Limit: limit };
      for await (const page of queryPages(client, { ...toQuery(table, range), ...pageSize })) {
        found.push(...(page.Items ?? []));
        if (countNeeded(found, limit, range) !== undefined) break;
      }
      return found.slice(0, countNeeded(found, limit, range));
    },
    async slice(range, limit, select) {
      const query = { ...toQuery(table, range), Limit: limit, ...(select && { Select: select }) };
      const { Items = [], Count = 0, ScannedCount = 0, LastEvaluatedKey } = await client.send(new QueryCommand(query));
      const last = LastEvaluatedKey && readString(LastEvaluatedKey, toKeyNames(range).sk);
      return { items: Items, count: Count, examined: ScannedCount, last };
    },
  };
}

/** Limits of BatchGetItem and BatchWriteItem. */
const keysPerCall = 100;
const writesPerCall = 25;

/** A response omits items beyond 16 MB or the table's current capacity. */
const maxCalls = 8;

function split<Element>(all: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

const isBusy = () =>
  new ServiceError('unavailable', 'The database is busy. Try again.', { headers: { 'Retry-After': '1' } });

async function writeBatch(client: DynamoDBClient, table: string, items: readonly Item[], wait: Backoff): Promise<void> {
  let remaining: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  const attempt = async () => {
    const RequestItems = { [table]: remaining };
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems }));
    remaining = UnprocessedItems?.[table] ?? [];
    return remaining.length === 0 || undefined;
  };
  await retry(attempt, { maxAttempts: maxCalls, wait, exhausted: isBusy });
}

async function readBatch(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  attributes: readonly string[],
  wait: Backoff,
): Promise<Item[]> {
  const found: Item[] = [];
  let remaining: KeysAndAttributes = {
    Keys: [...keys],
    ConsistentRead: true,
    ...(attributes.length > 0 && {
      ProjectionExpression: attributes.map((_, index) => `#${index}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
    }),
  };
  const attempt = async () => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: remaining } }),
    );
    found.push(...(Responses?.[table] ?? []));
    const unprocessed = UnprocessedKeys?.[table];
    if (!unprocessed?.Keys?.length) return found;
    remaining = unprocessed;
    return undefined;
  };
  return retry(attempt, { maxAttempts: maxCalls, wait, exhausted: isBusy });
}

/** The attributes of a stored item or of an image in a stream. */
type Attributes = Readonly<Record<string, { S?: string | undefined; N?: string | undefined; B?: unknown }>>;

// Readers of attributes that every item of the kind has.

export function readString(item: Attributes, name: string): string {
  return requireValue(item[name]?.S, `string ${name} of an item`);
}

export function readNumber(item: Attributes, name: string): number {
  return Number(requireValue(item[name]?.N, `number ${name} of an item`));
}

export function readBytes(item: Item, name: string): Uint8Array {
  return requireValue(item[name]?.B, `binary ${name} of an item`);
}

/** The key of an item, for maps of items. */
export function formatItemKey(key: Attributes): string {
  return `${readString(key, 'pk')} ${readString(key, 'sk')}`;
}

/** Hides expired items, which DynamoDB deletes some time later. */
export function buildExpiryFilter(nowMs: number): NonNullable<Range['filter']> {
  return {
    expression: '#expires > :now',
    names: { '#expires': 'expires_at' },
    values: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
}

/** Number of items until a limit is reached; undefined if more items are needed. */
export function countNeeded(
  items: readonly Item[],
  limit: number,
  { size = () => 1, maxBytes = Number.POSITIVE_INFINITY }: Pick<Range, 'size' | 'maxBytes'>,
): number | undefined {
  let held = 0;
  let bytes = 0;
  for (const [place, item] of items.entries()) {
    held += size(item);
    if (maxBytes < Number.POSITIVE_INFINITY) bytes += measureItem(item);
    if (held >= limit || bytes > maxBytes) return place + 1;
  }
  return undefined;
}

/** Counts only values, because attribute names are short. */
export function measureItem(item: Item): number {
  let bytes = 0;
  for (const { S, N, B } of Object.values(item)) {
    bytes += S === undefined ? (N?.length ?? B?.byteLength ?? 0) : Buffer.byteLength(S);
  }
  return bytes;
}

async function writeOne(client: DynamoDBClient, TableName: string, write: Write): Promise<Outcome> {
  const target = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  try {
    if ('put' in write) await client.send(new PutItemCommand({ ...write.put, ...target }));
    else await client.send(new UpdateItemCommand({ ...write.update, ...target }));
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof TransactionConflictException) return { kind: 'conflict' };
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: item, $metadata } = error;
    const isRepeated = ($metadata.attempts ?? 1) > 1;
    if (isRepeated && item && hasWritten(write, item)) return { kind: 'written' };
    return { kind: 'condition_failed', failedWrite: write.name, ...(item && { item }) };
  }
}

/**
 * Whether an item has the values that a write sets. Unlike a transaction, a single write has no token: if its response is
 * lost, the SDK repeats it, and its condition fails on its own result.
 */
function hasWritten(write: Write, item: Item): boolean {
  if ('put' in write) return isSubset(write.put.Item ?? {}, item);
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = write.update;
  const set: Item = {};
  for (const [placeholder, name] of Object.entries(names)) {
    // Numbered placeholders are those of assignments.
    const value = /^#\d+$/.test(placeholder) ? values[`:${placeholder.slice(1)}`] : undefined;
    if (value) set[name] = value;
  }
  return Object.keys(set).length > 0 && isSubset(set, item);
}

function isSubset(some: Item, item: Item): boolean {
  return Object.entries(some).every(([name, value]) => {
    const { B: bytes } = item[name] ?? {};
    return value.B && bytes ? Buffer.compare(value.B, bytes) === 0 : isDeepStrictEqual(value, item[name]);
  });
}

async function transact(client: DynamoDBClient, table: string, writes: readonly Write[]): Promise<Outcome> {
  // A failed condition returns the current item, which saves a read.
  const target = { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map((write) => {
    if ('put' in write) return { Put: { ...write.put, ...target } };
    return isCheck(write)
      ? { ConditionCheck: { ConditionExpression: undefined, ...write.update, TableName: table } }
      : { Update: { ...write.update, ...target } };
  });
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof TransactionCanceledException) return toOutcome(error, writes);
    if (error instanceof TransactionInProgressException) {
      throw new ServiceError('unavailable', 'The request is still being processed. Try again.', { cause: error });
    }
    throw error;
  }
}

function isCheck(write: Write): boolean {
  return 'update' in write && write.update.UpdateExpression === undefined;
}

function toOutcome(error: TransactionCanceledException, writes: readonly Write[]): Outcome {
  const reasons = error.CancellationReasons ?? [];
  const hasFailed = (place: number) => reasons[place]?.Code === 'ConditionalCheckFailed';
  const failed = writes.findIndex((write, place) => !isCheck(write) && hasFailed(place));
  const unknown = writes.filter((write, place) => isCheck(write) && hasFailed(place));
  if (failed < 0 && unknown.length > 0) {
    const problems = unknown.map(({ name: field }) => ({ field, message: 'does not exist' }));
    throw new ServiceError('invalid_input', summarize(problems), { members: { errors: problems } });
  }
  if (failed >= 0) {
    const item = reasons[failed]?.Item;
    return { kind: 'condition_failed', failedWrite: requireValue(writes[failed]).name, ...(item && { item }) };
  }
  const isTransient = reasons.every(({ Code }) => Code === undefined || transientReasons.has(Code));
  if (isTransient) return { kind: 'conflict' };
  throw error;
}

const transientReasons = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function toKeyNames({ index }: Range): { pk: string; sk: string } {
  return index === undefined ? { pk: 'pk', sk: 'sk' } : { pk: `${index}_pk`, sk: `${index}_sk` };
}

function toQuery(table: string, range: Range): QueryCommandInput {
  // All printable sort key characters in use sort before ~.
  const { pk, prefix, after, from: first = prefix, to: last = `${prefix}~`, order, filter, index } = range;
  const [from, to] = order
    ? [first, after === undefined ? last : toPreviousKey(after)]
    : [after === undefined ? first : `${after}\u0000`, last];
  const names = toKeyNames(range);
  return {
    TableName: table,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: `${names.pk} = :pk AND ${names.sk} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':pk': { S: pk },
      ':from': { S: from },
      ':to': { S: to },
      ...filter?.values,
    },
    ...(order && { ScanIndexForward: false }),
    ...(filter && { FilterExpression: filter.expression, ExpressionAttributeNames: filter.names }),
  };
}

/** Sort keys are printable ASCII, so no other key lies between this and the given one. */
function toPreviousKey(key: string): string {
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\u007f`;
}

async function* queryPages(client: DynamoDBClient, input: QueryCommandInput) {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new QueryCommand({ ...input, ExclusiveStartKey: start }));
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
}

/** Retries on conflicts with other transactions; returns false when a condition failed. */
export async function writeWithRetry(
  store: Pick<ItemStore, 'transact'>,
  writes: readonly Write[],
  wait?: Backoff,
): Promise<boolean> {
  return retry(
    async () => {
      const outcome = await store.transact(writes);
      return outcome.kind === 'conflict' ? undefined : outcome.kind === 'written';
    },
    { ...(wait && { wait }), exhausted: () => new Error(`too many conflicts while writing ${writes[0]?.name}`) },
  );
}
