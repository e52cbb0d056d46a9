import type { Caller } from '../platform/caller.ts';
import type { CursorSeal } from './cursor.ts';
import { deletedRecordsFor, findRecord } from './find-record.ts';
import type { ItemStore } from './item-store.ts';
import { cutPage, maxPageBytes } from './page.ts';
import { history, toHistoryEntry } from './record-item.ts';

interface HistoryInput {
  params: { id: string };
  query: { limit: number; cursor?: string | undefined; include_deleted: boolean };
}

/** The changes of a record of any kind, oldest first. There is one per version, so the version is their number. */
export function listHistory(store: Pick<ItemStore, 'get' | 'range'>, seal: CursorSeal) {
  return async ({ params: { id }, query }: HistoryInput, { caller }: { caller: Caller }) => {
    const { limit, cursor } = query;
    const list = `history of ${id}`;
    const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
    const [record, items] = await Promise.all([
      findRecord(store, id, deletedRecordsFor(caller, query)),
      store.range({ pk: id, prefix: history.prefix, maxBytes: maxPageBytes, ...after }, limit + 1),
    ]);
    const page = cutPage(items, limit, seal, list);
    const data = page.items.map(toHistoryEntry);
    return { status: 200 as const, body: { data, ...page.next, total: record.version } };
  };
}
