// An item's entry in a secondary index. An index is written, and consumes capacity, only when its projection of the item
// changes.
import { requireValue } from '../require-value.ts';
import type { Storage } from '../storage/storage.ts';
import { areItemsEqual, type Item, measureItem, setAttribute } from './attribute-value.ts';
import { toWriteUnits } from './capacity.ts';
import { type EncodedKey, encodeIndexKey } from './key.ts';
import type { Index } from './table.ts';

interface Entry {
  key: EncodedKey;
  item: Item;
  size: number;
}

/** Updates the index and returns the consumed capacity units. */
export function writeIndexEntry(
  storage: Storage,
  index: Index,
  itemKey: EncodedKey,
  oldItem: Item | undefined,
  newItem: Item | undefined,
): number {
  const before = oldItem && toEntry(index, oldItem);
  const after = newItem && toEntry(index, newItem);
  if (before && after && isSameKey(before.key, after.key)) {
    if (areItemsEqual(before.item, after.item)) return 0;
    put(storage, index, itemKey, after);
    return toWriteUnits(Math.max(before.size, after.size));
  }
  if (before) remove(storage, index, itemKey, before);
  if (after) put(storage, index, itemKey, after);
  return (before ? toWriteUnits(before.size) : 0) + (after ? toWriteUnits(after.size) : 0);
}

export function projectItem(index: Index, item: Item): Item {
  const { projected } = index;
  if (!projected) return item;
  const result: Item = {};
  for (const name in item) if (projected.has(name)) setAttribute(result, name, requireValue(item[name]));
  return result;
}

function toEntry(index: Index, item: Item): Entry | undefined {
  const key = encodeIndexKey(index, item);
  if (!key) return undefined;
  const projected = projectItem(index, item);
  return { key, item: projected, size: measureItem(projected) };
}

function put(storage: Storage, { sqlTable }: Index, itemKey: EncodedKey, { key, item, size }: Entry): void {
  storage
    .prepare(
      `INSERT OR REPLACE INTO ${sqlTable} (hash, pk, sk, item_pk, item_sk, size, item) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run([key.hash, key.pk, key.sk, itemKey.pk, itemKey.sk, size, JSON.stringify(item)]);
}

function remove(storage: Storage, { sqlTable }: Index, itemKey: EncodedKey, { key }: Entry): void {
  storage
    .prepare(`DELETE FROM ${sqlTable} WHERE hash = ? AND pk = ? AND sk = ? AND item_pk = ? AND item_sk = ?`)
    .run([key.hash, key.pk, key.sk, itemKey.pk, itemKey.sk]);
}

function isSameKey(one: EncodedKey, two: EncodedKey): boolean {
  return one.hash === two.hash && one.pk.equals(two.pk) && one.sk.equals(two.sk);
}
