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

export async function readMany(table: Table, keys: readonly Item[], attributes: readonly string[]): Promise<Item[]> {
  return (await Promise.all(split(keys, keysPerCall).map((some) => readBatch(table, some, attributes)))).flat();
}

export async function writeMany(table: Table, items: readonly Item[]): Promise<void> {
  await Promise.all(split(items, writesPerCall).map((some) => writeBatch(table, some)));
}

interface Table {
  client: DynamoDBClient;
  name: string;
  wait: Backoff;
}

function split<Element>(all: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

const createBusyError = () =>
  new ServiceError('unavailable', 'The database is busy. Try again.', { headers: { 'Retry-After': '1' } });

async function readBatch(
  { client, name, wait }: Table,
  keys: readonly Item[],
  attributes: readonly string[],
): Promise<Item[]> {
  const found: Item[] = [];
  let remaining: KeysAndAttributes = {
    Keys: [...keys],
    ConsistentRead: true,
    ...(attributes.length > 0 && {
      ProjectionExpression: attributes.map((_, index) => `#${index}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((attribute, index) => [`#${index}`, attribute])),
    }),
  };
  const attempt = async () => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [name]: remaining } }),
    );
    found.push(...(Responses?.[name] ?? []));
    const unprocessed = UnprocessedKeys?.[name];
    if (!unprocessed?.Keys?.length) return found;
    remaining = unprocessed;
    return undefined;
  };
  return retry(attempt, { maxAttempts: maxCalls, wait, exhausted: createBusyError });
}

async function writeBatch({ client, name, wait }: Table, items: readonly Item[]): Promise<void> {
  let remaining: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  const attempt = async () => {
    const RequestItems = { [name]: remaining };
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems }));
    remaining = UnprocessedItems?.[name] ?? [];
    return remaining.length === 0 || undefined;
  };
  await retry(attempt, { maxAttempts: maxCalls, wait, exhausted: createBusyError });
}
