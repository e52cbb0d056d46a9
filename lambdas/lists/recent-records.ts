import type { ReadRecord, ReadRecords } from './record-store.ts';

// The records on the pages that everybody looks at, kept as they were read. Every write of a record gives it a new key in
// the feed, and the feed is read before each page: a record whose key is still the one it was read with has not changed,
// so it need not be read again. That a record is on the page is decided by the same feed, so both are equally fresh.

export interface RecentRecords {
  read: ReadRecords;
  /** What the feed shows of a record; to be told of every entry. */
  seen(id: string, feedKey: string): void;
}

/** What their documents may take as JSON; as objects they take about three times as much. */
const mostBytes = 4_000_000;

export function recentRecords(read: ReadRecords, limitBytes = mostBytes): RecentRecords {
  const kept = new Map<string, ReadRecord<unknown>>();
  /** What the feed showed while records were being read, which may be newer than what was read. */
  const meanwhile = new Map<string, string>();
  let reads = 0;
  let bytes = 0;

  const forget = (id: string, record: ReadRecord<unknown>) => {
    kept.delete(id);
    bytes -= record.bytes;
  };

  const keep = (record: ReadRecord<unknown>) => {
    const { id } = record.record;
    const before = kept.get(id);
    if (before) forget(id, before);
    const newest = meanwhile.get(id);
    if ((newest !== undefined && newest !== record.feedKey) || record.bytes > limitBytes / 4) return;
    kept.set(id, record);
    bytes += record.bytes;
    for (const [oldest, each] of kept) {
      if (bytes <= limitBytes) return;
      forget(oldest, each);
    }
  };

  const fetch = async (ids: readonly string[]): Promise<ReadRecord<unknown>[]> => {
    if (ids.length === 0) return [];
    reads++;
    try {
      const records = await read<unknown>(ids);
      for (const record of records) keep(record);
      return records;
    } finally {
      reads--;
      if (reads === 0) meanwhile.clear();
    }
  };

  return {
    read: async <Document>(ids: readonly string[]) => {
      const here = new Map(ids.flatMap((id) => (kept.has(id) ? [[id, kept.get(id)!] as const] : [])));
      for (const [id, record] of here) {
        // The least recently used is the first to go.
        kept.delete(id);
        kept.set(id, record);
      }
      const fetched = await fetch(ids.filter((id) => !here.has(id)));
      for (const record of fetched) here.set(record.record.id, record);
      return ids.flatMap((id) => here.get(id) ?? []) as ReadRecord<Document>[];
    },
    seen(id, feedKey) {
      const record = kept.get(id);
      if (record && record.feedKey !== feedKey) forget(id, record);
      if (reads > 0) meanwhile.set(id, feedKey);
    },
  };
}
