// Executions, their current states and their history. Access patterns:
//   next wake-up              sfn_threads_wake (wake_ms)
//   what can continue         primary key, by (execution, id)
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

/**
 * The position of a running execution, or of an iteration of its Map. `waiting`: in a Wait or for a task token until wakeMs;
 * `retrying`: its Task runs again at wakeMs; `mapping`: in a Map, until its last iteration ends.
 */
export interface Position {
  execution: string;
  /** 0 for the execution itself; the iterations of its Map count from 1. */
  iteration: number;
  status: 'ready' | 'waiting' | 'retrying' | 'mapping';
  wakeMs?: number;
  state: string;
  input: unknown;
  /** Retries so far, by retrier of the state. */
  attempts: number[];
  /** The event with which it entered the state, which tells visits of a loop apart. Absent in data of earlier releases. */
  entered?: number;
  /** Of a Map: the outputs of the iterations that ended, by iteration. */
  outputs?: Record<number, unknown>;
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

  findPosition(execution: string, iteration: number): Position | undefined {
    const row = this.sql('SELECT * FROM sfn_threads WHERE execution = ? AND id = ?').get([execution, iteration + 1]);
    return row && toPosition(row);
  }

  /** The positions of the execution that can continue now. */
  listReady(execution: string, nowMs: number): Position[] {
    return this.sql("SELECT * FROM sfn_threads WHERE execution = ? AND (status = 'ready' OR wake_ms <= ?) ORDER BY id")
      .all([execution, nowMs])
      .map(toPosition);
  }

  savePosition({ execution, iteration, status, wakeMs, ...data }: Position): void {
    this.sql(
      'INSERT OR REPLACE INTO sfn_threads (execution, id, slot, status, wake_ms, data) VALUES (?, ?, ?, ?, ?, ?)',
    ).run([execution, iteration + 1, iteration, status, wakeMs ?? null, JSON.stringify(data)]);
  }

  deletePosition(execution: string, iteration: number): void {
    this.sql('DELETE FROM sfn_threads WHERE execution = ? AND id = ?').run([execution, iteration + 1]);
  }

  deletePositions(execution: string): void {
    this.sql('DELETE FROM sfn_threads WHERE execution = ?').run([execution]);
  }

  listDue(nowMs: number): string[] {
    return this.sql('SELECT execution FROM sfn_threads WHERE wake_ms <= ? GROUP BY execution ORDER BY MIN(wake_ms)')
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

// The unused columns keep data folders compatible with earlier releases. The position of an execution is the row of
// sfn_threads with id 1; the others are the iterations of its Map.
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

function toPosition(row: Row): Position {
  const { state, input, attempts, entered, outputs } = JSON.parse(String(row.data));
  return {
    execution: String(row.execution),
    iteration: Number(row.id) - 1,
    status: String(row.status) as Position['status'],
    ...(row.wake_ms === null ? {} : { wakeMs: Number(row.wake_ms) }),
    state,
    input,
    attempts,
    ...(entered !== undefined && { entered }),
    ...(outputs && { outputs }),
  };
}

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
