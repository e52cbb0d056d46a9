// Items that were read or written a moment ago: a write that follows a read need not read again. Two generations are
// kept; what is asked for while it is in the older one moves to the younger, the rest goes.
import type { Item } from './attribute-value.ts';
import { type EncodedKey, nameOf } from './key.ts';
import type { Table } from './table.ts';

/** What is kept of an item. As objects they would take some four times as much, and what lives long is dear to collect. */
export interface ItemRow {
  rowid: number;
  text: string;
  size: number;
}

/** An item as it is stored, read into an object when somebody looks into it. */
export class StoredItem implements ItemRow {
  readonly rowid: number;
  readonly text: string;
  readonly size: number;
  #item: Item | undefined;

  constructor({ rowid, text, size }: ItemRow) {
    this.rowid = rowid;
    this.text = text;
    this.size = size;
  }

  get item(): Item {
    this.#item ??= JSON.parse(this.text) as Item;
    return this.#item;
  }
}

const generationBytes = 3_000_000;

export class RecentItems {
  private young = new Map<string, ItemRow>();
  private old = new Map<string, ItemRow>();
  private bytes = 0;

  get(table: Table, key: EncodedKey): ItemRow | undefined {
    const name = nameOf(table, key);
    const known = this.young.get(name);
    if (known) return known;
    const older = this.old.get(name);
    if (older) this.put(name, older);
    return older;
  }

  set(table: Table, key: EncodedKey, item: ItemRow): void {
    this.put(nameOf(table, key), item);
  }

  delete(table: Table, key: EncodedKey): void {
    const name = nameOf(table, key);
    this.young.delete(name);
    this.old.delete(name);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
    this.bytes = 0;
  }

  private put(name: string, item: ItemRow): void {
    this.young.set(name, item);
    this.old.delete(name);
    this.bytes += item.text.length;
    if (this.bytes < generationBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.bytes = 0;
  }
}
