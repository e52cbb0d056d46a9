import { changeListing } from '../changes/change.ts';
import { ciListing } from '../cmdb/ci-listing.ts';
import { incidentListing } from '../incidents/incident.ts';
import { articleListing } from '../knowledge/article.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { env } from '../platform/env.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { requestListing } from '../requests/request.ts';
import { createSnapshotWriter } from './snapshot.ts';
import { createSnapshotStore } from './snapshot-store.ts';
import { createReplica } from './wiring.ts';

/** Reading the whole feed, without any snapshot, takes minutes. */
const snapshotPatienceMs = 600_000;

export const writeListSnapshots = () => {
  const { SNAPSHOTS_BUCKET } = env('SNAPSHOTS_BUCKET');
  const store = createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET);
  const writers = [incidentListing, changeListing, requestListing, articleListing, ciListing].map((spec) =>
    createSnapshotWriter({
      replica: createReplica(spec, snapshotPatienceMs),
      store,
      newId: () => newId('snapshot'),
      log,
    }),
  );
  return async () => {
    for (const write of writers) await write();
  };
};
