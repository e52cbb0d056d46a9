// Executions, their current states and their history. Access patterns:
//   next wake-up              sfn_threads_wake (wake_ms)
//   resume after a restart    sfn_executions_status (status)
//   one execution             primary keys; its events by (execution, id)
//   list executions           sfn_executions_machine (machine, start_ms)
import type { Row, Statement, Storage } from '../storage/storage.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';

export interface Execution {
  arn: string;
  machineArn: string;
  name: string;
  /** Revision of the machine's definition when the execution started. */
  revision: number;
  status: ExecutionStatus;
  /** JSON as the caller sent it. */
  input: string;
  output?: string;
  error?: string;
  cause?: string;
  startMs: number;
  stopMs?: number;
}

/** The position of a running execution. `waiting`: in a Wait until wakeMs; `retrying`: its Task runs again at wakeMs. */
export interface Position {
  execution: string;
  status: 'ready' | 'waiting' | 'retrying';
  wakeMs?: number;
  state: string;
  input: unknown;
  /** Retries so far, by retrier of the state. */
  attempts: number[];
}

export interface HistoryEvent {
  type: string;
  timeMs: number;
  details: Record<string, unknown>;
}

/** Methods that change rows must run inside storage.write(). */
export class ExecutionStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  find(arn: string): Execution | undefined {
    const row = this.sql('SELECT * FROM sfn_executions WHERE arn = ?').get([arn]);
    return row && toExecution(row);
  }

  save(execution: Execution): void {
    const { arn, machineArn, name, revision, status, input, output, error, cause, startMs, stopMs } = execution;
    const optional = [output, error, cause].map((value) => value ?? null);
    this.sql(
      `INSERT OR REPLACE INTO sfn_executions
       (arn, machine, name, revision, status, input, output, error, cause, start_ms, stop_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run([arn, machineArn, name, revision, status, input, ...optional, startMs, stopMs ?? null]);
  }

  /** Newest first. */
  list(machineArn: string, status: string | undefined, offset: number, limit: number): Execution[] {
    return this.sql(
      `SELECT * FROM sfn_executions WHERE machine = ? AND (? IS NULL OR status = ?)
       ORDER BY start_ms DESC, arn DESC LIMIT ? OFFSET ?`,
    )
      .all([machineArn, status ?? null, status ?? null, limit, offset])
      .map(toExecution);
  }

  listRunning(): string[] {
    return this.sql("SELECT arn FROM sfn_executions WHERE status = 'RUNNING'")
      .all()
      .map((row) => String(row.arn));
  }

  listStoppedBefore(timeMs: number): string[] {
    return this.sql("SELECT arn FROM sfn_executions WHERE status <> 'RUNNING' AND stop_ms < ?")
      .all([timeMs])
      .map((row) => String(row.arn));
  }

  delete(arn: string): void {
    for (const table of ['sfn_threads', 'sfn_events']) this.sql(`DELETE FROM ${table} WHERE execution = ?`).run([arn]);
    this.sql('DELETE FROM sfn_executions WHERE arn = ?').run([arn]);
  }

  findPosition(execution: string): Position | undefined {
    const row = this.sql('SELECT * FROM sfn_threads WHERE execution = ? AND id = 1').get([execution]);
    if (!row) return undefined;
    const { state, input, attempts } = JSON.parse(String(row.data));
    const wake = row.wake_ms === null ? {} : { wakeMs: Number(row.wake_ms) };
    return { execution, status: String(row.status) as Position['status'], ...wake, state, input, attempts };
  }

  savePosition({ execution, status, wakeMs, ...data }: Position): void {
    this.sql(
      'INSERT OR REPLACE INTO sfn_threads (execution, id, slot, status, wake_ms, data) VALUES (?, 1, 0, ?, ?, ?)',
    ).run([execution, status, wakeMs ?? null, JSON.stringify(data)]);
  }

  deletePosition(execution: string): void {
    this.sql('DELETE FROM sfn_threads WHERE execution = ?').run([execution]);
  }

  listDue(nowMs: number): string[] {
    return this.sql('SELECT execution FROM sfn_threads WHERE wake_ms <= ? ORDER BY wake_ms, execution')
      .all([nowMs])
      .map((row) => String(row.execution));
  }

  findNextWakeMs(afterMs: number): number | undefined {
    const wakeMs = this.sql('SELECT MIN(wake_ms) AS ms FROM sfn_threads WHERE wake_ms > ?').get([afterMs])?.ms;
    return typeof wakeMs === 'number' ? wakeMs : undefined;
  }

  addEvent(execution: string, { type, timeMs, details }: HistoryEvent): void {
    const previous = this.countEvents(execution);
    this.sql('INSERT INTO sfn_events (execution, id, previous, type, time_ms, details) VALUES (?, ?, ?, ?, ?, ?)').run([
      execution,
      previous + 1,
      previous,
      type,
      timeMs,
      JSON.stringify(details),
    ]);
  }

  /** The ids of an execution's events are 1, 2, 3, … */
  countEvents(execution: string): number {
    return Number(this.sql('SELECT MAX(id) AS id FROM sfn_events WHERE execution = ?').get([execution])?.id ?? 0);
  }

  listEvents(execution: string): Row[] {
    return this.sql('SELECT * FROM sfn_events WHERE execution = ? ORDER BY id').all([execution]);
  }

  private sql(text: string): Statement {
    return this.storage.prepare(text);
  }
}

// The unused columns keep data folders compatible with releases that ran Parallel and Map states: sfn_threads had one row
// for each branch. Now the position of an execution is the row with id 1 and slot 0.
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
  CREATE INDEX IF NOT EXISTS sfn_executions_status ON sfn_executions (status);
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

function toExecution(row: Row): Execution {
  const optionalText = (key: string) => (row[key] === null ? {} : { [key]: String(row[key]) });
  return {
    arn: String(row.arn),
    machineArn: String(row.machine),
    name: String(row.name),
    revision: Number(row.revision),
    status: String(row.status) as ExecutionStatus,
    input: String(row.input),
    ...optionalText('output'),
    ...optionalText('error'),
    ...optionalText('cause'),
    startMs: Number(row.start_ms),
    ...(row.stop_ms === null ? {} : { stopMs: Number(row.stop_ms) }),
  };
}
