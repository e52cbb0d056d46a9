import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type KeysAndAttributes,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type Backoff, retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Item } from './items.ts';

// BatchGetItem and BatchWriteItem, for any number of items.

/** Limits of BatchGetItem and BatchWriteItem. */
const keysPerCall = 100;
const writesPerCall = 25;

/** A response omits items beyond 16 MB or the table's current capacity. */
const maxCalls = 8;

export async function readMany(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  attributes: readonly string[],
  wait: Backoff,
): Promise<Item[]> {
  const batches = split(keys, keysPerCall).map((some) => readBatch(client, table, some, attributes, wait));
  return (await Promise.all(batches)).flat();
}

export async function writeMany(
  client: DynamoDBClient,
  table: string,
  items: readonly Item[],
  wait: Backoff,
): Promise<void> {
  await Promise.all(split(items, writesPerCall).map((some) => writeBatch(client, table, some, wait)));
}

function split<Element>(all: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

const createBusyError = () =>
  new ServiceError('unavailable', 'The database is busy. Try again.', { headers: { 'Retry-After': '1' } });

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
  return retry(attempt, { maxAttempts: maxCalls, wait, exhausted: createBusyError });
}

async function writeBatch(client: DynamoDBClient, table: string, items: readonly Item[], wait: Backoff): Promise<void> {
  let remaining: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  const attempt = async () => {
    const RequestItems = { [table]: remaining };
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems }));
    remaining = UnprocessedItems?.[table] ?? [];
    return remaining.length === 0 || undefined;
  };
  await retry(attempt, { maxAttempts: maxCalls, wait, exhausted: createBusyError });
}
