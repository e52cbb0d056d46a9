// A program that measures the memory of lists. `measure <words>...` prints the bytes per record. `write <folder>` stores a
// snapshot of a million incidents with descriptions of 150 words. `load <folder>` does what a list function and the
// snapshot writer do with it, and prints the most memory that the process took.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import {
  loadReplicaSnapshot,
  toReplicaSnapshot,
  toReplicaSnapshotKind,
} from '../../../lambdas/lists/replica-wiring.ts';
import { findPage } from '../../../lambdas/lists/scan.ts';
import { type SnapshotStore, writeSnapshot } from '../../../lambdas/lists/snapshot-store.ts';
import { encodeLongIncidents } from './long-incidents.ts';

const [task, ...given] = process.argv.slice(2);
const [folder = ''] = given;
const chunkRows = 16_384;
const chunks = 61;
const kind = toReplicaSnapshotKind(incidentListing);
const marks = ['', '', '', ''];

const files: SnapshotStore = {
  read: async (key) => readFileSync(join(folder, key)),
  async write(key, bytes) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bytes);
  },
  keys: async () => [],
  remove: async () => {},
};

/** The same rows again and again, with other numbers: the words of one chunk do not depend on the others. */
function* repeatChunk(chunk: Uint8Array): Iterable<Uint8Array> {
  for (let copy = 0; copy < chunks; copy++) {
    const bytes = chunk.slice();
    // The numbers follow a header of 16 bytes.
    const numbers = new Uint32Array(bytes.buffer, 16, chunkRows);
    for (let row = 0; row < chunkRows; row++) numbers[row] = copy * chunkRows + row;
    yield bytes;
  }
}

function fillChunk(words: number): Replica {
  const replica = new Replica(incidentListing);
  for (const listing of encodeLongIncidents(chunkRows, words)) replica.applyEncoded(listing);
  return replica;
}

if (task === 'measure') {
  console.log(JSON.stringify(given.map((words) => fillChunk(Number(words)).bytes / chunkRows)));
} else if (task === 'write') {
  const { details, chunks: encoded } = toReplicaSnapshot(fillChunk(150));
  const [chunk = new Uint8Array()] = [...encoded];
  await writeSnapshot(files, kind, { rows: chunks * chunkRows, details, chunks: repeatChunk(chunk) }, marks, 'large');
} else {
  const loaded = await loadReplicaSnapshot(files, incidentListing, () => {});
  if (!loaded) throw new Error('the snapshot is not usable');
  const { replica } = loaded;
  const query = { enums: {}, strings: {}, times: {}, text: 'w1 w2', sort: 'created_at', order: 'desc' } as const;
  const { total } = findPage(replica, query, { skip: 0 }, 25);
  const nowhere = { ...files, write: async () => {} };
  await writeSnapshot(nowhere, kind, toReplicaSnapshot(replica), marks, 'next');
  const maxRssMb = process.resourceUsage().maxRSS / 1_024;
  console.log(JSON.stringify({ rows: replica.rows, total, bytes: replica.bytes, maxRssMb }));
}
