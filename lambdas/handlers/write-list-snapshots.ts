import { changeListing } from '../changes/change-listing.ts';
import { ciListing } from '../cmdb/ci-listing.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { articleListing } from '../knowledge/article-listing.ts';
import { deployedReplica } from '../lists/deployed-replica.ts';
import { snapshotStore } from '../lists/snapshot-store.ts';
import { snapshotWriter } from '../lists/write-snapshots.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { env } from '../platform/env.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { requestListing } from '../requests/request-listing.ts';

const { SNAPSHOTS_BUCKET } = env('SNAPSHOTS_BUCKET');
const store = snapshotStore(s3Client(), SNAPSHOTS_BUCKET);
// Without any snapshot, the whole feed is read: minutes, not seconds.
const patienceMs = 600_000;
const listings = [incidentListing, changeListing, requestListing, articleListing, ciListing];
const writers = listings.map((spec) =>
  snapshotWriter({ replica: deployedReplica(spec, patienceMs), store, newId: () => newId('snapshot'), log }),
);

export const handler = async () => {
  for (const write of writers) await write();
};
