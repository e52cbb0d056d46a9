import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { createCursorSeal } from '../records/wiring.ts';
import { createFeedStore } from './feed-store.ts';
import type { ListSource } from './list-records.ts';
import type { ListingSpec } from './listing.ts';
import { LiveReplica, type LiveReplicaOptions } from './live-replica.ts';
import { createRecordCache, createRecordReader } from './record-store.ts';
import { loadReplicaSnapshot } from './replica-snapshot.ts';
import { createSnapshotStore } from './snapshot-store.ts';

// The dependencies of lists, created from the function's environment.

/** Leaves a function behind the gateway enough time to respond. */
export const requestTimeoutMs = 20_000;

export function createListSource(spec: ListingSpec): ListSource {
  const { read, onFeedEntry } = createRecordCache(createRecordReader());
  return { replica: createReplica(spec, requestTimeoutMs, onFeedEntry), read, seal: createCursorSeal() };
}

export function createReplica(
  spec: ListingSpec,
  timeoutMs: number,
  onEntry?: LiveReplicaOptions['onEntry'],
): LiveReplica {
  const { RECORDS_TABLE, SNAPSHOTS_BUCKET } = env('RECORDS_TABLE', 'SNAPSHOTS_BUCKET');
  const snapshots = createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET);
  return new LiveReplica({
    spec,
    feed: createFeedStore(dynamodbClient(), RECORDS_TABLE, spec.type),
    loadSnapshot: () => loadReplicaSnapshot(snapshots, spec, log),
    clock,
    log,
    timeoutMs,
    ...(onEntry && { onEntry }),
  });
}
