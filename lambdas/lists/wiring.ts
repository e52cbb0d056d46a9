import { createSearchClient } from '../platform/clients/opensearch.ts';
import { createCursorSeal } from '../records/wiring.ts';
import type { ListEngine } from './list-engine.ts';
import type { ListSource } from './list-records.ts';
import type { ListingSpec } from './listing.ts';
import type { LiveReplicaOptions } from './live-replica.ts';
import { createRecordCache, createRecordReader } from './record-store.ts';
import { createReplicaEngine } from './replica-engine.ts';
import { createReplica, requestTimeoutMs } from './replica-wiring.ts';
import { createSearchEngine } from './search-engine.ts';

// The dependencies of lists, created from the function's environment.

export function createListSource(spec: ListingSpec): ListSource {
  const { read, onFeedEntry } = createRecordCache(createRecordReader());
  return { engine: createListEngine(spec, onFeedEntry), read, seal: createCursorSeal() };
}

export function createListEngine(spec: ListingSpec, onEntry?: LiveReplicaOptions['onEntry']): ListEngine {
  const client = createSearchClient();
  return client
    ? createSearchEngine(spec, client)
    : createReplicaEngine(spec, createReplica(spec, requestTimeoutMs, onEntry));
}
