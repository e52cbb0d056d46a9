// One SQLite file holds all durable state. Writes that arrive in the same event-loop turn, or during a flush of the
// write-ahead log, share one commit; a write resolves only after its flush, so acknowledged means durable. SQLite would
// flush inside the commit and block every request, so it is told not to (synchronous = NORMAL) and the log is flushed here,
// off the main thread. An expendable write survives the end of the process at once and a power cut one second later.
// A full or failing disk rejects writes with StorageUnavailable; reads go on (docs/decisions/0028).
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { Log } from '../log.ts';
import { createPrivateFile } from './data-folder.ts';
import { StorageRefused, StorageUnavailable, toStorageError } from './errors.ts';
import { checkDatabase, checkLog, FlushedPosition, migrate } from './integrity.ts';
import { StorageFaults } from './storage-faults.ts';
import { readPosition, rewriteLog, scanLog } from './write-ahead-log.ts';

export type Row = Record<string, unknown>;

/** A prepared statement. libsql takes positional values as one array (a lone Buffer argument would crash it). */
export interface Statement {
  run(values?: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(values?: readonly unknown[]): Row | undefined;
  all(values?: readonly unknown[]): Row[];
}

export interface ListStatement {
  get(values: readonly unknown[]): readonly unknown[] | undefined;
}

interface Waiting {
  work: () => unknown;
  undo: 'by savepoint' | 'not needed';
  /** Waits for the disk to recover instead of rejecting. */
  retries: boolean;
  expendable: () => boolean;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

/** A write that is committed and waits for the flush. */
interface Committed {
  waiting: Waiting;
  settle: () => void;
}

export interface StorageOptions {
  log?: Pick<Log, 'warn' | 'error'>;
  faults?: StorageFaults;
  /** Delay between attempts on a failed disk. */
  retryAfterMs?: number;
}

/** For progress marks: if a power cut loses one, the work runs again, which at-least-once delivery allows. */
export const alwaysExpendable = () => true;

const expendableMs = 1_000;
const retryAfterMs = 500;
/** About one second at 50 MB/s, the time that stopping may take. */
const maxCheckpointBytes = 48 * 1024 * 1024;
const neverExpendable = () => false;

const readsOnly = /^\s*(SELECT|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

export const storageFiles = ['runtime.db', 'runtime.db-wal', 'runtime.db-shm', 'runtime.db-flushed'];

export class Storage {
  private readonly database: Database.Database;
  private readonly statements = new Map<string, Statement>();
  private readonly lists = new Map<string, ListStatement>();
  private waiting: Waiting[] = [];
  /** Writes that wait for the disk to recover. */
  private postponed: Waiting[] = [];
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly options: StorageOptions;
  private readonly faults: StorageFaults;
  /** The write-ahead log and its shared index. */
  private readonly log: number;
  private readonly logIndex: number;
  private readonly flushed: FlushedPosition;
  private unflushed: Committed[] = [];
  /** The commits of the current flush; undefined when none is running. */
  private flushing: Committed[] | undefined;
  /** The log may have lost data since the last good flush; writes are rejected until it is repaired. */
  private isLogSuspect = false;
  private hasDiskFailure = false;
  private isFlushDeferred = false;
  private nextFlush: NodeJS.Timeout | undefined;
  private isInTransaction = false;
  private closed = false;
  /** Number of executed statements that may change data. */
  private changes = 0;
  private readonly undoListeners: (() => void)[] = [];

  constructor(folder: string, options: StorageOptions = {}) {
    this.options = options;
    this.faults = options.faults ?? new StorageFaults();
    const file = join(folder, 'runtime.db');
    createPrivateFile(file);
    const lastStop = checkLog(file);
    this.database = openDatabase(file, lastStop);
    this.flushed = new FlushedPosition(file);
    this.log = openSync(`${file}-wal`, 'r+');
    this.logIndex = openSync(`${file}-shm`, 'r');
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Runs DDL at start-up; not for requests. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Prepares once per SQL text; later calls reuse the statement. */
  prepare(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql) as unknown as Statement;
    const kept = readsOnly.test(sql) ? statement : this.countChanges(statement);
    this.statements.set(sql, kept);
    return kept;
  }

  /** A query that returns rows as arrays: a third less work on hot paths. */
  prepareList(sql: string): ListStatement {
    const known = this.lists.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql).raw() as unknown as ListStatement;
    this.lists.set(sql, statement);
    return statement;
  }

  /** Calls back after a rollback, so that caches can drop what they hold. */
  onUndo(listener: () => void): void {
    this.undoListeners.push(listener);
  }

  /**
   * Runs `work` (synchronous) in the next shared commit and resolves once that commit is on disk. If `work` throws,
   * only its own changes are undone and only its own promise rejects. Reads outside never see uncommitted changes,
   * because a shared commit runs in one uninterrupted turn. `expendable` is called at commit time.
   * Rejects with StorageUnavailable when the disk fails.
   */
  write<T>(work: () => T, expendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, expendable, 'by savepoint', false);
  }

  /** Like write(), for background work: waits for the disk to recover instead of rejecting. */
  writeWithRetry<T>(work: () => T, expendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, expendable, 'by savepoint', true);
  }

  /**
   * Like write(), for work that checks everything before its first change, so a rejection needs no rollback. If it fails
   * later, the whole commit fails with it.
   */
  writeChecked<T>(work: () => T, expendable: () => boolean = neverExpendable): Promise<T> {
    return this.enqueue(work, expendable, 'not needed', false);
  }

  /** Like write(), but synchronous and in its own commit: for start-up. */
  writeNow<T>(work: () => T): T {
    if (this.isInTransaction) return work();
    const value = this.transaction(work);
    this.flushNow();
    return value;
  }

  /** Like writeNow(), for expendable data. */
  writeUnflushed<T>(work: () => T): T {
    return this.isInTransaction ? work() : this.transaction(work);
  }

  /**
   * For work that starts over when interrupted: its writes are acknowledged before they are on disk. All are durable when
   * this resolves.
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
    this.commitWaiting();
    this.closed = true;
    clearTimeout(this.nextFlush);
    clearTimeout(this.retryTimer);
    const committed = [...(this.flushing ?? []), ...this.unflushed.splice(0)];
    try {
      if (this.isLogSuspect) throw new StorageUnavailable('The write-ahead log could not be flushed.');
      this.syncLog();
      for (const { settle } of committed) settle();
    } catch (error) {
      for (const { waiting } of committed) waiting.reject(toStorageError(error));
    }
    for (const { reject } of this.postponed.splice(0)) reject(new Error('Storage is closed'));
    this.checkpoint();
    this.flushed.close();
    closeSync(this.log);
    closeSync(this.logIndex);
    this.statements.clear();
    this.lists.clear();
    this.database.close();
  }

  /** Moves the log into the database, so a stopped server leaves one file. A long log waits for the next start. */
  private checkpoint(): void {
    if (this.isLogSuspect || fstatSync(this.log).size > maxCheckpointBytes) return;
    const position = readPosition(this.logIndex);
    try {
      // From here on an empty log is no sign of damage.
      this.flushed.record({ ...position, frames: 0 });
      const [result] = this.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (result?.busy) this.flushed.record(position);
    } catch {
      this.flushed.record(position);
    }
  }

  private enqueue<T>(work: () => T, expendable: () => boolean, undo: Waiting['undo'], retries: boolean): Promise<T> {
    if (this.closed) return Promise.reject(new Error('Storage is closed'));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, undo, retries, expendable, resolve: resolve as (value: never) => void, reject });
      if (this.waiting.length === 1) setImmediate(() => this.flushing || this.commitWaiting());
    });
  }

  private countChanges(statement: Statement): Statement {
    const counting =
      <Result>(execute: (values?: readonly unknown[]) => Result) =>
      (values: readonly unknown[] = []) => {
        this.changes++;
        this.failAt('statement');
        return execute.call(statement, values);
      };
    return { run: counting(statement.run), get: counting(statement.get), all: counting(statement.all) };
  }

  private commitWaiting(): void {
    const batch = this.waiting;
    const [first] = batch;
    this.waiting = [];
    if (!first) return;
    let committed: Committed[];
    try {
      committed = batch.length === 1 ? [this.commitAlone(first)] : this.commitTogether(batch);
    } catch (error) {
      this.reject(batch, error);
      return;
    }
    const expendable = batch.map((waiting) => waiting.expendable());
    this.unflushed.push(...committed.filter((_, index) => !expendable[index]));
    for (const { settle } of committed.filter((_, index) => expendable[index])) settle();
    if (this.unflushed.length === 0) this.nextFlush ??= setTimeout(() => this.flushExpendable(), expendableMs);
    else if (!this.flushing) this.flush();
  }

  /** Rejects the batch; writes that retry wait for the disk. */
  private reject(batch: readonly Waiting[], error: unknown): void {
    const isTemporary = error instanceof StorageUnavailable && !this.closed;
    for (const waiting of batch) {
      if (isTemporary && waiting.retries) this.postponed.push(waiting);
      else waiting.reject(error);
    }
    if (this.postponed.length > 0) this.retrySoon();
  }

  private retrySoon(): void {
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined;
      if (this.isLogSuspect) this.repairLog();
      this.waiting.unshift(...this.postponed.splice(0));
      if (!this.flushing) this.commitWaiting();
    }, this.options.retryAfterMs ?? retryAfterMs).unref();
  }

  private flushExpendable(): void {
    this.nextFlush = undefined;
    if (!this.flushing && !this.isLogSuspect) this.flush();
  }

  private commitAlone(waiting: Waiting): Committed {
    const value = this.transaction(waiting.work) as never;
    return { waiting, settle: () => waiting.resolve(value) };
  }

  private commitTogether(batch: readonly Waiting[]): Committed[] {
    return this.transaction(() => batch.map((waiting) => ({ waiting, settle: this.attempt(waiting) })));
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
    const fault = this.faults.next('flush');
    const position = readPosition(this.logIndex);
    const done = (error: Error | null) => {
      this.flushing = undefined;
      // close() has flushed and settled them.
      if (this.closed) return;
      if (error) return this.suspectLog([...covered, ...this.unflushed.splice(0)], error);
      this.flushed.record(position);
      for (const { settle } of covered) settle();
      this.commitWaiting();
    };
    if (fault) setImmediate(done, fault);
    else fdatasync(this.log, done);
  }

  private flushNow(): void {
    try {
      this.syncLog();
    } catch (error) {
      this.suspectLog([], error);
      throw toStorageError(error);
    }
  }

  private syncLog(): void {
    const fault = this.faults.next('flush');
    if (fault) throw fault;
    fdatasyncSync(this.log);
    this.flushed.record(readPosition(this.logIndex));
  }

  /**
   * After a failed flush the operating system may have dropped the data, and a later flush would succeed without it. So
   * nothing is acknowledged until the whole log has been rewritten.
   */
  private suspectLog(committed: readonly Committed[], error: unknown): void {
    this.isLogSuspect = true;
    const failure = toStorageError(error);
    this.report(failure);
    for (const one of committed) {
      // A committed write must not run again: it is acknowledged after the repair.
      if (one.waiting.retries) this.unflushed.push(one);
      else one.waiting.reject(failure);
    }
    this.retrySoon();
    this.commitWaiting();
  }

  private repairLog(): void {
    try {
      const { salt, frames } = readPosition(this.logIndex);
      if (frames > 0) {
        const intact = scanLog(this.log, frames);
        if (intact?.salt !== salt || intact.frames < frames) {
          throw new StorageUnavailable('The disk lost part of the write-ahead log. Restart the server.');
        }
        rewriteLog(this.log, intact.bytes);
      }
      this.syncLog();
      this.isLogSuspect = false;
      for (const { settle } of this.unflushed.splice(0)) settle();
    } catch (error) {
      this.report(toStorageError(error));
      this.retrySoon();
    }
  }

  private transaction<T>(work: () => T): T {
    if (this.isLogSuspect) throw new StorageUnavailable('The write-ahead log could not be flushed.');
    const before = this.changes;
    try {
      this.rollBack();
      this.prepare('BEGIN IMMEDIATE').run();
      this.isInTransaction = true;
      const value = work();
      this.failAt('commit');
      this.prepare('COMMIT').run();
      if (this.hasDiskFailure) this.reportRecovery();
      return value;
    } catch (error) {
      this.undo(before);
      const reason = toStorageError(error);
      if (reason instanceof StorageUnavailable) this.report(reason);
      throw reason;
    } finally {
      this.isInTransaction = false;
    }
  }

  private undo(changesBefore: number): void {
    try {
      this.rollBack();
    } finally {
      if (this.changes !== changesBefore) this.notifyUndo();
    }
  }

  /** When the disk fails, SQLite has often rolled back already. */
  private rollBack(): void {
    if (this.database.inTransaction) this.prepare('ROLLBACK').run();
  }

  private attempt(waiting: Waiting): () => void {
    return waiting.undo === 'not needed' ? this.attemptChecked(waiting) : this.attemptUndoable(waiting);
  }

  private attemptChecked({ work, resolve, reject }: Waiting): () => void {
    const before = this.changes;
    try {
      const value = work() as never;
      return () => resolve(value);
    } catch (error) {
      if (this.changes !== before || !this.database.inTransaction) throw error;
      return () => reject(error);
    }
  }

  private attemptUndoable({ work, resolve, reject }: Waiting): () => void {
    this.prepare('SAVEPOINT one').run();
    try {
      const value = work() as never;
      this.prepare('RELEASE one').run();
      return () => resolve(value);
    } catch (error) {
      // Without a transaction there is no savepoint: the whole commit fails.
      if (!this.database.inTransaction || toStorageError(error) instanceof StorageUnavailable) throw error;
      this.prepare('ROLLBACK TO one').run();
      this.prepare('RELEASE one').run();
      this.notifyUndo();
      return () => reject(error);
    }
  }

  private notifyUndo(): void {
    for (const listener of this.undoListeners) listener();
  }

  /** Logs the failure once, and the recovery once. */
  private report(error: unknown): void {
    if (this.hasDiskFailure) return;
    this.hasDiskFailure = true;
    const { message, cause } = error as Error;
    this.options.log?.error(`${message} Writes are rejected until it works again.`, { cause: String(cause ?? '') });
  }

  private reportRecovery(): void {
    this.hasDiskFailure = false;
    this.options.log?.warn('The disk works again. Writes are accepted.');
  }

  private failAt(point: 'statement' | 'commit'): void {
    const fault = this.faults.next(point);
    if (!fault) return;
    this.rollBack();
    throw fault;
  }
}

function openDatabase(path: string, lastStop: 'clean' | 'unclean'): Database.Database {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('cache_size = -65536');
    database.pragma('wal_autocheckpoint = 8000');
    if (lastStop === 'unclean') checkDatabase(database, path);
    migrate(database, path);
    // Creates the log and its index if they are missing.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    const { code, message } = error as { code?: string; message: string };
    const isDamaged = code?.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
    throw isDamaged
      ? new StorageRefused(`The database ${path} is damaged (${message}). Restore a backup: npm run restore`)
      : error;
  }
}
