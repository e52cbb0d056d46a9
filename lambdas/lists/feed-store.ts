import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { requireValue } from '../platform/require-value.ts';
import { type CursorSeal, fitRows, measureJson } from '../records/page.ts';
import type { StoredRecord } from '../records/record.ts';
import { feedIndex, feedShards, toFeedPartition } from '../records/record-item.ts';
import { completeDocument, type StoredKind } from '../records/stored-document.ts';

// | Access pattern               | Index | Key                                          |
// |------------------------------|-------|----------------------------------------------|
// | changes after a time, sorted | feed  | feed_pk = `<type>#<shard>`, feed_sk > a time |

export interface FeedEntry {
  /** `<updated_at>#<id>` */
  key: string;
  listing: Uint8Array;
}

export interface FeedStore {
  readonly shards: number;
  /** The entries of a shard after the given key, in order, page by page. */
  pages(shard: number, after: string): AsyncIterable<readonly FeedEntry[]>;
}

export function createFeedStore(client: DynamoDBClient, table: string, type: string): FeedStore {
  return {
    shards: feedShards,
    pages: (shard, after) => queryPages(client, table, toFeedPartition(type, shard), after),
  };
}

/** Far more than any record type has; reaching it means that pagination loops. */
const maxPages = 100_000;

async function* queryPages(client: DynamoDBClient, table: string, partition: string, after: string) {
  let start: Record<string, AttributeValue> | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { Items, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: feedIndex,
        KeyConditionExpression: after === '' ? 'feed_pk = :pk' : 'feed_pk = :pk AND feed_sk > :sk',
        ExpressionAttributeValues: { ':pk': { S: partition }, ...(after !== '' && { ':sk': { S: after } }) },
        ProjectionExpression: 'feed_sk, listing',
        ExclusiveStartKey: start,
      }),
    );
    yield (Items ?? []).map(toEntry);
    if (!LastEvaluatedKey) return;
    start = LastEvaluatedKey;
  }
  throw new Error(`the feed of ${partition} does not end`);
}

function toEntry({ feed_sk, listing }: Record<string, AttributeValue>): FeedEntry {
  if (!feed_sk?.S || !listing?.B) throw new Error(`an entry of the feed has no key or no listing: ${feed_sk?.S}`);
  return { key: feed_sk.S, listing: listing.B };
}

// Record types with few records, such as webhooks, need no replica. Their feed projects the whole record, so reading
// the four shards reads the whole list.

/** The listing of such a record. Keep secrets out of `document`, because lists return it. */
export function encodeWholeListing<Document>(record: StoredRecord<Document>): Uint8Array {
  return Buffer.from(JSON.stringify(record.deleted ? null : record));
}

/** Reads all records that are not deleted, newest first. */
export async function readAllRecords<Document>(feed: FeedStore, kind: StoredKind): Promise<StoredRecord<Document>[]> {
  const shards = await Promise.all(
    Array.from({ length: feed.shards }, (_, shard) => readShard<Document>(feed, kind, shard)),
  );
  return sortNewestFirst(shards.flat());
}

export function sortNewestFirst<Listed extends Positioned>(records: readonly Listed[]): Listed[] {
  return records.toSorted((a, b) => (toPosition(a) < toPosition(b) ? 1 : -1));
}

interface FewRecordsPage<View> {
  data: View[];
  next_cursor?: string;
  total: number;
}

/** `list` identifies the list and its filters. Its cursors are rejected by other lists. */
export function cutPageOfAll<Listed extends Positioned, View>(
  records: readonly Listed[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  seal: CursorSeal,
  list: string,
  toResponse: (record: Listed) => View,
): FewRecordsPage<View> {
  const after = cursor === undefined ? undefined : seal.open(list, cursor);
  const rest = after === undefined ? records : records.filter((record) => toPosition(record) < after);
  const rows = rest.slice(0, limit).map((record) => ({ record, shown: toResponse(record) }));
  const page = fitRows(rows, limit, ({ shown }) => measureJson(shown));
  return {
    data: page.map(({ shown }) => shown),
    ...(page.length < rest.length && { next_cursor: seal.seal(list, toPosition(requireValue(page.at(-1)).record)) }),
    total: records.length,
  };
}

async function readShard<Document>(
  feed: FeedStore,
  kind: StoredKind,
  shard: number,
): Promise<StoredRecord<Document>[]> {
  const found: StoredRecord<Document>[] = [];
  for await (const entries of feed.pages(shard, '')) {
    for (const { listing } of entries) {
      const record: StoredRecord<Document> | null = JSON.parse(Buffer.from(listing).toString());
      if (record) found.push({ ...record, document: completeDocument(kind, record.document) });
    }
  }
  return found;
}

type Positioned = Pick<StoredRecord<unknown>, 'created_at' | 'id'>;

function toPosition({ created_at, id }: Positioned): string {
  return `${created_at}#${id}`;
}
