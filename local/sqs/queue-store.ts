// The queues, kept in memory and in a table: those of the template and those made through the API.
import type { Storage } from '../storage/storage.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { queueDoesNotExist } from './error.ts';
import { type Queue, type QueueSettings, queueArn } from './queue.ts';

export type QueueStore = ReturnType<typeof createQueueStore>;

export function createQueueStore(storage: Storage, environment: StackEnvironment) {
  storage.exec(`
    CREATE TABLE IF NOT EXISTS sqs_queues (
      name TEXT PRIMARY KEY,
      settings TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      modified_ms INTEGER NOT NULL
    );
  `);
  const byArn = new Map<string, Queue>();
  for (const row of storage.prepare('SELECT * FROM sqs_queues ORDER BY name').all()) {
    const name = String(row.name);
    byArn.set(queueArn(name, environment), {
      name,
      arn: queueArn(name, environment),
      settings: JSON.parse(String(row.settings)),
      createdMs: Number(row.created_ms),
      modifiedMs: Number(row.modified_ms),
    });
  }

  return {
    get(arn: string): Queue {
      const queue = byArn.get(arn);
      if (!queue) throw queueDoesNotExist();
      return queue;
    },
    find: (arn: string): Queue | undefined => byArn.get(arn),
    all: (): Queue[] => [...byArn.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    /** Synchronous, so it takes effect for the very next call. */
    put(name: string, settings: QueueSettings, nowMs: number): Queue {
      const arn = queueArn(name, environment);
      const before = byArn.get(arn);
      if (before && JSON.stringify(before.settings) === JSON.stringify(settings)) return before;
      const queue = { name, arn, settings, createdMs: before?.createdMs ?? nowMs, modifiedMs: nowMs };
      storage.writeNow(() =>
        storage
          .prepare('INSERT OR REPLACE INTO sqs_queues (name, settings, created_ms, modified_ms) VALUES (?, ?, ?, ?)')
          .run([name, JSON.stringify(settings), queue.createdMs, nowMs]),
      );
      byArn.set(arn, queue);
      return queue;
    },
    remove(queue: Queue): void {
      storage.writeNow(() => storage.prepare('DELETE FROM sqs_queues WHERE name = ?').run([queue.name]));
      byArn.delete(queue.arn);
    },
  };
}
