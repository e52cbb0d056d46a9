import { createLearnedIndex } from '../ai/knowledge/live-index.ts';
import { changeListing } from '../changes/change.ts';
import { ciListing } from '../cmdb/ci.ts';
import { incidentListing } from '../incidents/incident.ts';
import { articleListing } from '../knowledge/article.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { env } from '../platform/env.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { requestListing } from '../requests/request.ts';
import { createSnapshotStore, createSnapshotWriter } from './snapshot-store.ts';
import { createReplica, createReplicaSnapshotSource } from './wiring.ts';

/** Reading a whole feed, without any snapshot, takes minutes. */
const snapshotTimeoutMs = 600_000;

export const writeListSnapshots = () => {
  const { SNAPSHOTS_BUCKET } = env('SNAPSHOTS_BUCKET');
  const options = { store: createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET), newId: () => newId('snapshot'), log };
  const listings = [incidentListing, changeListing, requestListing, articleListing, ciListing];
  const writers = [
    ...listings.map((spec) => {
      const source = createReplicaSnapshotSource(createReplica(spec, snapshotTimeoutMs), spec);
      return createSnapshotWriter({ source, ...options });
    }),
    createSnapshotWriter({ source: createLearnedIndex(snapshotTimeoutMs).source, ...options }),
  ];
  // One kind that fails must not prevent the snapshots of the others.
  return async () => {
    const errors: unknown[] = [];
    for (const write of writers) await write().catch((error: unknown) => errors.push(error));
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} snapshots were not written: ${errors[0]}`);
  };
};
