import { idPatterns } from '../../contract/ids.ts';
import { hasRole } from '../../contract/roles.ts';
import type { NoteAttachment, NoteRequest, RecordNote, WorkNote, WorkNoteCreation } from '../../contract/work-notes.ts';
import type { Caller } from '../platform/caller.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { newId } from '../platform/ids.ts';
import { invalidField, ServiceError } from '../platform/service-error.ts';
import { buildAttachmentLinks, findAttachment, toNoteAttachment } from './attachment-items.ts';
import { findRecord, notFound } from './change-record.ts';
import { type IdempotencyHeaders, toIdempotentRequest, writeOnce } from './idempotency.ts';
import type { ItemStore } from './item-store.ts';
import { type Item, readString } from './items.ts';
import { readLogPage } from './log-page.ts';
import type { CursorSeal } from './page.ts';
import type { Range } from './read-items.ts';
import { buildNoteCountUpdate, toItemKey } from './record-item.ts';
import { parseDocument } from './stored-document.ts';
import type { PutWrite } from './write-items.ts';

// Notes of a record of any kind. Notes of incidents name it `incident_id`, as the interface says; all others `record_id`.

export type Note = WorkNote | RecordNote;

interface CreateInput {
  params: { id: string };
  body: NoteRequest;
  headers: IdempotencyHeaders;
}

/**
 * Adds a note. One transaction writes it and its count, and its condition checks that the record exists. `operation` scopes
 * the idempotency keys.
 */
export function createNote<Kind extends Note>(
  operation: string,
  store: Pick<ItemStore, 'get' | 'transact'>,
  assertMayAdd: (id: string, caller: Caller) => Promise<void> = async () => {},
) {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  return async (
    { params: { id }, body, headers }: CreateInput,
    { caller, clock }: { caller: Caller; clock: Clock },
  ) => {
    await assertMayAdd(id, caller);
    const nowMs = clock.now();
    return writeOnce(store, toIdempotentRequest(operation, caller, headers, { id, body }), nowMs, async () => {
      const { attachment_ids, ...creation } = body;
      const files = await readFiles(store, attachment_ids, nowMs);
      const uploaded = files.map((file) => toNoteAttachment(file, ALLOWED_ORIGIN));
      const attachments = [...creation.attachments, ...uploaded];
      const note = newNote<Kind>(id, { ...creation, attachments }, caller.email, nowMs);
      const links = buildAttachmentLinks(attachment_ids, id, note);
      const count = buildNoteCountUpdate(id, { notes: 1, private: note.visibility === 'private' ? 1 : 0 }, nowMs);
      const onConditionFailed = (by: string) => {
        if (by === 'record') throw notFound(id);
        if (by === 'attachment_ids') throw unknownFile();
      };
      const writes = [count, toNoteWrite(note), ...links];
      return { writes, response: { status: 201 as const, body: note }, onConditionFailed };
    });
  };
}

async function readFiles(store: Pick<ItemStore, 'get'>, ids: readonly string[], nowMs: number) {
  const files = await Promise.all(ids.map((id) => findAttachment(store, id, nowMs)));
  return files.map((file) => {
    if (!file) throw unknownFile();
    return file;
  });
}

function unknownFile() {
  return invalidField('attachment_ids', 'must be uploaded files of this record that no other note has');
}

/** Lets viewers add notes only to records that they created or that are for them. */
export function ownersOnly(store: Pick<ItemStore, 'get'>) {
  return async (id: string, { roles, email }: Caller): Promise<void> => {
    if (hasRole(roles, 'itsm_agent')) return;
    const { document } = await findRecord<Owned>(store, id);
    if ([document.opened_by, document.requested_by, document.requested_for].includes(email)) return;
    throw new ServiceError('forbidden', 'Adding a note to a record of somebody else requires the role itsm_agent.');
  };
}

interface Owned {
  opened_by?: string;
  requested_by?: string;
  requested_for?: string | null;
}

interface ListInput {
  params: { id: string };
  query: { limit: number; cursor?: string | undefined };
}

/** Only the author and managers see a private note; for others it is not part of the list or the total. */
export function listNotes<Kind extends Note>(store: Pick<ItemStore, 'get' | 'slice'>, seal: CursorSeal) {
  return async ({ params: { id }, query }: ListInput, { caller }: { caller: Caller }) => {
    const visible: Range = { pk: id, prefix: notePrefix, ...toVisibilityFilter(caller) };
    const found = findRecord(store, id);
    const findTotal = async () => {
      const { notes_count, private_notes_count } = await found;
      return visible.filter === undefined || private_notes_count === 0 ? notes_count : undefined;
    };
    const log = { list: `notes of ${id}`, groups: [[visible]], findTotal };
    const [{ items, rest }] = await Promise.all([readLogPage(store, seal, log, query), found]);
    return { status: 200 as const, body: { data: items.map((item) => toNote<Kind>(item)), ...rest } };
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

// Notes are items in the partition of their record, in the order of creation.

export const notePrefix = 'note#';

export function newNote<Kind extends Note>(
  recordId: string,
  creation: Omit<WorkNoteCreation, 'attachments'> & { attachments: readonly NoteAttachment[] },
  author: string,
  nowMs: number,
): Kind {
  return { id: newId('note'), ...toNoteSubject(recordId), author, created_at: toIso(nowMs), ...creation } as Kind;
}

export function toNoteSubject(recordId: string) {
  return idPatterns.incident.test(recordId) ? { incident_id: recordId } : { record_id: recordId };
}

export function getNotedRecord(note: Note): string {
  return 'incident_id' in note ? note.incident_id : note.record_id;
}

/** Author and visibility are also attributes, because the query filters by them. */
export function toNoteWrite(note: Note): PutWrite {
  const put = {
    Item: {
      ...toItemKey(getNotedRecord(note), `${notePrefix}${note.created_at}#${note.id}`),
      type: { S: 'note' },
      author: { S: note.author },
      visibility: { S: note.visibility },
      document: { S: JSON.stringify(note) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'note', put };
}

export function toNote<Kind extends Note>(item: Item): Kind {
  return parseDocument('note', readString(item, 'document'));
}
