// Flushes the write-ahead log, because SQLite does not (synchronous = NORMAL). After a failed flush the operating system
// may drop data at any time, even of earlier flushes, and a later flush would succeed without it. So the log is read into
// memory at once, and it is suspect until a new file replaces it.
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from './data-folder.ts';
import { StorageUnavailable } from './errors.ts';
import { FlushedPosition } from './integrity.ts';
import type { StorageFaults } from './storage-faults.ts';
import { type LogPosition, readLog, readPosition, scanLog, writeLog } from './write-ahead-log.ts';

/** About one second at 50 MB/s, so that stopping does not take longer. */
const maxCheckpointBytes = 48 * 1024 * 1024;

export class LogFlusher {
  private readonly path: string;
  private log: number;
  /** SQLite's shared index of the log. */
  private readonly index: number;
  private readonly flushed: FlushedPosition;
  private readonly faults: StorageFaults;
  private suspect = false;
  /** The log after a failed flush; nothing is committed until it is repaired. */
  private rescued: { position: LogPosition; log: Buffer } | undefined;
  private closed = false;

  constructor(databasePath: string, faults: StorageFaults) {
    this.flushed = new FlushedPosition(databasePath);
    this.path = `${databasePath}-wal`;
    this.log = openSync(this.path, 'r+');
    this.index = openSync(`${databasePath}-shm`, 'r');
    this.faults = faults;
  }

  /** The log may have lost data since the last good flush; writes are rejected until it is repaired. */
  get isSuspect(): boolean {
    return this.suspect;
  }

  assertIntact(): void {
    if (this.suspect) throw new StorageUnavailable('The write-ahead log could not be flushed.');
  }

  /** Flushes all writes so far, outside the main thread. Does not call back after close(). */
  flush(done: (error: Error | null) => void): void {
    const fault = this.faults.next('flush');
    const position = readPosition(this.index);
    const finish = (error: Error | null) => {
      if (this.closed) return;
      if (error) this.markSuspect();
      else this.flushed.record(position);
      done(error);
    };
    if (fault) setImmediate(finish, fault);
    else fdatasync(this.log, finish);
  }

  flushNow(): void {
    const fault = this.faults.next('flush');
    try {
      if (fault) throw fault;
      fdatasyncSync(this.log);
    } catch (error) {
      this.markSuspect();
      throw error;
    }
    this.flushed.record(readPosition(this.index));
  }

  /**
   * Writes the log into a new file, after which it is no longer suspect. Writing to the same blocks is not enough: without
   * a journal, a file system may have dropped the list of the file's blocks as well.
   */
  repair(reopenDatabase: () => void): void {
    this.rescued ??= this.readIntact();
    const { position, log } = this.rescued;
    const draft = `${this.path}.partial`;
    writeLog(draft, log);
    // An empty log is valid only with this mark.
    if (position.frames === 0) this.flushed.record(position);
    renameSync(draft, this.path);
    flush(dirname(this.path));
    // On failure, the old connection remains; it commits nothing as long as the log is suspect.
    reopenDatabase();
    closeSync(this.log);
    this.log = openSync(this.path, 'r+');
    this.flushNow();
    this.suspect = false;
    this.rescued = undefined;
  }

  private markSuspect(): void {
    this.suspect = true;
    try {
      this.rescued ??= this.readIntact();
    } catch {
      // The repair tries again and reports it.
    }
  }

  private readIntact(): { position: LogPosition; log: Buffer } {
    const position = readPosition(this.index);
    const { salt, frames } = position;
    const intact = frames > 0 ? scanLog(this.log, frames) : { salt, frames, bytes: 0 };
    if (intact?.salt !== salt || intact.frames < frames)
      throw new StorageUnavailable('The disk lost part of the write-ahead log. Restart the server.');
    return { position, log: readLog(this.log, intact.bytes) };
  }

  /** Moves the log into the database, so a stopped server leaves one file. A long log waits for the next start. */
  checkpoint(moveLog: () => boolean): void {
    if (this.suspect || fstatSync(this.log).size > maxCheckpointBytes) return;
    const position = readPosition(this.index);
    try {
      // Record that an empty log is valid now.
      this.flushed.record({ ...position, frames: 0 });
      if (!moveLog()) this.flushed.record(position);
    } catch {
      this.flushed.record(position);
    }
  }

  close(): void {
    this.closed = true;
    this.flushed.close();
    closeSync(this.log);
    closeSync(this.index);
  }
}
