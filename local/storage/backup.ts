// Backs up and restores a data folder: database, objects, credentials and a manifest of digests. docs/decisions/0006
// explains why the copy is consistent while a server keeps writing.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import Database from 'libsql';
import { FolderUnavailable, flush, lockFolder, replaceFile } from './data-folder.ts';
import { Storage } from './storage.ts';

/** Its message is shown to the user as one line. */
export class BackupError extends Error {}

interface Manifest {
  created_at: string;
  files: Record<string, { bytes: number; sha256: string }>;
}

const databaseName = 'runtime.db';
const objectFolder = 's3';
const manifestName = 'backup.json';
const copiedFiles = ['credentials.json'];

export async function backUp(dataFolder: string, target: string): Promise<Manifest> {
  if (!existsSync(join(dataFolder, databaseName)))
    throw new BackupError(`There is no data in ${resolve(dataFolder)}. Set DATA_DIR to the data folder.`);
  if (existsSync(join(dataFolder, 'first-start')))
    throw new BackupError('The first start has not completed. Try again when the server is ready.');
  assertEmpty(target);
  const draft = `${resolve(target)}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    copyObjects(dataFolder, draft);
    copyDatabase(dataFolder, join(draft, databaseName));
    copyObjects(dataFolder, draft);
    for (const name of copiedFiles.filter((each) => existsSync(join(dataFolder, each))))
      copyFile(dataFolder, draft, name);
    checkDatabase(join(draft, databaseName));
    for (const name of listFiles(draft)) makePrivate(join(draft, name));
    const manifest = { created_at: new Date().toISOString(), files: await computeDigests(draft) };
    replaceFile(join(draft, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    // rename() fails if the target folder exists.
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
    flush(dirname(resolve(target)));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** `replace` renames the existing data folder; the result contains the new path. */
export async function restore(
  backup: string,
  dataFolder: string,
  { replace }: { replace: boolean },
): Promise<{ manifest: Manifest; replaced: string | undefined }> {
  const manifest = await verifyBackup(backup);
  let replaced: string | undefined;
  if (existsSync(join(dataFolder, databaseName))) {
    if (!replace)
      throw new BackupError(
        `${resolve(dataFolder)} already contains data. Add --replace to rename that folder, or set DATA_DIR.`,
      );
    assertStopped(dataFolder);
    replaced = `${resolve(dataFolder)}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    renameSync(dataFolder, replaced);
  }
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  for (const name of Object.keys(manifest.files)) if (name !== databaseName) copyFile(backup, dataFolder, name);
  // The database is copied last and atomically, so an interrupted restore leaves a folder without data.
  const draft = `${databaseName}.partial`;
  cpSync(join(backup, databaseName), join(dataFolder, draft));
  makePrivate(join(dataFolder, draft));
  flush(join(dataFolder, draft));
  renameSync(join(dataFolder, draft), join(dataFolder, databaseName));
  flush(dataFolder);
  return { manifest, replaced };
}

async function verifyBackup(backup: string): Promise<Manifest> {
  const path = join(backup, manifestName);
  if (!existsSync(path)) throw new BackupError(`${resolve(backup)} is not a backup: ${manifestName} is missing.`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const found = await computeDigests(backup);
  const wrong = Object.entries(manifest.files).filter(([name, { sha256 }]) => found[name]?.sha256 !== sha256);
  if (wrong.length > 0)
    throw new BackupError(`The backup is damaged: ${wrong.map(([name]) => name).join(', ')} changed or missing.`);
  return manifest;
}

function assertEmpty(target: string): void {
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new BackupError(`${resolve(target)} is not empty. Name a new folder.`);
}

function assertStopped(dataFolder: string): void {
  try {
    lockFolder(dataFolder).release();
  } catch (error) {
    if (!(error instanceof FolderUnavailable)) throw error;
    throw new BackupError(`${error.message} Stop it first.`);
  }
}

/** Copies the database while a server runs; otherwise opens and checks the folder as a start does. */
function copyDatabase(dataFolder: string, target: string): void {
  const copy = `VACUUM INTO '${target.replaceAll("'", "''")}'`;
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(dataFolder);
  } catch (error) {
    if (!(error instanceof FolderUnavailable)) throw error;
    const database = new Database(join(dataFolder, databaseName));
    database.exec(copy);
    database.close();
    return;
  }
  try {
    const storage = new Storage(dataFolder);
    storage.exec(copy);
    storage.close();
  } finally {
    lock.release();
  }
}

function checkDatabase(path: string): void {
  const database = new Database(path);
  const rows = database.pragma('integrity_check') as { integrity_check: string }[];
  // A backup has no separate log file.
  database.pragma('journal_mode = DELETE');
  database.close();
  if (rows[0]?.integrity_check !== 'ok')
    throw new BackupError(`The database is damaged: ${rows.map((row) => row.integrity_check).join('; ')}`);
}

/** Objects are replaced atomically, so each copy is complete. A missing object was deleted during the backup. */
function copyObjects(dataFolder: string, target: string): void {
  const from = join(dataFolder, objectFolder);
  for (const name of listFiles(from)) {
    if (name.endsWith('.aside')) continue;
    const [source, copy] = [join(from, name), join(target, objectFolder, name)];
    const found = statSync(source, { throwIfNoEntry: false });
    const known = statSync(copy, { throwIfNoEntry: false });
    if (!found || (known && known.mtimeMs === found.mtimeMs && known.size === found.size)) continue;
    try {
      cpSync(source, copy, { preserveTimestamps: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function copyFile(from: string, to: string, name: string): void {
  cpSync(join(from, name), join(to, name), { preserveTimestamps: true });
  makePrivate(join(to, name));
  flush(join(to, name));
}

/** SQLite creates files that everyone can read, and copies of files keep their mode. */
function makePrivate(path: string): void {
  chmodSync(path, 0o600);
}

async function computeDigests(folder: string): Promise<Manifest['files']> {
  const files: Manifest['files'] = {};
  for (const name of listFiles(folder).filter((each) => each !== manifestName)) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
    files[name] = { bytes: statSync(join(folder, name)).size, sha256: hash.digest('hex') };
  }
  return files;
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
