// Checks a data folder before opening it: the write-ahead log contains everything that was flushed, the database is intact
// after an unclean stop, and its format is known (docs/decisions/0029).
import { closeSync, fdatasync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import type Database from 'libsql';
import { StorageUnusable } from './errors.ts';
import { type LogPosition, scanLog } from './write-ahead-log.ts';

/** Increase it when an older program would misread the tables. */
export const formatVersion = 1;

/** A quick check reads the whole database; above this size it would delay the start by more than a second or two. */
const maxQuickCheckBytes = 512 * 1024 * 1024;

const flushEveryMs = 1_000;

/** The flushed position of the log, in a file beside it. */
export class FlushedPosition {
  private readonly file: number;
  private flushTimer: NodeJS.Timeout | undefined;

  constructor(database: string) {
    this.file = openSync(getFlushedPath(database), chooseOpenMode(getFlushedPath(database)), 0o600);
  }

  /** Called after every flush of the log. The position itself is not flushed: an older one only detects less damage. */
  record({ salt, frames }: LogPosition): void {
    try {
      writeSync(this.file, `${salt} ${String(frames).padStart(10, '0')}\n`, 0);
      this.flushTimer ??= setTimeout(() => this.flush(), flushEveryMs).unref();
    } catch {
      // On a full disk the earlier position remains, and it is still valid.
    }
  }

  close(): void {
    clearTimeout(this.flushTimer);
    closeSync(this.file);
  }

  private flush(): void {
    this.flushTimer = undefined;
    fdatasync(this.file, () => {});
  }
}

/** Checks the log before SQLite opens the database; returns whether the last process stopped cleanly. */
export function checkLog(database: string): 'clean' | 'unclean' {
  const flushed = readFlushedPosition(database);
  const hasFlushed = flushed !== undefined && flushed.frames > 0;
  if (!statSync(`${database}-wal`, { throwIfNoEntry: false })?.size) {
    if (hasFlushed) throw createDamageError(database, 'is missing');
    return 'clean';
  }
  if (!hasFlushed) return 'unclean';
  const file = openSync(`${database}-wal`, 'r');
  try {
    const log = scanLog(file);
    if (!log) throw createDamageError(database, 'has a damaged header');
    // A different salt means a later log, which starts only after the database contains everything before it.
    if (log.salt === flushed.salt && log.frames < flushed.frames)
      throw createDamageError(database, `is damaged: ${log.frames} of its ${flushed.frames} pages can be read`);
    return 'unclean';
  } finally {
    closeSync(file);
  }
}

/** After an unclean stop; larger databases are checked by `npm run backup`. */
export function checkDatabase(database: Database.Database, path: string): void {
  if (statSync(path).size > maxQuickCheckBytes) return;
  const [row] = database.pragma('quick_check(1)') as { quick_check: string }[];
  if (row?.quick_check !== 'ok')
    throw new StorageUnusable(
      `The database ${path} is damaged (${row?.quick_check}). Restore a backup: npm run restore`,
    );
}

/** Rejects data of a newer program and migrates data of an older one. */
export function migrate(database: Database.Database, path: string): void {
  const found = Number((database.pragma('user_version') as { user_version: number }[])[0]?.user_version);
  if (found === formatVersion) return;
  if (!(found in migrations)) {
    throw new StorageUnusable(
      `The database ${path} has the format ${found}, but this program supports formats up to ${formatVersion}. ` +
        'Use the program that wrote it, or another data folder (DATA_DIR).',
    );
  }
  for (let version = found; version < formatVersion; version++) {
    database.exec(`BEGIN IMMEDIATE; ${migrations[version]}; PRAGMA user_version = ${version + 1}; COMMIT`);
  }
}

/** SQL that migrates each format to the next; 0 is a database without a version. */
const migrations: Readonly<Record<number, string>> = { 0: '' };

function readFlushedPosition(database: string): LogPosition | undefined {
  const path = getFlushedPath(database);
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const match = /^([0-9a-f]{16}) (\d{10})\n/.exec(readFileSync(path, 'latin1'));
  return match?.[1] === undefined ? undefined : { salt: match[1], frames: Number(match[2]) };
}

function getFlushedPath(database: string): string {
  return `${database}-flushed`;
}

function chooseOpenMode(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? 'r+' : 'w+';
}

function createDamageError(database: string, what: string): StorageUnusable {
  return new StorageUnusable(
    `The write-ahead log ${database}-wal ${what}. Restore a backup (npm run restore), or delete ${getFlushedPath(database)} ` +
      'to start without the changes that cannot be read.',
  );
}
