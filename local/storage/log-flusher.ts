// Flushes the write-ahead log, because SQLite does not (synchronous = NORMAL). After a failed flush the operating system
// may have dropped data, and a later flush would succeed without it, so the log is suspect until a new file replaces it.
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from './data-folder.ts';
import { StorageUnavailable } from './errors.ts';
import { FlushedPosition } from './integrity.ts';
import type { StorageFaults } from './storage-faults.ts';
import { copyLog, readPosition, scanLog } from './write-ahead-log.ts';

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
      if (error) this.suspect = true;
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
      this.suspect = true;
      throw error;
    }
    this.flushed.record(readPosition(this.index));
  }

  /**
   * Copies the log into a new file, after which it is no longer suspect. Writing to the same blocks is not enough: without
   * a journal, a file system may have dropped the list of the file's blocks as well.
   */
  repair(reopenDatabase: () => void): void {
    const { salt, frames } = readPosition(this.index);
    const intact = frames > 0 ? scanLog(this.log, frames) : { salt, frames, bytes: 0 };
    if (intact?.salt !== salt || intact.frames < frames)
      throw new StorageUnavailable('The disk lost part of the write-ahead log. Restart the server.');
    const draft = `${this.path}.partial`;
    copyLog(this.log, draft, intact.bytes);
    // An empty log is valid only with this mark.
    if (frames === 0) this.flushed.record({ salt, frames });
    renameSync(draft, this.path);
    flush(dirname(this.path));
    // On failure, the old connection remains; it commits nothing as long as the log is suspect.
    reopenDatabase();
    closeSync(this.log);
    this.log = openSync(this.path, 'r+');
    this.flushNow();
    this.suspect = false;
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
