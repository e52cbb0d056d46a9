import type { Log } from '../platform/log.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';
import type { ListingSpec } from './listing.ts';
import type { LiveReplica, LoadedSnapshot } from './live-replica.ts';
import { Replica } from './replica.ts';
import {
  readSnapshot,
  type SnapshotContent,
  type SnapshotKind,
  type SnapshotSource,
  type SnapshotStore,
} from './snapshot.ts';

// Snapshots of a list's replica: its chunks of rows, and the dictionaries of its strings.

interface ReplicaDetails {
  rows: number;
  dictionaries: readonly (readonly string[])[];
}

export function toReplicaSnapshotKind(spec: ListingSpec): SnapshotKind {
  return { type: spec.type, schema: spec };
}

export function toReplicaSnapshot(replica: Replica): SnapshotContent<ReplicaDetails> {
  const { rows } = replica;
  return {
    details: () => ({ rows, dictionaries: replica.dictionaries.map((dictionary) => [...dictionary.values()]) }),
    chunks: encodeChunks(replica),
  };
}

/** A chunk that is added meanwhile arrives with the feed. */
function* encodeChunks({ chunks }: Replica): Iterable<Uint8Array> {
  for (const chunk of chunks.slice()) yield encodeChunk(chunk);
}

export function createReplicaSnapshotSource(live: LiveReplica, spec: ListingSpec): SnapshotSource<ReplicaDetails> {
  return {
    kind: toReplicaSnapshotKind(spec),
    async refresh() {
      const replica = await live.refresh();
      const { changes, rows } = replica;
      return { changes, rows, watermarks: live.watermarks, content: () => toReplicaSnapshot(replica) };
    },
  };
}

/** Undefined when there is no usable snapshot. */
export async function loadReplicaSnapshot(
  store: SnapshotStore,
  spec: ListingSpec,
  log: Log,
): Promise<LoadedSnapshot | undefined> {
  const build = (details: ReplicaDetails, chunks: readonly Uint8Array[]) => buildReplica(spec, details, chunks);
  const read = await readSnapshot(store, toReplicaSnapshotKind(spec), build, log);
  return read && { replica: read.built, watermarks: read.watermarks };
}

function buildReplica(spec: ListingSpec, details: ReplicaDetails, chunks: readonly Uint8Array[]): Replica {
  const replica = new Replica(spec);
  for (const [column, texts] of details.dictionaries.entries()) {
    for (const text of texts) replica.dictionaries[column]?.add(text);
  }
  for (const chunk of chunks) replica.adopt(decodeChunk(spec, chunk));
  if (replica.rows < details.rows) throw new Error(`the snapshot has ${replica.rows} of ${details.rows} rows`);
  return replica;
}
