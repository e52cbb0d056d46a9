import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { Caller } from '../platform/caller.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore, Range } from '../records/item-store.ts';
import { cutPage, maxPageBytes } from '../records/page.ts';
import { notePrefix, toWorkNote } from './work-note.ts';

/** Private notes are for their author and for managers; for others they are not there, nor in the total. */
export function listWorkNotes(
  store: Pick<ItemStore, 'get' | 'range' | 'count'>,
  seal: CursorSeal,
): UseCase<typeof routes.listWorkNotes> {
  return async ({ params: { id }, query: { limit, cursor } }, { caller }) => {
    const list = `notes of ${id}`;
    const visible: Range = { pk: id, prefix: notePrefix, ...visibleTo(caller) };
    const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
    const [record, items] = await Promise.all([
      findRecord(store, id),
      store.range({ ...visible, ...after, maxBytes: maxPageBytes }, limit + 1),
    ]);
    const allVisible = visible.filter === undefined || record.private_notes_count === 0;
    const total = allVisible ? record.notes_count : await store.count(visible);
    const page = cutPage(items, limit, seal, list);
    return { status: 200, body: { data: page.items.map(toWorkNote), ...page.next, total } };
  };
}

function visibleTo({ roles, email }: Caller): Pick<Range, 'filter'> {
  if (hasRole(roles, 'itsm_manager')) return {};
  return {
    filter: {
      expression: '#visibility <> :private OR #author = :me',
      names: { '#visibility': 'visibility', '#author': 'author' },
      values: { ':private': { S: 'private' }, ':me': { S: email } },
    },
  };
}
