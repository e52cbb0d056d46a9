// One SQLite file contains all durable state. Writes that arrive in the same event-loop turn, or during a flush of the
// write-ahead log, share one commit. A write resolves only after its flush, so an acknowledged write is durable. SQLite
// would flush inside the commit and block every request, so the log is flushed here, outside the main thread. An
// expendable write survives a crash of the process immediately, and a power cut after one second.
// A full or failing disk rejects writes with StorageUnavailable; reads continue (docs/decisions/0006).
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { Connection } from './connection.ts';
import { createPrivateFile } from './data-folder.ts';
import { DiskHealth, StorageUnavailable, toStorageError } from './errors.ts';
import { checkLog } from './integrity.ts';
import { LogFlusher } from './log-flusher.ts';
import { findDamage } from './page-check.ts';
import type { ListStatement, Statement } from './safe-query.ts';
import { StorageFaults } from './storage-faults.ts';

export type { Row, Statement } from './safe-query.ts';

interface WriteOptions {
  isExpendable: () => boolean;
  undo: 'by savepoint' | 'not needed';
  /** Waits for the disk to recover instead of rejecting. */
  retries: boolean;
}

interface PendingWrite extends WriteOptions {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** A write that is committed and waits for the flush. */
interface CommittedWrite {
  write: PendingWrite;
  settle: () => void;
}

export interface StorageOptions {
  log?: Pick<Log, 'warn' | 'error'>;
  faults?: StorageFaults;
  /** Delay between attempts on a failed disk; 500 by default. */
  retryAfterMs?: number;
}

/** For progress marks: if a power cut loses one, the work runs again, as at-least-once delivery allows. */
export const alwaysExpendable = () => true;
const neverExpendable = () => false;

const expendableMs = 1_000;

export class Storage {
  private readonly options: StorageOptions;
  private readonly file: string;
  private readonly connection: Connection;
  private readonly log: LogFlusher;
  private readonly health: DiskHealth;
  private readonly retryAfterMs: number;
  private pending: PendingWrite[] = [];
  /** Writes that wait for the disk to recover. */
  private postponed: PendingWrite[] = [];
  private unflushed: CommittedWrite[] = [];
  /** The commits of the current flush; undefined when none is running. */
  private flushing: CommittedWrite[] | undefined;
  private nextFlush: NodeJS.Timeout | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private isFlushDeferred = false;
  private closed = false;

  constructor(folder: string, options: StorageOptions = {}) {
    this.health = new DiskHealth(options.log);
    this.retryAfterMs = options.retryAfterMs ?? 500;
    const faults = options.faults ?? new StorageFaults();
    const file = join(folder, 'runtime.db');
    createPrivateFile(file);
    this.options = options;
    this.file = file;
    this.connection = new Connection(file, checkLog(file, options.log), faults);
    this.log = new LogFlusher(file, faults);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Looks for damaged pages in the background and logs the first one. */
  async checkPages(): Promise<void> {
    try {
      const damage = await findDamage(this.file);
      if (damage)
        this.options.log?.error(
          `The database ${this.file} is damaged (${damage}). Requests that read the damaged part fail. Restore a backup: npm run restore`,
        );
    } catch (error) {
      if (!this.closed) this.options.log?.warn(`The pages of the database were not checked: ${error}`);
    }
  }

  /** Runs DDL at start-up; not for requests. */
  exec(sql: string): void {
    this.connection.exec(sql);
  }

  /** Prepares once per SQL text; later calls reuse the statement. */
  prepare(sql: string): Statement {
    return this.connection.prepare(sql);
  }

  /** Prepares a query that returns rows as arrays, which takes a third less time on hot paths. */
  prepareList(sql: string): ListStatement {
    return this.connection.prepareList(sql);
  }

  /** Calls back after a rollback, so that caches can drop uncommitted values. */
  onUndo(listener: () => void): void {
    this.connection.onUndo(listener);
  }

  /**
   * Runs `work` (synchronous) in the next shared commit and resolves once that commit is on disk. If `work` throws,
   * only its own changes are undone and only its own promise rejects. Reads outside never see uncommitted changes,
   * because a shared commit runs in one uninterrupted turn. `isExpendable` is called at commit time.
   * Rejects with StorageUnavailable when the disk fails.
   */
  write<T>(work: () => T, isExpendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, { isExpendable, undo: 'by savepoint', retries: false });
  }

  /** Like write(), for background work: waits for the disk to recover instead of rejecting. */
  writeWithRetry<T>(work: () => T, isExpendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, { isExpendable, undo: 'by savepoint', retries: true });
  }

  /**
   * Like write(), for work that checks everything before its first change, so a rejection needs no rollback. If it fails
   * later, the whole commit fails with it.
   */
  writeChecked<T>(work: () => T, isExpendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, { isExpendable, undo: 'not needed', retries: false });
  }

  /** Like write(), but synchronous and in its own commit: for start-up. */
  writeNow<T>(work: () => T): T {
    if (this.connection.isInTransaction) return work();
    const value = this.transaction(work);
    this.flushNow();
    return value;
  }

  /** Like writeNow(), for expendable data. */
  writeUnflushed<T>(work: () => T): T {
    return this.connection.isInTransaction ? work() : this.transaction(work);
  }

  /**
   * For work that starts over after an interruption: its writes are acknowledged before they are on disk. All are durable
   * when this resolves.
   */
  async flushOnce<T>(work: () => Promise<T>): Promise<T> {
    this.isFlushDeferred = true;
    try {
      return await work();
    } finally {
      this.isFlushDeferred = false;
      this.flushNow();
    }
  }

  close(): void {
    if (this.closed) return;
    this.commitPending();
    this.closed = true;
    clearTimeout(this.nextFlush);
    clearTimeout(this.retryTimer);
    const committed = [...(this.flushing ?? []), ...this.unflushed.splice(0)];
    try {
      this.log.assertIntact();
      this.log.flushNow();
      for (const { settle } of committed) settle();
    } catch (error) {
      for (const { write } of committed) write.reject(toStorageError(error));
    }
    for (const { reject } of this.postponed.splice(0)) reject(new Error('Storage is closed'));
    this.log.checkpoint(() => this.connection.checkpoint());
    this.log.close();
    this.connection.close();
  }

  private enqueue<T>(work: () => T, options: WriteOptions): Promise<T> {
    if (this.closed) return Promise.reject(new Error('Storage is closed'));
    return new Promise<T>((resolve, reject) => {
      this.pending.push({ ...options, work, resolve: (value) => resolve(value as T), reject });
      if (this.pending.length === 1) setImmediate(() => this.flushing || this.commitPending());
    });
  }

  private commitPending(): void {
    const batch = this.pending;
    const [first] = batch;
    this.pending = [];
    if (!first) return;
    let committed: CommittedWrite[];
    try {
      committed = batch.length === 1 ? [this.commitAlone(first)] : this.commitTogether(batch);
    } catch (error) {
      this.reject(batch, error);
      return;
    }
    for (const one of committed) {
      if (one.write.isExpendable()) one.settle();
      else this.unflushed.push(one);
    }
    if (this.unflushed.length === 0) this.nextFlush ??= setTimeout(() => this.flushExpendable(), expendableMs);
    else if (!this.flushing) this.flush();
  }

  /** Rejects the batch; writes that retry wait for the disk. */
  private reject(batch: readonly PendingWrite[], error: unknown): void {
    const isTemporary = error instanceof StorageUnavailable && !this.closed;
    for (const write of batch) {
      if (isTemporary && write.retries) this.postponed.push(write);
      else write.reject(error);
    }
    if (this.postponed.length > 0) this.scheduleRetry();
  }

  private scheduleRetry(): void {
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined;
      if (this.log.isSuspect) this.repairLog();
      this.pending.unshift(...this.postponed.splice(0));
      if (!this.flushing) this.commitPending();
    }, this.retryAfterMs).unref();
  }

  private commitAlone(write: PendingWrite): CommittedWrite {
    const value = this.transaction(write.work);
    return { write, settle: () => write.resolve(value) };
  }

  private commitTogether(batch: readonly PendingWrite[]): CommittedWrite[] {
    return this.transaction(() =>
      batch.map((write) => {
        const outcome =
          write.undo === 'not needed'
            ? this.connection.attemptChecked(write.work)
            : this.connection.attemptUndoable(write.work);
        const settle = () => ('error' in outcome ? write.reject(outcome.error) : write.resolve(outcome.value));
        return { write, settle };
      }),
    );
  }

  private flushExpendable(): void {
    this.nextFlush = undefined;
    if (!this.flushing && !this.log.isSuspect) this.flush();
  }

  /** Flushes all commits so far; later commits wait for the next flush. */
  private flush(): void {
    const covered = this.unflushed.splice(0);
    if (this.isFlushDeferred) {
      for (const { settle } of covered) settle();
      return;
    }
    clearTimeout(this.nextFlush);
    this.nextFlush = undefined;
    this.flushing = covered;
    this.log.flush((error) => {
      this.flushing = undefined;
      if (error) return this.handleFailedFlush([...covered, ...this.unflushed.splice(0)], error);
      for (const { settle } of covered) settle();
      this.commitPending();
    });
  }

  private flushNow(): void {
    try {
      this.log.flushNow();
    } catch (error) {
      this.handleFailedFlush([], error);
      throw toStorageError(error);
    }
  }

  /** Nothing is acknowledged until the whole log is in a new file. */
  private handleFailedFlush(committed: readonly CommittedWrite[], error: unknown): void {
    const failure = toStorageError(error);
    this.health.reportFailure(failure);
    for (const one of committed) {
      // A committed write must not run again: it is acknowledged after the repair.
      if (one.write.retries) this.unflushed.push(one);
      else one.write.reject(failure);
    }
    this.scheduleRetry();
    this.commitPending();
  }

  private repairLog(): void {
    try {
      this.log.repair(() => this.connection.reopen());
      for (const { settle } of this.unflushed.splice(0)) settle();
    } catch (error) {
      this.health.reportFailure(toStorageError(error));
      this.scheduleRetry();
    }
  }

  private transaction<T>(work: () => T): T {
    this.log.assertIntact();
    try {
      const value = this.connection.transaction(work);
      this.health.reportSuccess();
      return value;
    } catch (error) {
      if (error instanceof StorageUnavailable) this.health.reportFailure(error);
      throw error;
    }
  }
}
