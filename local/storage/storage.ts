// One SQLite file holds everything the runtime must not lose. Writes that arrive in the same turn of the event loop, or
// while the write-ahead log is flushed, share one commit, and a write is answered only after its flush: acknowledged means
// durable. SQLite would flush inside the commit and block every request meanwhile; so it is told not to (synchronous =
// NORMAL), and the log is flushed here, off the main thread. A write may be stated to be expendable: it survives the end of
// the process like any other, and is on disk, where it survives a power cut, a second later.
import { closeSync, fdatasync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

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
  expendable: () => boolean;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

/** For marks that something was done or begun: without the mark it is done once more, which is what was promised. */
export const onceMore = () => true;

const expendableMs = 1_000;
const never = () => false;

const readsOnly = /^\s*(SELECT|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** What there is of it in its folder. */
export const storageFiles = ['runtime.db', 'runtime.db-wal', 'runtime.db-shm'];

export class Storage {
  private readonly database: Database.Database;
  private readonly statements = new Map<string, Statement>();
  private readonly lists = new Map<string, ListStatement>();
  private waiting: Waiting[] = [];
  private readonly log: number;
  private unflushed: (() => void)[] = [];
  private flushing = false;
  private flushLater = false;
  private nextFlush: NodeJS.Timeout | undefined;
  private inside = false;
  private closed = false;
  /** Statements that changed something, so far. */
  private changes = 0;
  private readonly undoListeners: (() => void)[] = [];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, storageFiles[0]!);
    this.database = new Database(file);
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = NORMAL');
    this.database.pragma('cache_size = -65536');
    this.database.pragma('wal_autocheckpoint = 8000');
    this.log = openSync(`${file}-wal`, 'a');
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
    const kept = readsOnly.test(sql) ? statement : this.counted(statement);
    this.statements.set(sql, kept);
    return kept;
  }

  /** A query whose rows are lists of values: a third less work where a row is read often. */
  prepareList(sql: string): ListStatement {
    const known = this.lists.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql).raw() as unknown as ListStatement;
    this.lists.set(sql, statement);
    return statement;
  }

  /** Calls back when changes were undone: what was kept of them is no longer true. */
  onUndo(listener: () => void): void {
    this.undoListeners.push(listener);
  }

  /**
   * Runs `work` (synchronous) in the next shared commit and resolves once that commit is on disk. If `work` throws,
   * only its own changes are undone and only its own promise rejects. Reads outside never see uncommitted changes,
   * because a shared commit runs in one uninterrupted turn. Whether it is expendable is asked when it is committed.
   */
  write<T>(work: () => T, expendable: () => boolean = never): Promise<T> {
    return this.enqueue(work, expendable, 'by savepoint');
  }

  /**
   * Like write(), for work that checks everything before it changes anything, and so can be refused without undoing a
   * change. Should it fail later all the same, everything in the same commit fails with it.
   */
  writeChecked<T>(work: () => T, expendable: () => boolean = never): Promise<T> {
    return this.enqueue(work, expendable, 'not needed');
  }

  /** Like write(), at once and alone: for start-up, and for callers that are already synchronous. */
  writeNow<T>(work: () => T): T {
    if (this.inside) return work();
    const value = this.transaction(work);
    fdatasyncSync(this.log);
    return value;
  }

  /** Like writeNow(), for what is expendable. */
  writeUnflushed<T>(work: () => T): T {
    return this.inside ? work() : this.transaction(work);
  }

  /**
   * For work that is begun anew when it is interrupted: what it writes is acknowledged before it is on disk. All of it is
   * when this resolves.
   */
  async flushOnce<T>(work: () => Promise<T>): Promise<T> {
    this.flushLater = true;
    try {
      return await work();
    } finally {
      this.flushLater = false;
      fdatasyncSync(this.log);
    }
  }

  close(): void {
    if (this.closed) return;
    this.commitWaiting();
    this.closed = true;
    clearTimeout(this.nextFlush);
    fdatasyncSync(this.log);
    closeSync(this.log);
    this.settle(this.unflushed.splice(0));
    this.statements.clear();
    this.lists.clear();
    this.database.close();
  }

  private enqueue<T>(work: () => T, expendable: () => boolean, undo: Waiting['undo']): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the storage is closed'));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, undo, expendable, resolve: resolve as (value: never) => void, reject });
      if (this.waiting.length === 1) setImmediate(() => this.flushing || this.commitWaiting());
    });
  }

  private counted(statement: Statement): Statement {
    const counting =
      <Result>(execute: (values?: readonly unknown[]) => Result) =>
      (values: readonly unknown[] = []) => {
        this.changes++;
        return execute.call(statement, values);
      };
    return { run: counting(statement.run), get: counting(statement.get), all: counting(statement.all) };
  }

  private commitWaiting(): void {
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length === 0) return;
    let answers: (() => void)[];
    try {
      answers = batch.length === 1 ? this.commitAlone(batch[0]!) : this.commitTogether(batch);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    const expendable = batch.map((waiting) => waiting.expendable());
    this.unflushed.push(...answers.filter((_, index) => !expendable[index]));
    this.settle(answers.filter((_, index) => expendable[index]));
    if (this.unflushed.length === 0) this.nextFlush ??= setTimeout(() => this.flushExpendable(), expendableMs);
    else if (!this.flushing) this.flush();
  }

  private flushExpendable(): void {
    this.nextFlush = undefined;
    if (!this.flushing) this.flush();
  }

  private commitAlone({ work, resolve }: Waiting): (() => void)[] {
    const value = this.transaction(work) as never;
    return [() => resolve(value)];
  }

  private commitTogether(batch: readonly Waiting[]): (() => void)[] {
    return this.transaction(() => batch.map((waiting) => this.attempt(waiting)));
  }

  /** Flushes what was committed so far; what is committed meanwhile waits for the next flush. */
  private flush(): void {
    const covered = this.unflushed.splice(0);
    if (this.flushLater) {
      this.settle(covered);
      return;
    }
    clearTimeout(this.nextFlush);
    this.nextFlush = undefined;
    this.flushing = true;
    fdatasync(this.log, (error) => {
      this.flushing = false;
      if (this.closed) return this.settle(covered);
      // A log that cannot be flushed is a disk that lies: nothing may be acknowledged any more.
      if (error) throw new Error('the log of the data folder cannot be flushed', { cause: error });
      this.settle(covered);
      this.commitWaiting();
    });
  }

  private settle(callbacks: readonly (() => void)[]): void {
    for (const callback of callbacks) callback();
  }

  private transaction<T>(work: () => T): T {
    const before = this.changes;
    this.prepare('BEGIN IMMEDIATE').run();
    this.inside = true;
    try {
      const value = work();
      this.prepare('COMMIT').run();
      return value;
    } catch (error) {
      this.prepare('ROLLBACK').run();
      if (this.changes !== before) this.undone();
      throw error;
    } finally {
      this.inside = false;
    }
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
      if (this.changes !== before) throw error;
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
      this.prepare('ROLLBACK TO one').run();
      this.prepare('RELEASE one').run();
      this.undone();
      return () => reject(error);
    }
  }

  private undone(): void {
    for (const listener of this.undoListeners) listener();
  }
}
