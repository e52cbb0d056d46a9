import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import { type Backoff, backoff as defaultBackoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type FindDeleted, type FindHidden, hiddenRecords } from '../records/hidden-records.ts';
import type { Item } from '../records/item-store.ts';
import type { StoredRecord } from '../records/record.ts';
import { keyOf, recordSortKey, toRecord } from '../records/record-item.ts';

// | Access pattern    | Call         | Key                         |
// |-------------------|--------------|-----------------------------|
// | a page of records | BatchGetItem | pk = id, sk = # for each id |
// | which are deleted | BatchGetItem | pk = id, sk = # for each id |

export interface ReadRecord<Document> {
  record: StoredRecord<Document>;
  /** What its texts take as JSON. */
  bytes: number;
  /** Its place in the feed at the time; another one after every write. */
  feedKey: string;
}

/** The records as they are now, in the order of the ids, without those that are deleted. */
export type ReadRecords = <Document>(ids: readonly string[]) => Promise<ReadRecord<Document>[]>;

export function createRecordReader(): ReadRecords {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return recordReader(dynamodbClient(), RECORDS_TABLE, defaultBackoff);
}

export function createHiddenRecordFinder(): FindHidden {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return hiddenRecords(deletedFinder(dynamodbClient(), RECORDS_TABLE, defaultBackoff));
}

export function recordReader(client: DynamoDBClient, table: string, backoff: Backoff): ReadRecords {
  return async <Document>(ids: readonly string[]) => {
    const items = await readItems(client, table, ids, attributes, backoff);
    return ids.flatMap((id) => {
      const item = items.get(id);
      if (!item || !isPresent(item)) return [];
      return [{ record: toRecord<Document>(item), bytes: shownBytes(item), feedKey: item.feed_sk!.S! }];
    });
  };
}

function shownBytes({ document, suggested_resolution }: Item): number {
  const suggestion = suggested_resolution ? JSON.stringify(suggested_resolution.S!) : '';
  return Buffer.byteLength(document!.S!) + Buffer.byteLength(suggestion);
}

/** Reads nothing but whether the records are deleted, 100 in a call. */
export function deletedFinder(client: DynamoDBClient, table: string, backoff: Backoff): FindDeleted {
  return async (ids) => {
    const items = await readItems(client, table, ids, ['pk', 'deleted'], backoff);
    return new Set(ids.filter((id) => !isPresent(items.get(id))));
  };
}

function isPresent(item: Item | undefined): boolean {
  return item !== undefined && item.deleted?.BOOL !== true;
}

async function readItems(
  client: DynamoDBClient,
  table: string,
  ids: readonly string[],
  attributes: readonly string[],
  backoff: Backoff,
): Promise<Map<string, Item>> {
  const batches = Array.from({ length: Math.ceil(ids.length / keysPerCall) }, (_, index) =>
    readBatch(client, table, ids.slice(index * keysPerCall, (index + 1) * keysPerCall), attributes, backoff),
  );
  return new Map((await Promise.all(batches)).flat().map((item) => [item.pk!.S!, item]));
}

/** What BatchGetItem takes. */
const keysPerCall = 100;

/** A call gives back what goes beyond 16 MB or beyond the table's capacity at the moment. */
const mostCalls = 8;

const attributes = [
  'pk',
  'version',
  'created_at',
  'updated_at',
  'deleted',
  'notes_count',
  'private_notes_count',
  'suggested_resolution',
  'document',
  'feed_sk',
];

async function readBatch(
  client: DynamoDBClient,
  table: string,
  ids: readonly string[],
  attributes: readonly string[],
  backoff: Backoff,
): Promise<Item[]> {
  const found: Item[] = [];
  let wanted: KeysAndAttributes | undefined = {
    Keys: ids.map((id) => keyOf(id, recordSortKey)),
    // Not older than what the list knows of them.
    ConsistentRead: true,
    ProjectionExpression: attributes.map((_, index) => `#${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
  };
  for (let call = 0; call < mostCalls; call++) {
    const answer: BatchGetItemCommandOutput = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: wanted } }),
    );
    found.push(...(answer.Responses?.[table] ?? []));
    wanted = answer.UnprocessedKeys?.[table];
    if (!wanted?.Keys?.length) return found;
    await backoff(call);
  }
  throw new ServiceError('unavailable', 'The database is busy. Try again.', { headers: { 'Retry-After': '1' } });
}
