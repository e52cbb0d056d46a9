// Delivers the occurrences of schedules at least once. The commit that advances a schedule also stores the occurrence.
// It is retried within the schedule's retry policy, even after a restart, and deleted after its delivery.
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { StorageUnavailable } from '../storage/errors.ts';
import { alwaysExpendable, type Row, type Storage } from '../storage/storage.ts';
import { createWakeTimer, type WakeTimer } from './wake-timer.ts';

export interface Occurrence {
  id: string;
  schedule: { arn: string };
  scheduledMs: number;
}

interface Delivery {
  id: number;
  attempts: number;
  createdMs: number;
  content: Occurrence;
}

export interface RetryPolicy {
  maxRetries: number;
  maxAgeSeconds: number;
}

export interface DeliveryQueueOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  deliver(occurrence: Occurrence): Promise<unknown>;
  /** Returns undefined if the template no longer declares the schedule. */
  findRetryPolicy(occurrence: Occurrence): RetryPolicy | undefined;
}

const storageRetryMs = 1_000;
const maxDelaySeconds = 600;

export class DeliveryQueue {
  private readonly options: DeliveryQueueOptions;
  private readonly wakeTimer: WakeTimer;
  private readonly inFlight = new Set<number>();
  private isStarted = false;

  constructor(options: DeliveryQueueOptions) {
    this.options = options;
    this.wakeTimer = createWakeTimer(options.clock, options.log, () => this.deliverDue());
    options.storage.exec(`
      CREATE TABLE IF NOT EXISTS scheduler_deliveries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        attempts INTEGER NOT NULL DEFAULT 0,
        created_ms INTEGER NOT NULL,
        next_ms INTEGER NOT NULL,
        content TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS scheduler_deliveries_next ON scheduler_deliveries (next_ms);
    `);
  }

  start(): void {
    this.isStarted = true;
    this.deliverDue();
  }

  stop(): void {
    this.isStarted = false;
    this.wakeTimer.cancel();
  }

  /** Must run inside storage.write(). Call `deliverDue` after the commit. */
  add(occurrence: Occurrence): void {
    const now = this.options.clock.now();
    this.options.storage
      .prepare('INSERT INTO scheduler_deliveries (created_ms, next_ms, content) VALUES (?, ?, ?)')
      .run([now, now, JSON.stringify(occurrence)]);
  }

  /** Starts all deliveries that are due, in their order. */
  deliverDue(): void {
    if (!this.isStarted) return;
    const { clock, storage } = this.options;
    const now = clock.now();
    const due = storage
      .prepare('SELECT * FROM scheduler_deliveries WHERE next_ms <= ? ORDER BY next_ms, id')
      .all([now])
      .map(toDelivery);
    for (const delivery of due) void clock.track(this.attempt(delivery));
    const next = storage
      .prepare('SELECT MIN(next_ms) AS ms FROM scheduler_deliveries WHERE next_ms > ?')
      .get([now])?.ms;
    if (typeof next === 'number') this.wakeTimer.wakeBy(next);
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const { id } = delivery;
    if (this.inFlight.has(id)) return;
    this.inFlight.add(id);
    try {
      const error = await this.options.deliver(delivery.content).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('rejected'),
      );
      if (!this.isStarted) return;
      if (error === undefined) await this.delete(id);
      else await this.retry(delivery, error);
    } catch (error) {
      if (!this.isStarted) return;
      const { log, clock } = this.options;
      log.error('Could not store the outcome of a scheduled delivery', { error: String(error) });
      if (error instanceof StorageUnavailable) this.wakeTimer.wakeBy(clock.now() + storageRetryMs);
    } finally {
      this.inFlight.delete(id);
    }
  }

  private async retry(delivery: Delivery, error: unknown): Promise<void> {
    const { clock, log, storage } = this.options;
    const delayMs = this.computeDelayMs(delivery);
    const fields = { attempts: delivery.attempts + 1, error: String(error), content: delivery.content };
    if (delayMs === undefined) {
      log.error('Scheduled delivery failed', fields);
      await this.delete(delivery.id);
      return;
    }
    log.warn('Scheduled delivery failed and will be retried', fields);
    const nextMs = clock.now() + delayMs;
    await storage.writeWithRetry(() =>
      storage
        .prepare('UPDATE scheduler_deliveries SET attempts = attempts + 1, next_ms = ? WHERE id = ?')
        .run([nextMs, delivery.id]),
    );
    this.wakeTimer.wakeBy(nextMs);
  }

  /** Doubles the delay with each attempt, up to ten minutes; undefined when the retry policy is exhausted. */
  private computeDelayMs({ attempts, createdMs, content }: Delivery): number | undefined {
    const policy = this.options.findRetryPolicy(content);
    if (!policy || attempts >= policy.maxRetries) return undefined;
    const delayMs = Math.min(2 ** attempts, maxDelaySeconds) * 1000;
    const ageMs = this.options.clock.now() - createdMs;
    return ageMs + delayMs <= policy.maxAgeSeconds * 1000 ? delayMs : undefined;
  }

  private delete(id: number): Promise<unknown> {
    const { storage } = this.options;
    return storage.writeWithRetry(
      () => storage.prepare('DELETE FROM scheduler_deliveries WHERE id = ?').run([id]),
      alwaysExpendable,
    );
  }
}

function toDelivery(row: Row): Delivery {
  return {
    id: Number(row.id),
    attempts: Number(row.attempts),
    createdMs: Number(row.created_ms),
    content: JSON.parse(String(row.content)),
  };
}
