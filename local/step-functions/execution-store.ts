// Executions, their threads and their history. Access patterns:
//   what to do next           sfn_threads_wake (wake_ms), sfn_executions_timeout (status, timeout_ms)
//   resume after a restart    sfn_executions_timeout by status
//   one execution             primary keys; its threads and events by (execution, id)
//   list executions           sfn_executions_machine (machine, start_ms)
import type { Row, Statement, Storage } from '../storage/storage.ts';
import type { Execution, ExecutionStatus, HistoryEvent, Thread } from './execution.ts';

/** Everything that changes rows must run inside storage.write(). */
export class ExecutionStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  execution(arn: string): Execution | undefined {
    const row = this.sql('SELECT * FROM sfn_executions WHERE arn = ?').get([arn]);
    return row && executionOf(row);
  }

  saveExecution(execution: Execution): void {
    const { arn, machineArn, name, revision, status, input, output, error, cause, startMs, stopMs, timeoutMs } =
      execution;
    this.sql(
      `INSERT OR REPLACE INTO sfn_executions
       (arn, machine, name, revision, status, input, output, error, cause, start_ms, stop_ms, timeout_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run([
      arn,
      machineArn,
      name,
      revision,
      status,
      input,
      output ?? null,
      error ?? null,
      cause ?? null,
      startMs,
      stopMs ?? null,
      timeoutMs ?? null,
    ]);
  }

  /** Newest first. */
  executions(machineArn: string, status: string | undefined, offset: number, limit: number): Execution[] {
    return this.sql(
      `SELECT * FROM sfn_executions WHERE machine = ? AND (? IS NULL OR status = ?)
       ORDER BY start_ms DESC, arn DESC LIMIT ? OFFSET ?`,
    )
      .all([machineArn, status ?? null, status ?? null, limit, offset])
      .map(executionOf);
  }

  running(): Execution[] {
    return this.sql("SELECT * FROM sfn_executions WHERE status = 'RUNNING'").all().map(executionOf);
  }

  overdue(nowMs: number): Execution[] {
    return this.sql("SELECT * FROM sfn_executions WHERE status = 'RUNNING' AND timeout_ms <= ?")
      .all([nowMs])
      .map(executionOf);
  }

  forgetExecution(arn: string): void {
    for (const table of ['sfn_threads', 'sfn_events']) this.sql(`DELETE FROM ${table} WHERE execution = ?`).run([arn]);
    this.sql('DELETE FROM sfn_executions WHERE arn = ?').run([arn]);
  }

  stoppedBefore(timeMs: number): string[] {
    return this.sql("SELECT arn FROM sfn_executions WHERE status <> 'RUNNING' AND stop_ms < ?")
      .all([timeMs])
      .map((row) => String(row.arn));
  }

  thread(execution: string, id: number): Thread | undefined {
    const row = this.sql('SELECT * FROM sfn_threads WHERE execution = ? AND id = ?').get([execution, id]);
    return row && threadOf(row);
  }

  threads(execution: string): Thread[] {
    return this.sql('SELECT * FROM sfn_threads WHERE execution = ? ORDER BY id').all([execution]).map(threadOf);
  }

  children(execution: string, parent: number): Thread[] {
    return this.sql('SELECT * FROM sfn_threads WHERE execution = ? AND parent = ? ORDER BY slot')
      .all([execution, parent])
      .map(threadOf);
  }

  unfinishedChildren(execution: string, parent: number): number {
    return Number(
      this.sql("SELECT COUNT(*) AS n FROM sfn_threads WHERE execution = ? AND parent = ? AND status <> 'done'").get([
        execution,
        parent,
      ])?.n,
    );
  }

  firstPending(execution: string, parent: number): Thread | undefined {
    const row = this.sql(
      "SELECT * FROM sfn_threads WHERE execution = ? AND parent = ? AND status = 'pending' ORDER BY slot LIMIT 1",
    ).get([execution, parent]);
    return row && threadOf(row);
  }

  saveThread(thread: Thread): void {
    const { execution, id, parent, slot, status, wakeMs, ...data } = thread;
    this.sql(
      `INSERT OR REPLACE INTO sfn_threads (execution, id, parent, slot, status, wake_ms, data)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run([execution, id, parent ?? null, slot, status, wakeMs ?? null, JSON.stringify(data)]);
  }

  /** The first of `count` ids that no thread of the execution ever had, so that a late answer finds nobody. */
  allocateThreads(execution: string, count: number): number {
    const row = this.sql('UPDATE sfn_executions SET threads = threads + ? WHERE arn = ? RETURNING threads').get([
      count,
      execution,
    ]);
    return Number(row?.threads) - count + 1;
  }

  deleteThread(execution: string, id: number): void {
    this.sql('DELETE FROM sfn_threads WHERE execution = ? AND id = ?').run([execution, id]);
  }

  deleteThreads(execution: string): void {
    this.sql('DELETE FROM sfn_threads WHERE execution = ?').run([execution]);
  }

  due(nowMs: number): { execution: string; id: number }[] {
    return this.sql('SELECT execution, id FROM sfn_threads WHERE wake_ms <= ? ORDER BY wake_ms, execution, id')
      .all([nowMs])
      .map((row) => ({ execution: String(row.execution), id: Number(row.id) }));
  }

  nextDueMs(afterMs: number): number | undefined {
    const wake = this.sql('SELECT MIN(wake_ms) AS ms FROM sfn_threads WHERE wake_ms > ?').get([afterMs])?.ms;
    const timeout = this.sql(
      "SELECT MIN(timeout_ms) AS ms FROM sfn_executions WHERE status = 'RUNNING' AND timeout_ms > ?",
    ).get([afterMs])?.ms;
    const times = [wake, timeout].filter((ms) => typeof ms === 'number');
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Returns the event's id. */
  addEvent(execution: string, previous: number, event: HistoryEvent): number {
    const id = Number(
      this.sql('SELECT COALESCE(MAX(id), 0) + 1 AS next FROM sfn_events WHERE execution = ?').get([execution])?.next,
    );
    this.sql('INSERT INTO sfn_events (execution, id, previous, type, time_ms, details) VALUES (?, ?, ?, ?, ?, ?)').run([
      execution,
      id,
      previous,
      event.type,
      event.timeMs,
      JSON.stringify(event.details),
    ]);
    return id;
  }

  events(execution: string): Row[] {
    return this.sql('SELECT * FROM sfn_events WHERE execution = ? ORDER BY id').all([execution]);
  }
  private sql(text: string): Statement {
    return this.storage.prepare(text);
  }
}

const schema = `
  CREATE TABLE IF NOT EXISTS sfn_executions (
    arn TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    status TEXT NOT NULL,
    input TEXT NOT NULL,
    output TEXT,
    error TEXT,
    cause TEXT,
    start_ms INTEGER NOT NULL,
    stop_ms INTEGER,
    timeout_ms INTEGER,
    threads INTEGER NOT NULL DEFAULT 1
  );
  CREATE INDEX IF NOT EXISTS sfn_executions_machine ON sfn_executions (machine, start_ms);
  CREATE INDEX IF NOT EXISTS sfn_executions_timeout ON sfn_executions (status, timeout_ms);
  CREATE TABLE IF NOT EXISTS sfn_threads (
    execution TEXT NOT NULL,
    id INTEGER NOT NULL,
    parent INTEGER,
    slot INTEGER NOT NULL,
    status TEXT NOT NULL,
    wake_ms INTEGER,
    data TEXT NOT NULL,
    PRIMARY KEY (execution, id)
  );
  CREATE INDEX IF NOT EXISTS sfn_threads_wake ON sfn_threads (wake_ms);
  CREATE INDEX IF NOT EXISTS sfn_threads_parent ON sfn_threads (execution, parent, slot);
  CREATE TABLE IF NOT EXISTS sfn_events (
    execution TEXT NOT NULL,
    id INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    type TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (execution, id)
  );
`;

function executionOf(row: Row): Execution {
  const text = (key: string) => (row[key] === null ? {} : { [key]: String(row[key]) });
  return {
    arn: String(row.arn),
    machineArn: String(row.machine),
    name: String(row.name),
    revision: Number(row.revision),
    status: String(row.status) as ExecutionStatus,
    input: String(row.input),
    ...text('output'),
    ...text('error'),
    ...text('cause'),
    startMs: Number(row.start_ms),
    ...(row.stop_ms === null ? {} : { stopMs: Number(row.stop_ms) }),
    ...(row.timeout_ms === null ? {} : { timeoutMs: Number(row.timeout_ms) }),
  };
}

function threadOf(row: Row): Thread {
  return {
    ...JSON.parse(String(row.data)),
    execution: String(row.execution),
    id: Number(row.id),
    parent: row.parent === null ? undefined : Number(row.parent),
    slot: Number(row.slot),
    status: String(row.status),
    wakeMs: row.wake_ms === null ? undefined : Number(row.wake_ms),
  } as Thread;
}
