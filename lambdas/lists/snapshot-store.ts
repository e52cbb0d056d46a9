import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { pMapIterable } from 'p-map';
import { type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import type { FeedStore } from './feed-store.ts';
import type { Watermarks } from './live-replica.ts';

// With a snapshot, a new instance starts without reading the whole feed. It consists of chunks of bytes in a few objects
// and a manifest with their digests and the feed's watermarks. It is optional: if it is missing, damaged or from another
// release, the feed is read from its start.

/** Objects by key; keys start with the type of the snapshot. */
export interface SnapshotStore {
  read(key: string): Promise<Uint8Array | undefined>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  keys(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}

/** A kind of snapshot and its schema. Snapshots with another schema are ignored. */
export interface SnapshotKind {
  type: string;
  schema: unknown;
}

export interface SnapshotContent<Details> {
  /** The number of records. */
  rows: number;
  /** Metadata of the chunks for the manifest. Read after the chunks, which may grow until then. */
  details(): Details;
  chunks: Iterable<Uint8Array>;
}

interface Manifest<Details> {
  format: number;
  schema: unknown;
  /** Part of the keys of this snapshot's objects. */
  id: string;
  /** The previous snapshot, which another instance may still be reading. */
  previous: string | null;
  watermarks: Watermarks;
  rows: number;
  details: Details;
  parts: readonly { key: string; chunks: readonly number[]; sha256: string }[];
}

const format = 3;

/** Several parts allow parallel loading; each one is small enough to be held in memory. */
const defaultPartBytes = 12_000_000;

const loadConcurrency = 4;

/**
 * Writes the chunks, which are encoded one at a time. The source may change during the write: the feed delivers later
 * changes again, and applying them twice has no effect.
 */
export async function writeSnapshot<Details>(
  store: SnapshotStore,
  kind: SnapshotKind,
  { rows, details, chunks }: SnapshotContent<Details>,
  watermarks: Watermarks,
  id: string,
  partBytes: number = defaultPartBytes,
): Promise<void> {
  const { type, schema } = kind;
  const before = await readManifest(store, kind).catch(() => undefined);
  const parts: Manifest<Details>['parts'][number][] = [];
  const writePart = async (pending: readonly Uint8Array[]) => {
    const bytes = Buffer.concat(pending);
    const key = `${type}/${id}/${parts.length}`;
    await store.write(key, bytes);
    parts.push({ key, chunks: pending.map(({ byteLength }) => byteLength), sha256: sha256(bytes) });
  };
  let pending: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.byteLength;
    if (size < partBytes) continue;
    await writePart(pending);
    pending = [];
    size = 0;
  }
  if (pending.length > 0) await writePart(pending);
  const previous = before?.id ?? null;
  const manifest: Manifest<Details> = { format, schema, id, previous, watermarks, rows, details: details(), parts };
  await store.write(toManifestKey(type), signManifest(manifest));
  for (const key of await store.keys(`${type}/`)) {
    const isNeeded = key === toManifestKey(type) || [id, previous].some((kept) => key.startsWith(`${type}/${kept}/`));
    if (!isNeeded) await store.remove(key);
  }
}

/** The content of a snapshot. The chunks arrive in order; only the parts that are being read are in memory. */
export interface ReadContent<Details> extends Pick<Manifest<Details>, 'rows' | 'details'> {
  chunks: AsyncIterable<Uint8Array>;
}

/** Returns undefined if there is no usable snapshot. `build` throws if the chunks are inconsistent. */
export async function readSnapshot<Details, Built>(
  store: SnapshotStore,
  kind: SnapshotKind,
  build: (content: ReadContent<Details>) => Promise<Built>,
  log: Log,
): Promise<{ built: Built; watermarks: Watermarks } | undefined> {
  try {
    const manifest = await readManifest<Details>(store, kind);
    if (!manifest) return undefined;
    const { rows, details, watermarks } = manifest;
    return { built: await build({ rows, details, chunks: readChunks(store, manifest) }), watermarks };
  } catch (error) {
    log('warn', 'ignored an unusable snapshot', { type: kind.type, ...toErrorFields(error) });
    return undefined;
  }
}

async function* readChunks(store: SnapshotStore, { parts }: Manifest<unknown>): AsyncIterable<Uint8Array> {
  const read = pMapIterable(parts, (part) => readPart(store, part), { concurrency: loadConcurrency });
  for await (const chunks of read) yield* chunks;
}

async function readPart(store: SnapshotStore, part: Manifest<unknown>['parts'][number]): Promise<Uint8Array[]> {
  const read = await store.read(part.key);
  if (!read) throw new Error(`${part.key} is missing`);
  if (sha256(read) !== part.sha256) throw new Error(`${part.key} is damaged`);
  const bytes = read.byteOffset % 8 === 0 ? read : new Uint8Array(read);
  let position = 0;
  return part.chunks.map((length) => {
    position += length;
    return bytes.subarray(position - length, position);
  });
}

function toManifestKey(type: string): string {
  return `${type}/manifest`;
}

/** Undefined when there is none, or one of another release. */
async function readManifest<Details>(
  store: SnapshotStore,
  { type, schema }: SnapshotKind,
): Promise<Manifest<Details> | undefined> {
  const bytes = await store.read(toManifestKey(type));
  if (!bytes) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  const [digest, body] = [text.slice(0, 64), text.slice(64)];
  if (sha256(Buffer.from(body)) !== digest) throw new Error('the manifest is damaged');
  const manifest: Manifest<Details> = JSON.parse(body);
  const isOurs = manifest.format === format && JSON.stringify(manifest.schema) === JSON.stringify(schema);
  return isOurs ? manifest : undefined;
}

function signManifest(manifest: Manifest<unknown>): Uint8Array {
  const body = JSON.stringify(manifest);
  return Buffer.from(sha256(Buffer.from(body)) + body);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface SnapshotSource<Details> {
  /** Brings the source up to date. After a timeout, the next call continues. */
  refresh(): Promise<{ watermarks: Watermarks; content: SnapshotContent<Details> }>;
}

interface SnapshotWriterOptions<Details> {
  kind: SnapshotKind;
  feed: FeedStore;
  createSource(): SnapshotSource<Details>;
  store: SnapshotStore;
  newId(): string;
  log: Log;
}

/**
 * Writes a snapshot after enough changes since the last one. New instances read unwritten changes from the feed, so the
 * required number of changes grows with the number of records. The source is in memory only for a write, because
 * counting the changes does not need it.
 */
export function createSnapshotWriter<Details>(options: SnapshotWriterOptions<Details>): () => Promise<void> {
  const { kind, feed, createSource, store, newId, log } = options;
  let written: { rows: number; watermarks: Watermarks } | undefined;
  let marks: string[] = [];
  let changes = 0;
  /** Retained after a timeout, so that the next run continues. */
  let source: SnapshotSource<Details> | undefined;
  return async () => {
    if (!written) {
      const latest = await readManifest(store, kind).catch(() => undefined);
      written = latest ?? { rows: 0, watermarks: Array.from({ length: feed.shards }, () => '') };
      marks = [...written.watermarks];
    }
    const enough = minChanges + written.rows * changedShare;
    for (let shard = 0; shard < marks.length && changes < enough; shard++) {
      for await (const entries of feed.pages(shard, requireValue(marks[shard]))) {
        changes += entries.length;
        marks[shard] = entries.at(-1)?.key ?? requireValue(marks[shard]);
        if (changes >= enough) break;
      }
    }
    if (changes < enough) return;
    source ??= createSource();
    const { watermarks, content } = await source.refresh();
    source = undefined;
    const id = newId();
    await writeSnapshot(store, kind, content, watermarks, id);
    log('info', 'wrote a snapshot', { type: kind.type, snapshot: id, rows: content.rows });
    written = { rows: content.rows, watermarks };
    marks = [...watermarks];
    changes = 0;
  };
}

/** Reading this many from the feed is fast. */
const minChanges = 1_000;
const changedShare = 0.01;

// | Access pattern            | Call          | Key                       |
// |---------------------------|---------------|---------------------------|
// | the newest snapshot       | GetObject     | `<type>/manifest`         |
// | its chunks                | GetObject     | `<type>/<snapshot>/<n>`   |
// | parts of old snapshots    | ListObjectsV2 | prefix `<type>/`          |

export function createSnapshotStore(client: S3Client, bucket: string): SnapshotStore {
  return {
    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await requireValue(Body).transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async write(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
    },
    async keys(prefix) {
      // One page lists far more than two snapshots; the next run removes the rest.
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return (Contents ?? []).flatMap(({ Key = [] }) => Key);
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}
