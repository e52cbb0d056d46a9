import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { WorkNote, WorkNoteCreation } from '../../contract/work-notes.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { findRecord, notFound } from '../records/change-record.ts';
import { toIdempotentRequest, writeOnce } from '../records/idempotency.ts';
import { type Item, type ItemStore, type Range, readString, type Write } from '../records/item-store.ts';
import { readLogPage } from '../records/log-page.ts';
import type { CursorSeal } from '../records/page.ts';
import { buildNoteCountUpdate, toItemKey } from '../records/record-item.ts';
import { parseDocument } from '../records/stored-document.ts';

/** One transaction writes the note and its count. Its condition also checks that the incident exists. */
export function createWorkNote(store: Pick<ItemStore, 'transact'>): UseCase<typeof routes.createWorkNote> {
  return ({ params: { id }, body, headers }, { caller, clock }) => {
    const nowMs = clock.now();
    return writeOnce(store, toIdempotentRequest('createWorkNote', caller, headers, { id, body }), nowMs, () => {
      const note = newWorkNote(id, body, caller.email, nowMs);
      const count = buildNoteCountUpdate(id, { notes: 1, private: note.visibility === 'private' ? 1 : 0 }, nowMs);
      const onConditionFailed = (by: string) => {
        if (by === 'record') throw notFound(id);
      };
      return { writes: [count, toNoteWrite(note)], response: { status: 201 as const, body: note }, onConditionFailed };
    });
  };
}

/** Only the author and managers see a private note; for others it is not part of the list or the total. */
export function listWorkNotes(
  store: Pick<ItemStore, 'get' | 'slice'>,
  seal: CursorSeal,
): UseCase<typeof routes.listWorkNotes> {
  return async ({ params: { id }, query }, { caller }) => {
    const visible: Range = { pk: id, prefix: notePrefix, ...toVisibilityFilter(caller) };
    const found = findRecord(store, id);
    const findTotal = async () => {
      const { notes_count, private_notes_count } = await found;
      return visible.filter === undefined || private_notes_count === 0 ? notes_count : undefined;
    };
    const log = { list: `notes of ${id}`, groups: [[visible]], findTotal };
    const [{ items, rest }] = await Promise.all([readLogPage(store, seal, log, query), found]);
    return { status: 200, body: { data: items.map(toWorkNote), ...rest } };
  };
}

function toVisibilityFilter({ roles, email }: Caller): Pick<Range, 'filter'> {
  if (hasRole(roles, 'itsm_manager')) return {};
  return {
    filter: {
      expression: '#visibility <> :private OR #author = :me',
      names: { '#visibility': 'visibility', '#author': 'author' },
      values: { ':private': { S: 'private' }, ':me': { S: email } },
    },
  };
}

// Notes are items in the partition of their incident, in the order of creation.

export const notePrefix = 'note#';

export function newWorkNote(incidentId: string, creation: WorkNoteCreation, author: string, nowMs: number): WorkNote {
  return {
    id: newId('note'),
    incident_id: incidentId,
    author,
    created_at: toIso(nowMs),
    ...creation,
  };
}

/** Author and visibility are also attributes, because the query filters by them. */
export function toNoteWrite(note: WorkNote): Write {
  const put = {
    Item: {
      ...toItemKey(note.incident_id, `${notePrefix}${note.created_at}#${note.id}`),
      type: { S: 'note' },
      author: { S: note.author },
      visibility: { S: note.visibility },
      document: { S: JSON.stringify(note) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'note', put };
}

export function toWorkNote(item: Item): WorkNote {
  return parseDocument('note', readString(item, 'document'));
}
