// Deliveries to other parts of the runtime that must arrive at least once: recorded in the same commit as what caused
// them, taken off the list when they arrived, tried again until their patience is over, also after a restart.
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { StorageUnavailable } from '../storage/errors.ts';
import { onceMore, type Row, type Storage } from '../storage/storage.ts';
import { type Alarm, createAlarm } from './alarm.ts';

export interface Delivery<T> {
  id: number;
  /** How often it was tried before. */
  attempts: number;
  createdMs: number;
  content: T;
}

export interface CourierOptions<T> {
  storage: Storage;
  clock: Clock;
  log: Log;
  table: 'sns_deliveries' | 'scheduler_deliveries';
  deliver(delivery: Delivery<T>): Promise<unknown>;
  /** How long to wait after a failed attempt on something `ageMs` old; undefined gives up. */
  retryAfterMs(delivery: Delivery<T>, ageMs: number): number | undefined;
  /** A last thing to do with what was given up, such as a dead-letter queue. */
  abandon?(delivery: Delivery<T>, reason: unknown): Promise<unknown>;
}

const storageRetryMs = 1_000;

export class Courier<T> {
  private readonly options: CourierOptions<T>;
  private readonly alarm: Alarm;
  private readonly underWay = new Set<number>();
  private started = false;

  constructor(options: CourierOptions<T>) {
    this.options = options;
    this.alarm = createAlarm(options.clock, options.log, () => this.deliverDue());
    options.storage.exec(`
      CREATE TABLE IF NOT EXISTS ${options.table} (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        attempts INTEGER NOT NULL DEFAULT 0,
        created_ms INTEGER NOT NULL,
        next_ms INTEGER NOT NULL,
        content TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS ${options.table}_next ON ${options.table} (next_ms);
    `);
  }

  start(): void {
    this.started = true;
    this.deliverDue();
  }

  stop(): void {
    this.started = false;
    this.alarm.cancel();
  }

  /** Must run inside storage.write(); call `deliverDue` once that is on disk. */
  add(content: T): void {
    const now = this.options.clock.now();
    this.sql('INSERT INTO $table (created_ms, next_ms, content) VALUES (?, ?, ?)').run([
      now,
      now,
      JSON.stringify(content),
    ]);
  }

  /** Starts, in their order, all deliveries whose time has come. */
  deliverDue(): void {
    if (!this.started) return;
    const now = this.options.clock.now();
    const due = this.sql('SELECT * FROM $table WHERE next_ms <= ? ORDER BY next_ms, id').all([now]);
    for (const row of due) void this.options.clock.busy(this.attempt(this.read(row)));
    const next = this.sql('SELECT MIN(next_ms) AS ms FROM $table WHERE next_ms > ?').get([now])?.ms;
    if (typeof next === 'number') this.alarm.by(next);
  }

  private async attempt(delivery: Delivery<T>): Promise<void> {
    const { id } = delivery;
    if (this.underWay.has(id)) return;
    this.underWay.add(id);
    try {
      const error = await this.options.deliver(delivery).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('refused'),
      );
      if (!this.started) return;
      if (error === undefined) await this.forget(id);
      else await this.postpone(delivery, error);
    } catch (error) {
      if (!this.started) return;
      this.options.log.error('a delivery could not be recorded', { error: String(error) });
      if (error instanceof StorageUnavailable) this.alarm.by(this.options.clock.now() + storageRetryMs);
    } finally {
      this.underWay.delete(id);
    }
  }

  private async postpone(delivery: Delivery<T>, error: unknown): Promise<void> {
    const { clock, log, storage } = this.options;
    const delayMs = this.options.retryAfterMs(delivery, clock.now() - delivery.createdMs);
    const fields = { attempts: delivery.attempts + 1, error: String(error), content: delivery.content };
    if (delayMs === undefined) {
      log.error('a delivery was given up', fields);
      await this.options.abandon?.(delivery, error);
      await this.forget(delivery.id);
      return;
    }
    log.warn('a delivery failed and will be tried again', fields);
    const nextMs = clock.now() + delayMs;
    await storage.writeWithRetry(() =>
      this.sql('UPDATE $table SET attempts = attempts + 1, next_ms = ? WHERE id = ?').run([nextMs, delivery.id]),
    );
    this.alarm.by(nextMs);
  }

  private forget(id: number): Promise<unknown> {
    return this.options.storage.writeWithRetry(() => this.sql('DELETE FROM $table WHERE id = ?').run([id]), onceMore);
  }

  private read(row: Row): Delivery<T> {
    return {
      id: Number(row.id),
      attempts: Number(row.attempts),
      createdMs: Number(row.created_ms),
      content: JSON.parse(String(row.content)),
    };
  }

  private sql(text: string) {
    return this.options.storage.prepare(text.replace('$table', this.options.table));
  }
}
