// Objects as files: a header that names the object, then its bytes. A file is written aside, flushed and renamed, so
// an object is there whole or not at all, also after a crash; it is acknowledged after the folder is flushed as well.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageFaults } from '../storage/storage-faults.ts';

export interface ObjectHeader {
  key: string;
  size: number;
  /** Without quotes: the MD5 of the bytes, as for every object that is not uploaded in parts. */
  etag: string;
  modifiedMs: number;
  contentType: string;
  /** Content-Encoding, Cache-Control and the like, and x-amz-meta-*, as they were given. */
  headers: Record<string, string>;
}

export interface StoredObject {
  header: ObjectHeader;
  /** The bytes from `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Buffer>;
  close(): Promise<void>;
}

export class ObjectStore {
  private readonly folder: string;
  private readonly faults: StorageFaults | undefined;

  /** One folder for each bucket. */
  constructor(folder: string, faults?: StorageFaults) {
    this.folder = folder;
    this.faults = faults;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async put(header: Omit<ObjectHeader, 'size' | 'etag'>, bytes: Buffer): Promise<ObjectHeader> {
    const complete = { ...header, size: bytes.byteLength, etag: createHash('md5').update(bytes).digest('hex') };
    const text = Buffer.from(JSON.stringify(complete));
    const length = Buffer.alloc(headerLengthBytes);
    length.writeUInt32LE(text.byteLength);
    const aside = join(this.folder, `${randomUUID()}${asideSuffix}`);
    try {
      await this.writeAside(aside, [length, text, bytes]);
      await rename(aside, this.pathOf(header.key));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await this.flushFolder();
    return complete;
  }

  private async writeAside(path: string, parts: readonly Buffer[]): Promise<void> {
    const fault = this.faults?.next('object');
    const file = await open(path, 'ax', 0o600);
    try {
      for (const part of parts) await file.appendFile(part);
      if (fault) throw fault;
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Undefined when there is no object with the key. It must be closed. */
  async get(key: string): Promise<StoredObject | undefined> {
    const file = await openExisting(this.pathOf(key));
    if (!file) return undefined;
    const { header, headerBytes } = await readHeader(file);
    return {
      header,
      async read(start, end) {
        const bytes = Buffer.alloc(end - start);
        await readFully(file, bytes, headerBytes + start);
        return bytes;
      },
      close: () => file.close(),
    };
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    await this.flushFolder();
  }

  /** The headers of all objects, in the order of the keys' bytes. */
  async list(): Promise<ObjectHeader[]> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith(asideSuffix));
    const headers: ObjectHeader[] = [];
    for (const name of names) {
      const file = await openExisting(join(this.folder, name));
      if (!file) continue;
      try {
        headers.push((await readHeader(file)).header);
      } finally {
        await file.close();
      }
    }
    return headers.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /** Removes what a crash left half written. */
  async tidy(): Promise<void> {
    const left = (await readdir(this.folder)).filter((name) => name.endsWith(asideSuffix));
    await Promise.all(left.map((name) => rm(join(this.folder, name), { force: true })));
  }

  /** Keys may be longer than file names and hold what those may not. */
  private pathOf(key: string): string {
    return join(this.folder, createHash('sha256').update(key).digest('hex'));
  }

  private async flushFolder(): Promise<void> {
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

const headerLengthBytes = 4;
const asideSuffix = '.aside';

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readHeader(file: FileHandle): Promise<{ header: ObjectHeader; headerBytes: number }> {
  const length = Buffer.alloc(headerLengthBytes);
  await readFully(file, length, 0);
  const text = Buffer.alloc(length.readUInt32LE());
  await readFully(file, text, headerLengthBytes);
  return { header: JSON.parse(text.toString('utf8')), headerBytes: headerLengthBytes + text.byteLength };
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.byteLength, position);
  if (bytesRead !== into.byteLength) throw new Error('a file of the object store is shorter than it says');
}
