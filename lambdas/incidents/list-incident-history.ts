import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { deletedRecordsFor } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { listHistory } from '../records/list-history.ts';

export function listIncidentHistory(
  store: Pick<ItemStore, 'get' | 'range'>,
  seal: CursorSeal,
): UseCase<typeof routes.listIncidentHistory> {
  return async ({ params, query }, { caller }) => {
    const { limit, cursor } = query;
    const deleted = deletedRecordsFor(caller, query);
    return { status: 200, body: await listHistory(store, seal, { id: params.id, limit, cursor, deleted }) };
  };
}
