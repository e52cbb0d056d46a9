// One server per data folder. The lock is an open SQLite transaction, so the operating system lets go of it however the
// process ends, kill -9 included; a file with a process id would not.
import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import { createPrivateFile, openDataFolder } from './data-folder.ts';

export class FolderUnavailable extends Error {}

export interface FolderLock {
  release(): void;
}

export function lockFolder(folder: string): FolderLock {
  const path = resolve(folder);
  try {
    openDataFolder(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new FolderUnavailable(`The data folder ${path} is not writable (${(error as NodeJS.ErrnoException).code}).`);
  }
  createPrivateFile(join(path, 'lock.db'));
  const database = new Database(join(path, 'lock.db'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new FolderUnavailable(`Another server is using the data folder ${path}.`);
  }
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}
