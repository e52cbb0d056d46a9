import type { SearchClient } from '../platform/clients/opensearch.ts';
import { toIso } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import type { FeedStore } from './feed-store.ts';
import { decodeListing, formatRecordId, type ListingSpec } from './listing.ts';
import { createSearch, type Search, toListSchema } from './search-index.ts';

// Measures how far an index of OpenSearch is behind the table: the age of the oldest change that it lacks.

/** Changes of this time are compared, and all since the last one in the index. A rejected change may be older than others. */
const comparedMs = 3_600_000;

/** Of a shard; the oldest ones decide. */
const maxCompared = 1_000;

interface Change {
  id: string;
  atMs: number;
  isDeleted: boolean;
}

/** In seconds; 0 if the index has every change. */
export async function measureLag(
  client: SearchClient,
  spec: ListingSpec,
  feed: FeedStore,
  nowMs: number,
): Promise<number> {
  const search = createSearch(client, toListSchema(spec));
  const { aggregations } = await search({ size: 0, aggs: { newest: { max: { field: 'updated_at' } } } });
  const sinceMs = Math.min(aggregations.newest.value ?? 0, nowMs - comparedMs);
  const shards = Array.from({ length: feed.shards }, (_, shard) => readChanges(spec, feed, shard, toIso(sinceMs)));
  const ages = (await Promise.all(shards)).map(async (changes) => {
    const missing = await findMissing(search, changes);
    return missing ? nowMs - missing.atMs : 0;
  });
  return Math.ceil(Math.max(0, ...(await Promise.all(ages))) / 1_000);
}

async function readChanges(spec: ListingSpec, feed: FeedStore, shard: number, after: string): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const entries of feed.pages(shard, after)) {
    for (const { listing } of entries) {
      const { number, times, deleted } = decodeListing(spec, listing);
      changes.push({ id: formatRecordId(number, spec.idPrefix), atMs: requireValue(times[1]), isDeleted: deleted });
    }
    if (changes.length >= maxCompared) break;
  }
  return changes.slice(0, maxCompared).sort((a, b) => a.atMs - b.atMs);
}

async function findMissing(search: Search, changes: readonly Change[]): Promise<Change | undefined> {
  if (changes.length === 0) return undefined;
  const { hits } = await search({
    query: { ids: { values: changes.map(({ id }) => id) } },
    size: maxCompared,
    _source: ['updated_at'],
  });
  const indexedMs = new Map<string, number>(
    hits.hits.map(({ _id, _source }: { _id: string; _source: { updated_at: number } }) => [_id, _source.updated_at]),
  );
  return changes.find(({ id, atMs, isDeleted }) => {
    const foundMs = indexedMs.get(id);
    return isDeleted ? foundMs !== undefined : foundMs === undefined || foundMs < atMs;
  });
}
