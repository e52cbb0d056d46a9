import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { feedIndex, feedShards, toFeedPartition } from '../records/record-item.ts';

// | Access pattern                        | Index | Key                                            |
// |---------------------------------------|-------|------------------------------------------------|
// | what changed after a moment, in order | feed  | feed_pk = `<type>#<shard>`, feed_sk > a moment |

export interface FeedEntry {
  /** `<updated_at>#<id>` */
  key: string;
  listing: Uint8Array;
}

export interface FeedStore {
  readonly shards: number;
  /** The entries of a shard after the given key, in order, page by page. */
  pages(shard: number, behind: string): AsyncIterable<readonly FeedEntry[]>;
}

export function createFeedStore(client: DynamoDBClient, table: string, type: string): FeedStore {
  return {
    shards: feedShards,
    pages: (shard, behind) => queryPages(client, table, toFeedPartition(type, shard), behind),
  };
}

/** Far more than any record type has; reaching it means that pagination loops. */
const maxPages = 100_000;

async function* queryPages(client: DynamoDBClient, table: string, partition: string, behind: string) {
  let start: Record<string, AttributeValue> | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { Items, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: feedIndex,
        KeyConditionExpression: behind === '' ? 'feed_pk = :pk' : 'feed_pk = :pk AND feed_sk > :sk',
        ExpressionAttributeValues: { ':pk': { S: partition }, ...(behind !== '' && { ':sk': { S: behind } }) },
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
