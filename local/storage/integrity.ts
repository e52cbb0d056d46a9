// Checks a data folder before opening it: the write-ahead log contains everything that was flushed, the database is intact
// after an unclean stop, and its format is known (docs/decisions/0006).
import { closeSync, existsSync, fdatasync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type Database from 'libsql';
import type { Log } from '../log.ts';
import { replaceFile } from './data-folder.ts';
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
    const path = getFlushedPath(database);
    // Complete from the beginning: an empty file is a damaged one.
    if (!existsSync(path)) replaceFile(path, formatMark({ salt: '0'.repeat(16), frames: 0 }));
    this.file = openSync(path, 'r+');
  }

  /** Called after every flush of the log. The position itself is not flushed: an older one only detects less damage. */
  record(position: LogPosition): void {
    try {
      writeSync(this.file, formatMark(position), 0);
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
export function checkLog(database: string, log?: Pick<Log, 'warn'>): 'clean' | 'unclean' {
  const flushed = readFlushedPosition(database);
  const hasFlushed = flushed !== undefined && flushed.frames > 0;
  if (!statSync(`${database}-wal`, { throwIfNoEntry: false })?.size) {
    if (hasFlushed) throw createDamageError(database, 'is missing');
    return 'clean';
  }
  const file = openSync(`${database}-wal`, 'r');
  try {
    const found = scanLog(file);
    if (!flushed)
      log?.warn(
        `${getFlushedPath(database)} is missing. The start reads ${found?.frames ?? 0} pages of the write-ahead log; whether these are all is unknown.`,
      );
    if (!hasFlushed) return 'unclean';
    if (!found) throw createDamageError(database, 'has a damaged header');
    // A different salt means a later log, which starts only after the database contains everything before it.
    if (found.salt === flushed.salt && found.frames < flushed.frames)
      throw createDamageError(database, `is damaged: ${found.frames} of its ${flushed.frames} pages can be read`);
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

/** The checksum detects a mark whose salt or number changed: it would hide damage of the log. */
function formatMark({ salt, frames }: LogPosition): string {
  const text = `${salt} ${String(frames).padStart(10, '0')}`;
  return `${text} ${crc32(Buffer.from(text)).toString(16).padStart(8, '0')}\n`;
}

/** Undefined when the mark was deleted, which is how to accept a loss. */
function readFlushedPosition(database: string): LogPosition | undefined {
  const path = getFlushedPath(database);
  if (!existsSync(path)) return undefined;
  const mark = readFileSync(path, 'latin1');
  const [, salt, frames] = /^([0-9a-f]{16}) (\d{10})/.exec(mark) ?? [];
  const position = { salt: salt ?? '', frames: Number(frames) };
  // Marks of earlier versions have no checksum.
  if (salt !== undefined && [formatMark(position), `${salt} ${frames}\n`].includes(mark)) return position;
  throw createDamageError(database, `may be incomplete, because ${path} is damaged`);
}

function getFlushedPath(database: string): string {
  return `${database}-flushed`;
}

function createDamageError(database: string, what: string): StorageUnusable {
  return new StorageUnusable(
    `The write-ahead log ${database}-wal ${what}. Restore a backup (npm run restore), or delete ${getFlushedPath(database)} ` +
      'to start without the changes that cannot be read.',
  );
}
