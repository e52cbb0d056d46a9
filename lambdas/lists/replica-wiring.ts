import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { type Log, log } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { decodeChunk, encodeChunk, type StringColumn } from './chunk.ts';
import { createFeedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { LiveReplica, type LiveReplicaOptions, type LoadedSnapshot } from './live-replica.ts';
import { Dictionary, Replica } from './replica.ts';
import {
  createSnapshotStore,
  type ReadContent,
  readSnapshot,
  type SnapshotContent,
  type SnapshotKind,
  type SnapshotSource,
  type SnapshotStore,
} from './snapshot-store.ts';

// The replica of a list, created from the function's environment. The function that writes snapshots needs no more.

/** Shorter than the gateway's timeout, so that the function has time to respond. */
export const requestTimeoutMs = 20_000;

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
  dictionaries: readonly (readonly string[])[];
}

export function toReplicaSnapshotKind(spec: ListingSpec): SnapshotKind {
  return { type: spec.type, schema: spec };
}

export function toReplicaSnapshot(replica: Replica): SnapshotContent<ReplicaDetails> {
  // New dictionaries, so that values that no record has any more end with the snapshot.
  const columns = replica.dictionaries.map((dictionary) => new Renumbering(dictionary));
  return {
    rows: replica.rows,
    details: () => ({ dictionaries: columns.map(({ used }) => used.values()) }),
    chunks: encodeChunks(replica, columns),
  };
}

/** The feed delivers chunks that are added during the write. */
function* encodeChunks({ chunks }: Replica, columns: readonly Renumbering[]): Iterable<Uint8Array> {
  for (const chunk of chunks.slice()) {
    yield encodeChunk(chunk, (codes, column) => requireValue(columns[column]).apply(codes));
  }
}

/** Gives the strings that are in use new codes, in order of appearance. */
class Renumbering {
  readonly used = new Dictionary();
  private readonly texts: readonly string[];
  private readonly newCodes: number[] = [0];

  constructor(dictionary: Dictionary) {
    this.texts = dictionary.values();
  }

  apply(codes: StringColumn): Uint32Array {
    return Uint32Array.from(codes, (code) => {
      this.newCodes[code] ??= this.used.add(requireValue(this.texts[code - 1]));
      return requireValue(this.newCodes[code]);
    });
  }
}

export function createReplicaSnapshotSource(live: LiveReplica): SnapshotSource<ReplicaDetails> {
  return {
    async refresh() {
      const replica = await live.refresh();
      return { watermarks: live.watermarks, content: toReplicaSnapshot(replica) };
    },
  };
}

/** Undefined when there is no usable snapshot. */
export async function loadReplicaSnapshot(
  store: SnapshotStore,
  spec: ListingSpec,
  log: Log,
): Promise<LoadedSnapshot | undefined> {
  const build = (content: ReadContent<ReplicaDetails>) => buildReplica(spec, content);
  const read = await readSnapshot(store, toReplicaSnapshotKind(spec), build, log);
  return read && { replica: read.built, watermarks: read.watermarks };
}

async function buildReplica(
  spec: ListingSpec,
  { rows, details, chunks }: ReadContent<ReplicaDetails>,
): Promise<Replica> {
  const replica = new Replica(spec);
  for (const [column, texts] of details.dictionaries.entries()) {
    for (const text of texts) replica.dictionaries[column]?.add(text);
  }
  for await (const chunk of chunks) replica.adopt(decodeChunk(spec, chunk));
  if (replica.rows < rows) throw new Error(`the snapshot has ${replica.rows} of ${rows} rows`);
  return replica;
}
