import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { errorFields, type Log } from '../platform/log.ts';
import { type Chunk, decodeChunk, encodeChunk } from './chunk.ts';
import type { ListingSpec } from './listing.ts';
import type { LiveReplica, LoadedSnapshot, Watermarks } from './live-replica.ts';
import { Replica } from './replica.ts';

// A snapshot lets a new instance start without reading the whole feed: the chunks of a replica in a few objects, plus a
// manifest with their digests and the watermarks of the feed. A snapshot is optional: one that is missing, damaged or
// from another release is ignored, and the feed is read from its start.

/** Objects by key; keys start with the record type. */
export interface SnapshotStore {
  read(key: string): Promise<Uint8Array | undefined>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  keys(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}

interface Manifest {
  format: number;
  spec: ListingSpec;
  /** Part of the keys of this snapshot's objects. */
  id: string;
  /** The previous snapshot, which another instance may still be reading. */
  previous: string | null;
  rows: number;
  watermarks: Watermarks;
  dictionaries: readonly (readonly string[])[];
  parts: readonly { key: string; chunks: readonly number[]; sha256: string }[];
}

const format = 1;

/** Several parts allow parallel loading; each one is small enough to be held in memory. */
const defaultPartBytes = 12_000_000;

const loadConcurrency = 4;

/**
 * Writes the replica's chunks. The replica may change meanwhile: each chunk is copied synchronously, and later changes
 * arrive again with the feed, which is idempotent.
 */
export async function writeSnapshot(
  store: SnapshotStore,
  replica: Replica,
  watermarks: Watermarks,
  id: string,
  partBytes: number = defaultPartBytes,
): Promise<void> {
  const { spec, rows } = replica;
  const before = await readManifest(store, spec).catch(() => undefined);
  const parts: Manifest['parts'][number][] = [];
  const count = replica.chunks.length;
  for (let first = 0; first < count; ) {
    const { bytes, chunks } = takePart(replica.chunks.slice(first, count), partBytes);
    const key = `${spec.type}/${id}/${parts.length}`;
    await store.write(key, bytes);
    parts.push({ key, chunks, sha256: sha256(bytes) });
    first += chunks.length;
  }
  const dictionaries = replica.dictionaries.map((dictionary) => [...dictionary.values()]);
  const previous = before?.id ?? null;
  const manifest: Manifest = { format, spec, id, previous, rows, watermarks, dictionaries, parts };
  await store.write(manifestKey(spec), signManifest(manifest));
  for (const key of await store.keys(`${spec.type}/`)) {
    const isNeeded =
      key === manifestKey(spec) || [id, previous].some((kept) => key.startsWith(`${spec.type}/${kept}/`));
    if (!isNeeded) await store.remove(key);
  }
}

/** Undefined when there is no usable snapshot. */
export async function loadSnapshot(
  store: SnapshotStore,
  spec: ListingSpec,
  log: Log,
): Promise<LoadedSnapshot | undefined> {
  try {
    const manifest = await readManifest(store, spec);
    if (!manifest) return undefined;
    const parts = await pMap(manifest.parts, (part) => readPart(store, spec, part), { concurrency: loadConcurrency });
    return { replica: buildReplica(spec, manifest, parts.flat()), watermarks: manifest.watermarks };
  } catch (error) {
    log('warn', 'ignoring an unusable snapshot', { type: spec.type, ...errorFields(error) });
    return undefined;
  }
}

function takePart(chunks: readonly Chunk[], partBytes: number): { bytes: Uint8Array; chunks: number[] } {
  const taken: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    taken.push(encodeChunk(chunk));
    size += taken.at(-1)!.byteLength;
    if (size >= partBytes) break;
  }
  return { bytes: Buffer.concat(taken), chunks: taken.map(({ byteLength }) => byteLength) };
}

async function readPart(store: SnapshotStore, spec: ListingSpec, part: Manifest['parts'][number]): Promise<Chunk[]> {
  const read = await store.read(part.key);
  if (!read) throw new Error(`${part.key} is missing`);
  if (sha256(read) !== part.sha256) throw new Error(`${part.key} is damaged`);
  const bytes = read.byteOffset % 8 === 0 ? read : new Uint8Array(read);
  let position = 0;
  return part.chunks.map((length) => {
    position += length;
    return decodeChunk(spec, bytes.subarray(position - length, position));
  });
}

function buildReplica(spec: ListingSpec, manifest: Manifest, chunks: readonly Chunk[]): Replica {
  const replica = new Replica(spec);
  for (const [column, texts] of manifest.dictionaries.entries()) {
    for (const text of texts) replica.dictionaries[column]!.add(text);
  }
  for (const chunk of chunks) replica.adopt(chunk);
  if (replica.rows < manifest.rows) throw new Error(`the snapshot has ${replica.rows} of ${manifest.rows} rows`);
  return replica;
}

function manifestKey({ type }: ListingSpec): string {
  return `${type}/manifest`;
}

/** Undefined when there is none, or one of another release. */
async function readManifest(store: SnapshotStore, spec: ListingSpec): Promise<Manifest | undefined> {
  const bytes = await store.read(manifestKey(spec));
  if (!bytes) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  const [digest, body] = [text.slice(0, 64), text.slice(64)];
  if (sha256(Buffer.from(body)) !== digest) throw new Error('the manifest is damaged');
  const manifest: Manifest = JSON.parse(body);
  const isOurs = manifest.format === format && JSON.stringify(manifest.spec) === JSON.stringify(spec);
  return isOurs ? manifest : undefined;
}

function signManifest(manifest: Manifest): Uint8Array {
  const body = JSON.stringify(manifest);
  return Buffer.from(sha256(Buffer.from(body)) + body);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface SnapshotWriterOptions {
  replica: LiveReplica;
  store: SnapshotStore;
  newId(): string;
  log: Log;
}

/**
 * Writes a snapshot when enough has changed since the last one. New instances read unwritten changes from the feed, so
 * with more records more changes justify a new snapshot.
 */
export function createSnapshotWriter({ replica: live, store, newId, log }: SnapshotWriterOptions): () => Promise<void> {
  // A replica loaded from a snapshot counts only the changes since then.
  let written = 0;
  return async () => {
    const replica = await live.refresh();
    const { changes, rows, spec } = replica;
    if (changes - written < minChanges + rows * changedShare) return;
    const id = newId();
    await writeSnapshot(store, replica, live.watermarks, id);
    log('info', 'snapshot written', { type: spec.type, snapshot: id, rows, changes: changes - written });
    written = changes;
  };
}

/** Reading this many from the feed is fast. */
const minChanges = 1_000;
const changedShare = 0.01;
