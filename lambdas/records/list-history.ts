import type { CursorSeal } from './cursor.ts';
import { type DeletedRecords, findRecord } from './find-record.ts';
import type { ItemStore } from './item-store.ts';
import { nextPage } from './parts.ts';
import type { HistoryEntry } from './record.ts';
import { history, toHistoryEntry } from './record-item.ts';

export interface HistoryQuery {
  id: string;
  limit: number;
  cursor?: string | undefined;
  deleted: DeletedRecords;
}

/** The changes of a record, oldest first. There is one per version, so the version is their number. */
export async function listHistory(
  store: Pick<ItemStore, 'get' | 'range'>,
  seal: CursorSeal,
  { id, limit, cursor, deleted }: HistoryQuery,
): Promise<{ data: HistoryEntry[]; next_cursor?: string; total: number }> {
  const list = `history of ${id}`;
  const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
  const [record, items] = await Promise.all([
    findRecord(store, id, deleted),
    store.range({ pk: id, prefix: history.prefix, ...after }, limit + 1),
  ]);
  return {
    data: items.slice(0, limit).map(toHistoryEntry),
    ...nextPage(items, limit, seal, list),
    total: record.version,
  };
}
