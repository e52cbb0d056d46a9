// Asynchronous invocations. An accepted event is stored, so it survives a restart. A failed call is retried after one
// minute and after two more minutes.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Clock, Timer } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { alwaysExpendable, type Storage } from '../storage/storage.ts';

const retryDelaysMs = [60_000, 120_000];

interface StoredEvent {
  id: string;
  functionName: string;
  payload: string;
  attempts: number;
  acceptedMs: number;
  dueMs: number;
}

interface Options {
  clock: Clock;
  log: Log;
  storage: Storage;
  invoke(
    functionName: string,
    payload: string,
    requestId: string,
  ): Promise<{ functionError?: string; payload: string }>;
}

export class AsyncInvocations {
  private readonly options: Options;
  private readonly timers = new Map<string, Timer>();
  private isStarted = false;

  constructor(options: Options) {
    this.options = options;
    options.storage.exec(`CREATE TABLE IF NOT EXISTS lambda_events (
      id TEXT PRIMARY KEY, function_name TEXT NOT NULL, payload TEXT NOT NULL, attempts INTEGER NOT NULL,
      accepted_ms INTEGER NOT NULL, due_ms INTEGER NOT NULL)`);
  }

  /** Resumes events that an earlier process did not complete. */
  start(): void {
    this.isStarted = true;
    const rows = this.options.storage.prepare('SELECT * FROM lambda_events ORDER BY accepted_ms').all();
    for (const row of rows) {
      this.schedule({
        id: String(row.id),
        functionName: String(row.function_name),
        payload: String(row.payload),
        attempts: Number(row.attempts),
        acceptedMs: Number(row.accepted_ms),
        dueMs: Number(row.due_ms),
      });
    }
  }

  stop(): void {
    this.isStarted = false;
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
  }

  /** An expendable event may be lost in a crash, because its caller sends it again. */
  accept(functionName: string, payload: string, expendable?: () => boolean): Promise<string> {
    const { clock, storage } = this.options;
    return clock.track(async () => {
      const now = clock.now();
      const event = { id: randomUUID(), functionName, payload, attempts: 0, acceptedMs: now, dueMs: now };
      await storage.write(
        () =>
          storage
            .prepare('INSERT INTO lambda_events VALUES (?, ?, ?, ?, ?, ?)')
            .run([event.id, functionName, payload, 0, now, now]),
        expendable,
      );
      void this.attempt(event);
      return event.id;
    });
  }

  private schedule(event: StoredEvent): void {
    const timer = this.options.clock.at(event.dueMs, () => {
      this.timers.delete(event.id);
      return this.attempt(event);
    });
    this.timers.set(event.id, timer);
  }

  private attempt(event: StoredEvent): Promise<void> {
    return this.options.clock.track(async () => {
      if (!this.isStarted) return;
      try {
        await this.call(event);
      } catch (error) {
        // The storage rejects writes, usually because the process is ending. The stored event does not change.
        this.options.log.error('Could not update an asynchronous event', {
          function: event.functionName,
          error: String(error),
        });
      }
    });
  }

  private async call(event: StoredEvent): Promise<void> {
    try {
      const { functionError, payload } = await this.options.invoke(event.functionName, event.payload, event.id);
      if (!functionError) await this.remove(event);
      // A call that ended because the process stops has not failed; the next start runs it again.
      else if (this.isStarted) await this.handleFailure(event, payload);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      await this.drop(event, error.message);
    }
  }

  private async handleFailure(event: StoredEvent, reason: string): Promise<void> {
    event.attempts++;
    const delayMs = retryDelaysMs[event.attempts - 1];
    if (delayMs === undefined) await this.drop(event, reason);
    else await this.retry(event, delayMs);
  }

  private async retry(event: StoredEvent, delayMs: number): Promise<void> {
    const { clock, storage } = this.options;
    event.dueMs = clock.now() + delayMs;
    await storage.writeWithRetry(() =>
      storage
        .prepare('UPDATE lambda_events SET attempts = ?, due_ms = ? WHERE id = ?')
        .run([event.attempts, event.dueMs, event.id]),
    );
    if (this.isStarted) this.schedule(event);
  }

  private async drop(event: StoredEvent, reason: string): Promise<void> {
    const { functionName, id, attempts } = event;
    this.options.log.error('Dropped an asynchronous event', {
      function: functionName,
      request_id: id,
      attempts,
      reason,
    });
    await this.remove(event);
  }

  private async remove(event: StoredEvent): Promise<void> {
    const { storage } = this.options;
    await storage.writeWithRetry(
      () => storage.prepare('DELETE FROM lambda_events WHERE id = ?').run([event.id]),
      alwaysExpendable,
    );
  }
}
