import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { requireValue } from '../platform/require-value.ts';
import { type Backoff, retry } from '../platform/retry.ts';
import { ServiceError, summarize } from '../platform/service-error.ts';
import type { Item } from './items.ts';

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

export async function writeOne(client: DynamoDBClient, TableName: string, write: Write): Promise<Outcome> {
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

export async function transact(client: DynamoDBClient, table: string, writes: readonly Write[]): Promise<Outcome> {
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

/** Retries on conflicts with other transactions; returns false when a condition failed. */
export async function writeWithRetry(
  store: { transact(writes: readonly Write[]): Promise<Outcome> },
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
