// One SQLite file holds everything the runtime must not lose. Writes that arrive in the same turn of the event loop
// share one commit (one fsync), and a write is answered only after its commit: acknowledged means durable.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

export type Row = Record<string, unknown>;

/** A prepared statement. libsql takes positional values as one array (a lone Buffer argument would crash it). */
export interface Statement {
  run(values?: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(values?: readonly unknown[]): Row | undefined;
  all(values?: readonly unknown[]): Row[];
}

interface Waiting {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

export class Storage {
  private readonly database: Database.Database;
  private readonly statements = new Map<string, Statement>();
  private waiting: Waiting[] = [];
  private inside = false;
  private closed = false;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.database = new Database(join(folder, 'runtime.db'));
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.pragma('cache_size = -65536');
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
    this.statements.set(sql, statement);
    return statement;
  }

  /**
   * Runs `work` (synchronous) in the next shared commit and resolves once that commit is on disk. If `work` throws,
   * only its own changes are undone and only its own promise rejects. Reads outside never see uncommitted changes,
   * because a shared commit runs in one uninterrupted turn.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the storage is closed'));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: never) => void, reject });
      if (this.waiting.length === 1) setImmediate(() => this.commitWaiting());
    });
  }

  /** Like write(), at once and alone: for start-up, and for callers that are already synchronous. */
  writeNow<T>(work: () => T): T {
    if (this.inside) return work();
    this.prepare('BEGIN IMMEDIATE').run();
    this.inside = true;
    try {
      const value = work();
      this.prepare('COMMIT').run();
      return value;
    } catch (error) {
      this.prepare('ROLLBACK').run();
      throw error;
    } finally {
      this.inside = false;
    }
  }

  close(): void {
    if (this.closed) return;
    this.commitWaiting();
    this.closed = true;
    this.statements.clear();
    this.database.close();
  }

  private commitWaiting(): void {
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length === 0) return;
    const settled: (() => void)[] = [];
    try {
      this.writeNow(() => {
        for (const waiting of batch) settled.push(this.attempt(waiting));
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const settle of settled) settle();
  }

  private attempt({ work, resolve, reject }: Waiting): () => void {
    this.prepare('SAVEPOINT one').run();
    try {
      const value = work() as never;
      this.prepare('RELEASE one').run();
      return () => resolve(value);
    } catch (error) {
      this.prepare('ROLLBACK TO one').run();
      this.prepare('RELEASE one').run();
      return () => reject(error);
    }
  }
}
