import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { type Log, log } from '../platform/log.ts';
import { createCursorSeal } from '../records/wiring.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';
import { createFeedStore } from './feed-store.ts';
import type { ListSource } from './list-records.ts';
import type { ListingSpec } from './listing.ts';
import { LiveReplica, type LiveReplicaOptions, type LoadedSnapshot } from './live-replica.ts';
import { createRecordCache, createRecordReader } from './record-store.ts';
import { Replica } from './replica.ts';
import {
  createSnapshotStore,
  readSnapshot,
  type SnapshotContent,
  type SnapshotKind,
  type SnapshotSource,
  type SnapshotStore,
} from './snapshot-store.ts';

// The dependencies of lists, created from the function's environment.

/** Shorter than the gateway's timeout, so that the function has time to respond. */
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

/** The feed delivers chunks that are added during the write. */
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
