import pMap from 'p-map';
import type { FeedEntry, FeedStore } from '../lists/feed-store.ts';
import { createIndex, type IndexKind, writeDocuments } from '../lists/search-documents.ts';
import type { Json, SearchClient } from '../platform/clients/opensearch.ts';
import { toIso } from '../platform/clock.ts';
import { backoff, retry } from '../platform/retry.ts';

// Builds a new index beside the live one from the feed, which holds the last version of every record, then moves the alias.
// Lists use the old index meanwhile. Writes of the stream go to the alias, so the feed is read once more after the move.

export interface RebuildTools {
  client: SearchClient;
  kind: IndexKind;
  feed: FeedStore;
  now(): number;
}

const entriesPerRequest = 1_000;

/** Longer than the index `feed` lags behind the table, and than clocks differ. */
const overlapMs = 120_000;

/** Returns the number of documents. */
export async function rebuildIndex({ client, kind, feed, now }: RebuildTools): Promise<number> {
  const alias = client.toIndexName(kind.type);
  const index = `${alias}-${now()}`;
  const copy = (sinceMs: number) => copyFeed(client, kind, feed, index, sinceMs);
  await createIndex(client, index, kind);
  const startedMs = now();
  await copy(0);
  const caughtUpMs = now();
  await copy(startedMs - overlapMs);
  await client.request('POST', `/${index}/_refresh`, undefined, { timeoutMs: 60_000 });
  const found = await client.request('GET', `/_alias/${alias}`, undefined, { accept: [404] });
  const former = found.error === undefined ? Object.keys(found) : [];
  const actions = [...former.map((each) => ({ remove: { index: each, alias } })), { add: { index, alias } }];
  await client.request('POST', '/_aliases', { actions });
  await copy(caughtUpMs - overlapMs);
  for (const each of former) await client.request('DELETE', `/${each}`, undefined, { accept: [404] });
  await client.request('POST', `/${index}/_refresh`, undefined, { timeoutMs: 60_000 });
  const { count }: Json = await client.request('GET', `/${index}/_count`);
  return count;
}

/** Reads all shards of the feed in parallel. */
async function copyFeed(
  client: SearchClient,
  kind: IndexKind,
  feed: FeedStore,
  index: string,
  sinceMs: number,
): Promise<void> {
  const after = sinceMs > 0 ? toIso(sinceMs) : '';
  await pMap(
    Array.from({ length: feed.shards }, (_, shard) => shard),
    async (shard) => {
      for await (const entries of feed.pages(shard, after)) {
        for (let first = 0; first < entries.length; first += entriesPerRequest) {
          await write(client, kind, index, entries.slice(first, first + entriesPerRequest));
        }
      }
    },
  );
}

/** Writes what the engine rejects again, until it accepts everything. */
async function write(
  client: SearchClient,
  kind: IndexKind,
  index: string,
  entries: readonly FeedEntry[],
): Promise<void> {
  let left = entries.map((entry) => kind.toWrite(entry));
  let reason = '';
  const attempt = async () => {
    const rejected = await writeDocuments(client, left, () => index);
    left = rejected.map(({ write }) => write);
    reason = rejected[0]?.reason ?? '';
    return left.length === 0 ? true : undefined;
  };
  const exhausted = () => new Error(`${left.length} records were not written to ${index}: ${reason}`);
  await retry(attempt, { maxAttempts: 10, wait: (number) => backoff(number + 4), exhausted });
}
