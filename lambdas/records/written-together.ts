import { setTimeout as pause } from 'node:timers/promises';
import type { ItemStore, Write } from './item-store.ts';
import { written } from './written.ts';

// Many small writes that have nothing to do with each other, made at almost the same time: together they are one call.
// None of them waits for long, and the condition of one does not stop the others.

/** False when the write's own condition did not hold. Its name says which item it is about. */
export type WriteTogether = (write: Write) => Promise<boolean>;

export function writtenTogether(store: Pick<ItemStore, 'transact'>, gatherMs = 2): WriteTogether {
  let gathering: Map<string, Waiting> | undefined;
  const flush = async (group: Map<string, Waiting>) => {
    await pause(gatherMs);
    if (gathering === group) gathering = undefined;
    await settle(store, [...group.values()]);
  };
  return (write) =>
    new Promise((resolve, reject) => {
      // A transaction takes an item only once.
      if (!gathering || gathering.size >= most || gathering.has(write.name)) {
        gathering = new Map();
        void flush(gathering);
      }
      gathering.set(write.name, { write, resolve, reject });
    });
}

const most = 50;

interface Waiting {
  write: Write;
  resolve(isWritten: boolean): void;
  reject(error: unknown): void;
}

async function settle(store: Pick<ItemStore, 'transact'>, group: readonly Waiting[]): Promise<void> {
  try {
    const all = await written(
      store,
      group.map(({ write }) => write),
    );
    if (all || group.length === 1) for (const { resolve } of group) resolve(all);
    else await Promise.all(group.map((one) => settle(store, [one])));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
