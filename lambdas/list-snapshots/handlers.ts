import { createLearnedIndex, learnedSnapshotKind } from '../ai/knowledge/live-index.ts';
import { learnedType } from '../ai/learning/learned-store.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { createReplica, createReplicaSnapshotSource, toReplicaSnapshotKind } from '../lists/replica-wiring.ts';
import { createSnapshotStore, createSnapshotWriter } from '../lists/snapshot-store.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { clock } from '../platform/clock.ts';
import { env, readOptional } from '../platform/env.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { listings } from '../record-listings.ts';

/** Reading a whole feed, without any snapshot, takes minutes. */
const snapshotTimeoutMs = 600_000;

/** No snapshot is begun after this time, so that each has its own time limit within that of the function. */
const maxStartMs = 120_000;

export const writeListSnapshots = () => {
  // OpenSearch serves the lists.
  if (readOptional('SEARCH_ENDPOINT')) return async () => {};
  const { RECORDS_TABLE, SNAPSHOTS_BUCKET } = env('RECORDS_TABLE', 'SNAPSHOTS_BUCKET');
  const store = createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET);
  const options = (type: string) => {
    return { store, feed: createFeedStore(dynamodbClient(), RECORDS_TABLE, type), newId: () => newId('snapshot'), log };
  };
  const writers = [
    ...listings.map((spec) =>
      createSnapshotWriter({
        ...options(spec.type),
        kind: toReplicaSnapshotKind(spec),
        createSource: () => createReplicaSnapshotSource(createReplica(spec, snapshotTimeoutMs)),
      }),
    ),
    createSnapshotWriter({
      ...options(learnedType),
      kind: learnedSnapshotKind,
      createSource: () => createLearnedIndex(snapshotTimeoutMs).source,
    }),
  ];
  // One kind after the other, because the memory holds one of them. A kind that fails does not prevent the others.
  return async () => {
    const startedAtMs = clock.now();
    const errors: unknown[] = [];
    for (const write of writers) {
      if (clock.now() - startedAtMs > maxStartMs) break;
      await write().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} snapshots were not written: ${errors[0]}`);
  };
};
