import { LRUCache } from 'lru-cache';
import { createHiddenFinder, type FindDeleted, type FindHidden } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import type { StoredRecord } from '../records/record.ts';
import { recordSortKey, toItemKey, toRecord } from '../records/record-item.ts';
import { createRecordStore } from '../records/wiring.ts';

// | Access pattern    | Call         | Key                         |
// |-------------------|--------------|-----------------------------|
// | a page of records | BatchGetItem | pk = id, sk = # for each id |
// | deleted records   | BatchGetItem | pk = id, sk = # for each id |

export interface ReadRecord<Document> {
  record: StoredRecord<Document>;
  /** The size of its texts as JSON. */
  bytes: number;
  /** Its feed key when it was read; every write changes it. */
  feedKey: string;
}

/** Reads the current records in the order of the ids, without deleted ones. */
export type ReadRecords = <Document>(ids: readonly string[]) => Promise<ReadRecord<Document>[]>;

export function createHiddenRecordFinder(): FindHidden {
  return createHiddenFinder(createDeletedFinder(createRecordStore()));
}

/** Consistent, because records must not be older than the list's replica. */
export function createRecordReader(store: Pick<ItemStore, 'getMany'> = createRecordStore()): ReadRecords {
  return async <Document>(ids: readonly string[]) => {
    const items = await readItems(store, ids, attributes);
    return ids.flatMap((id) => {
      const item = items.get(id);
      if (!item || !isPresent(item)) return [];
      return [{ record: toRecord<Document>(item), bytes: measureRecord(item), feedKey: readString(item, 'feed_sk') }];
    });
  };
}

function measureRecord({ document, suggested_resolution }: Item): number {
  const suggestion = suggested_resolution ? JSON.stringify(suggested_resolution.S) : '';
  return Buffer.byteLength(document?.S ?? '') + Buffer.byteLength(suggestion);
}

/** Reads only whether the records are deleted. */
function createDeletedFinder(store: Pick<ItemStore, 'getMany'>): FindDeleted {
  return async (ids) => {
    const items = await readItems(store, ids, ['pk', 'deleted']);
    return new Set(ids.filter((id) => !isPresent(items.get(id))));
  };
}

function isPresent(item: Item | undefined): boolean {
  return item !== undefined && item.deleted?.BOOL !== true;
}

async function readItems(
  store: Pick<ItemStore, 'getMany'>,
  ids: readonly string[],
  attributes: readonly string[],
): Promise<Map<string, Item>> {
  const keys = ids.map((id) => toItemKey(id, recordSortKey));
  return new Map((await store.getMany(keys, attributes)).map((item) => [readString(item, 'pk'), item]));
}

const attributes = [
  'pk',
  'type',
  'version',
  'created_at',
  'updated_at',
  'deleted',
  'notes_count',
  'private_notes_count',
  'suggested_resolution',
  'document',
  'feed_sk',
];

// Caches the records on popular pages. Every write changes a record's feed key, and the feed is read before
// each page, so a cached record with the current feed key is up to date.

export interface RecordCache {
  read: ReadRecords;
  /** Must be called for every feed entry. */
  onFeedEntry(id: string, feedKey: string): void;
}

/** Total size of cached documents as JSON; as objects they take about three times as much memory. */
const maxCachedBytes = 4_000_000;

export function createRecordCache(read: ReadRecords, limitBytes = maxCachedBytes): RecordCache {
  const cached = new LRUCache<string, ReadRecord<unknown>>({
    maxSize: limitBytes,
    maxEntrySize: Math.floor(limitBytes / 4),
    sizeCalculation: ({ bytes }) => bytes,
  });
  /** Feed keys seen while records were being read, which may be newer than the read records. */
  const newFeedKeys = new Map<string, string>();
  let reads = 0;

  const cache = (record: ReadRecord<unknown>) => {
    const { id } = record.record;
    const newest = newFeedKeys.get(id);
    if (newest === undefined || newest === record.feedKey) cached.set(id, record);
    else cached.delete(id);
  };

  const fetch = async (ids: readonly string[]): Promise<ReadRecord<unknown>[]> => {
    if (ids.length === 0) return [];
    reads++;
    try {
      const records = await read<unknown>(ids);
      for (const record of records) cache(record);
      return records;
    } finally {
      reads--;
      if (reads === 0) newFeedKeys.clear();
    }
  };

  return {
    read: async <Document>(ids: readonly string[]) => {
      const here = new Map<string, ReadRecord<unknown>>();
      for (const id of ids) {
        const record = cached.get(id);
        if (record) here.set(id, record);
      }
      const fetched = await fetch(ids.filter((id) => !here.has(id)));
      for (const record of fetched) here.set(record.record.id, record);
      return ids.flatMap((id) => here.get(id) ?? []) as ReadRecord<Document>[];
    },
    onFeedEntry(id, feedKey) {
      const record = cached.peek(id);
      if (record && record.feedKey !== feedKey) cached.delete(id);
      if (reads > 0) newFeedKeys.set(id, feedKey);
    },
  };
}
