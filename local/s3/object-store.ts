// Objects as files: a header, then the bytes of the object. A temporary file is written, flushed and renamed, so that even
// after a crash an object is complete or absent. A write is acknowledged after the folder is flushed as well.
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
    const completeHeader = { ...header, size: bytes.byteLength, etag: createHash('md5').update(bytes).digest('hex') };
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
    const file = await openExisting(this.getPath(key));
    if (!file) return undefined;
    const { header, headerBytes } = await closeOnError(file, readHeader(file));
    return {
      header,
      async read() {
        const bytes = Buffer.alloc(header.size);
        await readFully(file, bytes, headerBytes);
        return bytes;
      },
      close: () => file.close(),
    };
  }

  async delete(key: string): Promise<void> {
    await rm(this.getPath(key), { force: true });
    await this.flushFolder();
  }

  /** Lists the headers of all objects, sorted by the bytes of their keys. */
  async list(): Promise<ObjectHeader[]> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith(temporarySuffix));
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

  /** Deletes incomplete files that a crash left behind. */
  async deleteTemporaryFiles(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(temporarySuffix));
    await Promise.all(names.map((name) => rm(join(this.folder, name), { force: true })));
  }

  /** Hashes the key, because keys may be longer than file names and contain other characters. */
  private getPath(key: string): string {
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

/** Throws for a damaged file, before any length in it is trusted. */
async function readHeader(file: FileHandle): Promise<{ header: ObjectHeader; headerBytes: number }> {
  const { size: fileBytes } = await file.stat();
  const length = Buffer.alloc(headerLengthBytes);
  await readFully(file, length, 0);
  const headerBytes = headerLengthBytes + length.readUInt32LE();
  if (headerBytes > Math.min(fileBytes, maxHeaderBytes)) throw damageError();
  const text = Buffer.alloc(headerBytes - headerLengthBytes);
  await readFully(file, text, headerLengthBytes);
  const header = parseHeader(text);
  if (headerBytes + header.size !== fileBytes) throw damageError();
  return { header, headerBytes };
}

function parseHeader(text: Buffer): ObjectHeader {
  try {
    const header: ObjectHeader = JSON.parse(text.toString('utf8'));
    const isComplete =
      typeof header.key === 'string' && typeof header.etag === 'string' && typeof header.contentType === 'string';
    if (isComplete && typeof header.headers === 'object' && !Number.isNaN(new Date(header.modifiedMs).getTime()))
      return header;
  } catch {
    // The same as an incomplete header.
  }
  throw damageError();
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.byteLength, position);
  if (bytesRead !== into.byteLength) throw damageError();
}

async function closeOnError<T>(file: FileHandle, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function damageError(): Error {
  return new Error('a file of the object store is damaged');
}
