// An in-memory table that supports the conditions of the event log.
import type { ItemStore } from '../../../lambdas/records/item-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import { countNeeded } from '../../../lambdas/records/read-items.ts';
import type { Outcome, Write } from '../../../lambdas/records/write-items.ts';

export interface MemoryItems extends ItemStore {
  items: Map<string, Item>;
  /** Called before each transaction. Its result replaces the transaction's. */
  before?: (writes: readonly Write[]) => Outcome | undefined;
  transactions: number;
  ranges: number;
}

export function memoryItems(): MemoryItems {
  const items = new Map<string, Item>();
  const toKey = (pk: string, sk: string) => `${pk}|${sk}`;
  const store: MemoryItems = {
    items,
    transactions: 0,
    ranges: 0,
    get: async (pk, sk) => items.get(toKey(pk, sk)),
    getMany: async (keys) =>
      keys.map(({ pk, sk }) => items.get(toKey(pk!.S!, sk!.S!))).filter((item) => item !== undefined),
    async transact(writes) {
      store.transactions++;
      const instead = store.before?.(writes);
      if (instead) return instead;
      if (writes.length > 100) throw new Error('a transaction has at most 100 items');
      const targets = writes.map((write) => ({ write, key: toTarget(write) }));
      if (new Set(targets.map(({ key }) => key)).size < writes.length) throw new Error('an item is written twice');
      for (const { write, key } of targets) {
        const old = items.get(key);
        if (!holds(write, old)) return { kind: 'condition_failed', failedWrite: write.name, ...(old && { item: old }) };
      }
      for (const { write, key } of targets) items.set(key, applyWrite(write, items.get(key)));
      return { kind: 'written' };
    },
    async putMany(all) {
      for (const Item of all) await store.transact([{ name: 'item', put: { Item } }]);
    },
    async range({ pk, prefix, after = '', order, filter, ...bounds }, limit) {
      store.ranges++;
      const position = filter?.values[':position']?.N;
      const isPast = ({ sequence, first_sequence: first = sequence }: Item) =>
        position === undefined ||
        (order ? Number(first!.N) < Number(position) : Number(sequence!.N) > Number(position));
      const nowSeconds = Number(filter?.values[':now']?.N ?? 0);
      const found = [...items]
        .filter(([key, item]) => key.startsWith(`${pk}|${prefix}`) && item.sk!.S! > after && isPast(item))
        .filter(([, item]) => Number(item.expires_at?.N ?? Number.POSITIVE_INFINITY) > nowSeconds)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, item]) => item);
      if (order) found.reverse();
      return found.slice(0, countNeeded(found, limit, bounds));
    },
    slice: async () => ({ items: [], count: 0, examined: 0, last: undefined }),
  };
  const toTarget = (write: Write) => {
    const key = ('put' in write ? write.put.Item : write.update.Key) as Item;
    return toKey(key.pk!.S!, key.sk!.S!);
  };
  return store;
}

function holds(write: Write, old: Item | undefined): boolean {
  const { ConditionExpression: condition = '', ExpressionAttributeValues: values = {} } =
    'put' in write ? write.put : write.update;
  if (condition === '') return true;
  if (condition === 'attribute_not_exists(pk)') return old === undefined;
  if (condition === '#sequence = :from') return old?.sequence?.N === values[':from']!.N;
  throw new Error(`the memory does not know the condition ${condition}`);
}

function applyWrite(write: Write, old: Item | undefined): Item {
  if ('put' in write) return write.put.Item as Item;
  return { ...old, ...(write.update.Key as Item), sequence: write.update.ExpressionAttributeValues![':to']! };
}
