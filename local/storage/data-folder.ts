// The data folder contains passwords and secrets, so only its owner can read it. Only one server at a time can use it.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'libsql';
import { toStorageError } from './errors.ts';

export const storageFiles = ['runtime.db', 'runtime.db-wal', 'runtime.db-shm', 'runtime.db-flushed'];

const folderMode = 0o700;
const fileMode = 0o600;

/** Creates the folder or tightens its permissions. A folder with other content keeps its mode. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  const names = readdirSync(folder);
  if (names.length > 0 && !existsSync(join(folder, 'lock.db'))) return;
  setMode(folder, folderMode);
  for (const name of names) {
    const path = join(folder, name);
    setMode(path, statSync(path).isDirectory() ? folderMode : fileMode);
  }
}

/** Creates the file before SQLite does, which would make it readable by everyone. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', fileMode));
}

/** Replaces a file atomically: after a crash or on a full disk, the old file remains. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.partial`;
  const file = openSync(draft, 'w', fileMode);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  flush(dirname(path));
}

/** Flushes a file or a folder. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function setMode(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch {
    // The file belongs to another user, or the file system has no modes.
  }
}

export class FolderUnavailable extends Error {}

interface FolderLock {
  release(): void;
}

/** The lock is an open SQLite transaction, so the operating system releases it even after kill -9. */
export function lockFolder(folder: string): FolderLock {
  const path = resolve(folder);
  try {
    openDataFolder(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new FolderUnavailable(`The data folder ${path} is not writable (${(error as NodeJS.ErrnoException).code}).`);
  }
  const file = join(path, 'lock.db');
  createPrivateFile(file);
  const database = openLock(file, path) ?? openLock(file, path);
  if (!database) throw new FolderUnavailable(`The lock ${file} cannot be used. Delete it.`);
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/** Returns undefined after it emptied a damaged file: a running server holds the lock, so nobody uses such a file. */
function openLock(file: string, folder: string): Database.Database | undefined {
  const database = new Database(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    const { code = '' } = error as { code?: string };
    if (code.startsWith('SQLITE_BUSY'))
      throw new FolderUnavailable(`Another server is using the data folder ${folder}.`);
    if (code !== 'SQLITE_NOTADB' && !code.startsWith('SQLITE_CORRUPT')) throw toStorageError(error);
    rmSync(`${file}-journal`, { force: true });
    truncateSync(file);
    return undefined;
  }
}
