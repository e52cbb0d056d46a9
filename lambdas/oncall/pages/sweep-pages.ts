import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { buildPostponeWrite, type FindDue } from '../../records/index-store.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import { writeWithRetry } from '../../records/write-items.ts';

// Runs every minute and queues the pages that are overdue: their message or their execution was lost. A key that the sweep
// visits moves by a minute, so that a page that fails repeatedly does not hide others.

export interface SweepTools {
  due: FindDue;
  store: Pick<ItemStore, 'transact'>;
  enqueue(pageIds: readonly string[]): Promise<void>;
  clock: Clock;
  log: Log;
}

export async function sweepPages({ due, store, enqueue, clock, log }: SweepTools): Promise<{ queued: number }> {
  let queued = 0;
  for (const pages of due(clock.now())) {
    for await (const items of pages) {
      const ids = items.map((item) => readString(item, 'pk'));
      await enqueue(ids);
      for (const id of ids) await writeWithRetry(store, [buildPostponeWrite(id, clock.now())]);
      queued += ids.length;
    }
  }
  if (queued > 0) log('warn', 'queued overdue pages', { queued });
  return { queued };
}
