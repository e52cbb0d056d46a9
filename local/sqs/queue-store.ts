// The queues, kept in memory and in a table: those of the template and those made through the API.
import type { Storage } from '../storage/storage.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { queueDoesNotExist } from './error.ts';
import { type Queue, type QueueSettings, queueArn } from './queue.ts';

export class QueueStore {
  private readonly storage: Storage;
  private readonly environment: StackEnvironment;
  private readonly byArn = new Map<string, Queue>();

  constructor(storage: Storage, environment: StackEnvironment) {
    this.storage = storage;
    this.environment = environment;
    storage.exec(schema);
    for (const row of storage.prepare('SELECT * FROM sqs_queues').all()) {
      const name = String(row.name);
      const arn = queueArn(name, environment);
      const settings = JSON.parse(String(row.settings)) as QueueSettings;
      this.byArn.set(arn, {
        name,
        arn,
        settings,
        createdMs: Number(row.created_ms),
        modifiedMs: Number(row.modified_ms),
      });
    }
  }

  get(arn: string): Queue {
    const queue = this.byArn.get(arn);
    if (!queue) throw queueDoesNotExist();
    return queue;
  }

  find(arn: string): Queue | undefined {
    return this.byArn.get(arn);
  }

  all(): Queue[] {
    return [...this.byArn.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Synchronous, so it takes effect for the very next call. */
  put(name: string, settings: QueueSettings, nowMs: number): void {
    const arn = queueArn(name, this.environment);
    const before = this.byArn.get(arn);
    if (before && JSON.stringify(before.settings) === JSON.stringify(settings)) return;
    const queue = { name, arn, settings, createdMs: before?.createdMs ?? nowMs, modifiedMs: nowMs };
    this.storage.writeNow(() =>
      this.storage
        .prepare('INSERT OR REPLACE INTO sqs_queues (name, settings, created_ms, modified_ms) VALUES (?, ?, ?, ?)')
        .run([name, JSON.stringify(settings), queue.createdMs, nowMs]),
    );
    this.byArn.set(arn, queue);
  }

  remove(queue: Queue): void {
    this.storage.writeNow(() => this.storage.prepare('DELETE FROM sqs_queues WHERE name = ?').run([queue.name]));
    this.byArn.delete(queue.arn);
  }
}

const schema = `
  CREATE TABLE IF NOT EXISTS sqs_queues (
    name TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  );
`;
