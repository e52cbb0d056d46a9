// A record type for tests, and a store with scripted responses.

import { diffFields } from '../../../lambdas/records/change-record.ts';
import type { ItemStore } from '../../../lambdas/records/item-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import {
  type Author,
  createFirstVersion,
  type RecordType,
  type StoredRecord,
} from '../../../lambdas/records/record.ts';
import { buildInsert } from '../../../lambdas/records/record-item.ts';
import type { Outcome, Write } from '../../../lambdas/records/write-items.ts';

export interface Thing {
  name: string;
  colour: string | null;
}

export const thingType: RecordType<Thing> = {
  name: 'thing',
  listing: ({ document }) => Buffer.from(document.name),
  indexKeys: ({ document }) => ({ colour_pk: document.colour }),
  changes: diffFields,
};

export const author: Author = { actor: 'ada@example.com', origin: { kind: 'api', id: null } };

export const noWait = async () => {};

export function aThing(more: Partial<StoredRecord<Thing>> = {}): StoredRecord<Thing> {
  return { ...createFirstVersion('THG0000001', { name: 'lamp', colour: null }, 1_000), ...more };
}

/** Converts a record to its stored item, without recent history. */
export function toItem(record: StoredRecord<Thing>): Item {
  const { recent: _, ...item } = toInsertedItem(record);
  return item;
}

export function toInsertedItem(record: StoredRecord<Thing>): Item {
  const [write] = buildInsert(thingType, record, author);
  return (write as { put: { Item: Item } }).put.Item;
}

export interface ScriptedStore extends Pick<ItemStore, 'get' | 'transact'> {
  reads: number;
  transactions: (readonly Write[])[];
}

/** Holds one record. Transactions return the given outcomes in turn, then `written`. */
export function scriptedStore(record: StoredRecord<Thing> | undefined, outcomes: Outcome[] = []): ScriptedStore {
  return {
    reads: 0,
    transactions: [],
    async get() {
      this.reads++;
      return record && toItem(record);
    },
    async transact(writes) {
      this.transactions.push(writes);
      return outcomes[this.transactions.length - 1] ?? { kind: 'written' };
    },
  };
}
