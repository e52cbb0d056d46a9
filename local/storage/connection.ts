// The SQLite connection: prepared statements, transactions and savepoints. Listeners are notified of every rollback, so
// caches can drop values that were never committed.
import Database from 'libsql';
import { StorageUnavailable, StorageUnusable, toStorageError } from './errors.ts';
import { checkDatabase, migrate } from './integrity.ts';
import { type ListStatement, prepareLists, prepareRows, type Row, type Statement } from './safe-query.ts';
import type { StorageFaults } from './storage-faults.ts';

/** The result of one piece of work inside a shared transaction. */
export type Outcome<T> = { value: T } | { error: unknown };

const readsOnly = /^\s*(PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

export class Connection {
  private readonly path: string;
  private database: Database.Database;
  private generation = 0;
  private readonly faults: StorageFaults;
  private readonly statements = new Map<string, Statement>();
  private readonly lists = new Map<string, ListStatement>();
  private readonly undoListeners: (() => void)[] = [];
  private inTransaction = false;
  /** Number of executed statements that may change data. */
  private changes = 0;

  constructor(path: string, lastStop: 'clean' | 'unclean', faults: StorageFaults) {
    this.path = path;
    this.database = openDatabase(path, lastStop);
    this.faults = faults;
  }

  get isInTransaction(): boolean {
    return this.inTransaction;
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  prepare(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const current = this.follow(() => this.prepareNew(sql));
    const statement: Statement = {
      run: (values) => current().run(values),
      get: (values) => current().get(values),
      all: (values) => current().all(values),
    };
    this.statements.set(sql, statement);
    return statement;
  }

  prepareList(sql: string): ListStatement {
    const known = this.lists.get(sql);
    if (known) return known;
    const current = this.follow(() => prepareLists(this.database, sql));
    const statement: ListStatement = { get: (values) => current().get(values) };
    this.lists.set(sql, statement);
    return statement;
  }

  onUndo(listener: () => void): void {
    this.undoListeners.push(listener);
  }

  /** Commits `work`, or rolls it back and throws its error; disk errors become StorageUnavailable. */
  transaction<T>(work: () => T): T {
    const before = this.changes;
    try {
      this.rollBack();
      this.prepare('BEGIN IMMEDIATE').run();
      this.inTransaction = true;
      const value = work();
      this.failAt('commit');
      this.prepare('COMMIT').run();
      return value;
    } catch (error) {
      this.undo(before);
      throw toStorageError(error);
    } finally {
      this.inTransaction = false;
    }
  }

  /** Runs work that may fail only before its first change. A later error fails the whole transaction. */
  attemptChecked<T>(work: () => T): Outcome<T> {
    const before = this.changes;
    try {
      return { value: work() };
    } catch (error) {
      if (this.changes !== before || !this.database.inTransaction) throw error;
      return { error };
    }
  }

  /** Runs work and undoes its changes if it fails; the transaction continues. */
  attemptUndoable<T>(work: () => T): Outcome<T> {
    this.prepare('SAVEPOINT one').run();
    try {
      const value = work();
      this.prepare('RELEASE one').run();
      return { value };
    } catch (error) {
      // Without a transaction there is no savepoint: the whole commit fails.
      if (!this.database.inTransaction || toStorageError(error) instanceof StorageUnavailable) throw error;
      this.prepare('ROLLBACK TO one').run();
      this.prepare('RELEASE one').run();
      this.notifyUndo();
      return { error };
    }
  }

  /** Moves the write-ahead log into the database; returns whether all of it was moved. */
  checkpoint(): boolean {
    const [result] = this.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return !result?.busy;
  }

  /** Opens the files again after one was replaced. Opens first: closing the last connection would delete the log. */
  reopen(): void {
    const previous = this.database;
    this.database = openDatabase(this.path, 'clean');
    this.generation++;
    previous.close();
  }

  close(): void {
    this.statements.clear();
    this.lists.clear();
    this.database.close();
  }

  /** Callers keep their statements, so these are prepared again after reopen(). */
  private follow<T>(prepare: () => T): () => T {
    let statement = prepare();
    let preparedIn = this.generation;
    return () => {
      if (preparedIn !== this.generation) {
        statement = prepare();
        preparedIn = this.generation;
      }
      return statement;
    };
  }

  private prepareNew(sql: string): Statement {
    if (/^\s*SELECT\b/.test(sql)) return prepareRows(this.database, sql);
    const prepared = this.database.prepare(sql);
    const statement: Statement = {
      run: (values = []) => prepared.run(values),
      get: (values = []) => prepared.get(values) as Row | undefined,
      all: (values = []) => prepared.all(values) as Row[],
    };
    return readsOnly.test(sql) ? statement : this.countChanges(statement);
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

  private undo(changesBefore: number): void {
    try {
      this.rollBack();
    } finally {
      if (this.changes !== changesBefore) this.notifyUndo();
    }
  }

  /** Does nothing if SQLite has already rolled back, as it often does when the disk fails. */
  private rollBack(): void {
    if (this.database.inTransaction) this.prepare('ROLLBACK').run();
  }

  private notifyUndo(): void {
    for (const listener of this.undoListeners) listener();
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
      ? new StorageUnusable(`The database ${path} is damaged (${message}). Restore a backup: npm run restore`)
      : error;
  }
}
