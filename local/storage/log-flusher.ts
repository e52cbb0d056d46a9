// Flushes the write-ahead log, because SQLite does not (synchronous = NORMAL). After a failed flush the operating system
// may have dropped data, and a later flush would succeed without it, so the log is suspect until it is rewritten.
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import { StorageUnavailable } from './errors.ts';
import { FlushedPosition } from './integrity.ts';
import type { StorageFaults } from './storage-faults.ts';
import { readPosition, rewriteLog, scanLog } from './write-ahead-log.ts';

/** About one second at 50 MB/s, so that stopping does not take longer. */
const maxCheckpointBytes = 48 * 1024 * 1024;

export class LogFlusher {
  private readonly log: number;
  /** SQLite's shared index of the log. */
  private readonly index: number;
  private readonly flushed: FlushedPosition;
  private readonly faults: StorageFaults;
  private suspect = false;
  private closed = false;

  constructor(databasePath: string, faults: StorageFaults) {
    this.flushed = new FlushedPosition(databasePath);
    this.log = openSync(`${databasePath}-wal`, 'r+');
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

  /** Rewrites and flushes the whole log, after which it is no longer suspect. */
  repair(): void {
    const { salt, frames } = readPosition(this.index);
    if (frames > 0) {
      const intact = scanLog(this.log, frames);
      if (intact?.salt !== salt || intact.frames < frames) {
        throw new StorageUnavailable('The disk lost part of the write-ahead log. Restart the server.');
      }
      rewriteLog(this.log, intact.bytes);
    }
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
