import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { feedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { LiveReplica, type LiveReplicaOptions } from './live-replica.ts';
import { loadSnapshot } from './snapshot.ts';
import { snapshotStore } from './snapshot-store.ts';

/** A replica of a kind of record inside Lambda, from the function's environment. */
export function deployedReplica(
  spec: ListingSpec,
  patienceMs: number,
  onEntry?: LiveReplicaOptions['onEntry'],
): LiveReplica {
  const { RECORDS_TABLE, SNAPSHOTS_BUCKET } = env('RECORDS_TABLE', 'SNAPSHOTS_BUCKET');
  const snapshots = snapshotStore(s3Client(), SNAPSHOTS_BUCKET);
  return new LiveReplica({
    spec,
    feed: feedStore(dynamodbClient(), RECORDS_TABLE, spec.type),
    loadSnapshot: () => loadSnapshot(snapshots, spec, log),
    clock,
    log,
    patienceMs,
    ...(onEntry && { onEntry }),
  });
}

/** Within the timeout of a function behind the gateway, with time left for the answer. */
export const requestPatienceMs = 20_000;
