import { setTimeout as pause } from 'node:timers/promises';
import { isPermanentFailure } from '../platform/retry.ts';
import type { ItemStore } from './item-store.ts';
import { formatItemKey, type Item, measureItem } from './items.ts';
import { toItemKey } from './record-item.ts';
import type { Outcome, Write } from './write-items.ts';

// Combines the calls of a few milliseconds: reads into one BatchGetItem, transactions into one. A failed condition affects only
// its own transaction.

/** Limits of a transaction. */
const maxItems = 100;
const maxBytes = 3_000_000;

interface Transaction {
  writes: readonly Write[];
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Group {
  transactions: Transaction[];
  /** A transaction must not contain an item twice. */
  keys: Set<string>;
  bytes: number;
}

export function gatherTransactions(store: Pick<ItemStore, 'transact'>, gatherMs = 2): Pick<ItemStore, 'transact'> {
  let open: Group | undefined;
  const flush = async (group: Group) => {
    await pause(gatherMs);
    if (open === group) open = undefined;
    await writeGroup(store, group.transactions);
  };
  return {
    transact: (writes) =>
      new Promise((resolve, reject) => {
        const keys = writes.map(formatKey);
        const bytes = writes.reduce((sum, write) => sum + measureWrite(write), 0);
        const fits = ({ keys: known, bytes: used }: Group) =>
          known.size + keys.length <= maxItems && used + bytes <= maxBytes && !keys.some((key) => known.has(key));
        if (!open || !fits(open)) {
          open = { transactions: [], keys: new Set(), bytes: 0 };
          void flush(open);
        }
        for (const key of keys) open.keys.add(key);
        open.bytes += bytes;
        open.transactions.push({ writes, resolve, reject });
      }),
  };
}

export function gatherReads(store: Pick<ItemStore, 'getMany'>, gatherMs = 2): Pick<ItemStore, 'get'> {
  let open: { keys: Map<string, Item>; items: Promise<Map<string, Item>> } | undefined;
  const read = async (keys: Map<string, Item>) => {
    await pause(gatherMs);
    open = undefined;
    const items = await store.getMany([...keys.values()]);
    return new Map(items.map((item) => [formatItemKey(item), item]));
  };
  return {
    async get(pk, sk) {
      if (!open) {
        const keys = new Map<string, Item>();
        open = { keys, items: read(keys) };
      }
      const key = toItemKey(pk, sk);
      open.keys.set(formatItemKey(key), key);
      return (await open.items).get(formatItemKey(key));
    },
  };
}

async function writeGroup(store: Pick<ItemStore, 'transact'>, group: readonly Transaction[]): Promise<void> {
  const writeEach = () => Promise.all(group.map((one) => writeGroup(store, [one])));
  try {
    const outcome = await store.transact(group.flatMap(({ writes }) => writes));
    if (outcome.kind === 'written' || group.length === 1) for (const { resolve } of group) resolve(outcome);
    else await writeEach();
  } catch (error) {
    // The transaction as a whole may be too large, or one item of it.
    if (isPermanentFailure(error) && group.length > 1) await writeEach();
    else for (const { reject } of group) reject(error);
  }
}

function measureWrite(write: Write): number {
  return 'put' in write && write.put.Item ? measureItem(write.put.Item) : 0;
}

function formatKey(write: Write): string {
  return formatItemKey(('put' in write ? write.put.Item : write.update.Key) ?? {});
}
