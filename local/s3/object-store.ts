// Objects as files: a header, then the bytes of the object. A temporary file is written, flushed and renamed, so that even
// after a crash an object is complete or absent. A write is acknowledged after the folder is flushed as well. Reads compare
// the bytes with the ETag, so a damaged file fails the request that reads it.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageFaults } from '../storage/storage-faults.ts';

export interface ObjectHeader {
  key: string;
  size: number;
  /** The MD5 of the bytes, without quotes. */
  etag: string;
  modifiedMs: number;
  contentType: string;
  /** Content-Encoding, Cache-Control and similar headers, and x-amz-meta-*. */
  headers: Record<string, string>;
}

export interface StoredObject {
  header: ObjectHeader;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

export class ObjectStore {
  private readonly folder: string;
  private readonly faults: StorageFaults | undefined;

  /** Each bucket has its own folder. */
  constructor(folder: string, faults?: StorageFaults) {
    this.folder = folder;
    this.faults = faults;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async put(header: Omit<ObjectHeader, 'size' | 'etag'>, bytes: Buffer): Promise<ObjectHeader> {
    const completeHeader = { ...header, size: bytes.byteLength, etag: hashMd5(bytes) };
    const text = Buffer.from(JSON.stringify(completeHeader));
    const length = Buffer.alloc(headerLengthBytes);
    length.writeUInt32LE(text.byteLength);
    const temporaryPath = join(this.folder, `${randomUUID()}${temporarySuffix}`);
    try {
      await this.writeTemporaryFile(temporaryPath, [length, text, bytes]);
      await rename(temporaryPath, this.getPath(header.key));
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
    await this.flushFolder();
    return completeHeader;
  }

  private async writeTemporaryFile(path: string, parts: readonly Buffer[]): Promise<void> {
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

  /** Returns undefined when there is no object with this key. The caller must close the object. */
  async get(key: string): Promise<StoredObject | undefined> {
    const path = this.getPath(key);
    const file = await openExisting(path);
    if (!file) return undefined;
    const { header, headerBytes } = await closeOnError(file, readHeader(file, path));
    return {
      header,
      async read() {
        const bytes = Buffer.alloc(header.size);
        const isComplete = await readFully(file, bytes, headerBytes);
        if (!isComplete || hashMd5(bytes) !== header.etag) throw new DamagedObject(path, header.key);
        return bytes;
      },
      close: () => file.close(),
    };
  }

  async delete(key: string): Promise<void> {
    await rm(this.getPath(key), { force: true });
    await this.flushFolder();
  }

  /** The headers of all objects, sorted by the bytes of their keys, without files whose header is damaged. */
  async list(): Promise<ObjectHeader[]> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith(temporarySuffix));
    const headers: ObjectHeader[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      const file = await openExisting(path);
      if (!file) continue;
      try {
        headers.push((await readHeader(file, path)).header);
      } catch (error) {
        // Its key is unknown, and others must stay available; a read of the object reports the damage.
        if (!(error instanceof DamagedObject)) throw error;
      } finally {
        await file.close();
      }
    }
    return headers.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /** Deletes the objects with this prefix that were last written before the given time. */
  async deleteOlder(prefix: string, beforeMs: number): Promise<void> {
    for (const { key, modifiedMs } of await this.list())
      if (key.startsWith(prefix) && modifiedMs < beforeMs) await this.delete(key);
  }

  /** Deletes incomplete files that a crash left behind. */
  async deleteTemporaryFiles(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(temporarySuffix));
    await Promise.all(names.map((name) => rm(join(this.folder, name), { force: true })));
  }

  private getPath(key: string): string {
    return join(this.folder, hashKey(key));
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
/** Keys have at most 1 KB, and Node limits the headers of a request to 16 KB. */
const maxHeaderBytes = 64 * 1024;
const temporarySuffix = '.aside';

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

class DamagedObject extends Error {
  constructor(path: string, key?: string) {
    super(`the object ${key === undefined ? '' : `${key} `}in ${path} is damaged`);
  }
}

/** Throws for a damaged file, before any length in it is trusted. */
async function readHeader(file: FileHandle, path: string): Promise<{ header: ObjectHeader; headerBytes: number }> {
  const { size: fileBytes } = await file.stat();
  const length = Buffer.alloc(headerLengthBytes);
  if (!(await readFully(file, length, 0))) throw new DamagedObject(path);
  const headerBytes = headerLengthBytes + length.readUInt32LE();
  if (headerBytes > Math.min(fileBytes, maxHeaderBytes)) throw new DamagedObject(path);
  const text = Buffer.alloc(headerBytes - headerLengthBytes);
  const isComplete = await readFully(file, text, headerLengthBytes);
  const header = isComplete ? parseHeader(text) : undefined;
  if (!header || headerBytes + header.size !== fileBytes || !path.endsWith(hashKey(header.key)))
    throw new DamagedObject(path);
  return { header, headerBytes };
}

function parseHeader(text: Buffer): ObjectHeader | undefined {
  try {
    const header: ObjectHeader = JSON.parse(text.toString('utf8'));
    const isComplete =
      typeof header.key === 'string' && typeof header.etag === 'string' && typeof header.contentType === 'string';
    const hasDate = !Number.isNaN(new Date(header.modifiedMs).getTime());
    return isComplete && typeof header.headers === 'object' && hasDate ? header : undefined;
  } catch {
    return undefined;
  }
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<boolean> {
  const { bytesRead } = await file.read(into, 0, into.byteLength, position);
  return bytesRead === into.byteLength;
}

async function closeOnError<T>(file: FileHandle, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function hashMd5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** Keys may be longer than file names and contain other characters. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
