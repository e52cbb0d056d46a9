import type { IdKind } from '../../contract/ids.ts';
import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { type Change, type Changer, findRecord, getDeletedVisibility, notFound } from './change-record.ts';
import { historyPrefix, readHistory, toHistoryKey } from './history.ts';
import { type IdempotencyHeaders, toIdempotentRequest, writeOnce } from './idempotency.ts';
import type { ItemStore } from './item-store.ts';
import type { CursorSeal } from './page.ts';
import {
  type Author,
  createFirstVersion,
  isNotModified,
  type RecordType,
  type Resource,
  type StoredRecord,
  toApiAuthor,
  toCreatedResponse,
  toEtag,
  toRecordResponse,
} from './record.ts';
import { buildInsert } from './record-item.ts';
import type { Write } from './write-items.ts';

/** A new record and all writes that create it. The write named `record` fails when the id is taken. */
export interface NewRecord<Document> {
  record: StoredRecord<Document>;
  writes: readonly Write[];
}

export function draftRecord<Document>(
  type: RecordType<Document>,
  kind: IdKind,
  document: Document,
  author: Author,
  nowMs: number,
): NewRecord<Document> {
  const record = createFirstVersion(newId(kind), document, nowMs);
  return { record, writes: buildInsert(type, record, author) };
}

/** Creates a record. `operation` scopes the idempotency keys. */
export function createRecord<Document, View, Body>(
  operation: string,
  store: Pick<ItemStore, 'transact'>,
  resource: Resource<Document, View>,
  draft: (body: Body, author: Author, nowMs: number) => NewRecord<Document> | Promise<NewRecord<Document>>,
) {
  return (
    { body, headers }: { body: Body; headers: IdempotencyHeaders },
    { caller, clock }: { caller: Caller; clock: Clock },
  ) => {
    const nowMs = clock.now();
    return writeOnce(store, toIdempotentRequest(operation, caller, headers, body), nowMs, async () => {
      const { record, writes } = await draft(body, toApiAuthor(caller), nowMs);
      // The only condition is that the id is free; the next attempt uses another id.
      return { writes, response: toCreatedResponse(resource, record), onConditionFailed: () => {} };
    });
  };
}

interface GetInput {
  params: { id: string };
  query: { include_deleted: boolean };
  headers: { 'If-None-Match'?: string | undefined };
}

/** Gets a record. A record that the caller must not read does not exist for that caller. */
export function getRecord<Document, View>(
  store: Pick<ItemStore, 'get'>,
  resource: Pick<Resource<Document, View>, 'toResponse'>,
  mayRead: (record: StoredRecord<Document>, caller: Caller) => boolean = () => true,
) {
  return async ({ params, query, headers }: GetInput, { caller }: { caller: Caller }) => {
    const record = await findRecord<Document>(store, params.id, getDeletedVisibility(caller, query));
    if (!mayRead(record, caller)) throw notFound(params.id);
    if (isNotModified(headers['If-None-Match'], record)) {
      return { status: 304 as const, headers: { ETag: toEtag(record) } };
    }
    return { status: 200 as const, ...toRecordResponse(resource, record) };
  };
}

interface UpdateInput<Body> {
  params: { id: string };
  headers: { 'If-Match'?: string | undefined };
  body: Body;
}

/** Updates a record. `apply` turns the request into a change. */
export function updateRecord<Document, View, Body>(
  change: Changer<Document>,
  resource: Pick<Resource<Document, View>, 'toResponse'>,
  apply: (before: StoredRecord<Document>, body: Body, caller: Caller, nowMs: number) => Change<Document>,
  onConditionFailed?: () => never,
) {
  return async ({ params, headers, body }: UpdateInput<Body>, { caller }: { caller: Caller }) => {
    const record = await change({
      id: params.id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => apply(before, body, caller, nowMs),
      ...(onConditionFailed && { onConditionFailed }),
    });
    return { status: 200 as const, ...toRecordResponse(resource, record) };
  };
}

interface DeleteInput {
  params: { id: string };
  headers: { 'If-Match'?: string | undefined };
}

/** Deletes a record. It stays stored for audits, in its last state unless `apply` removes something. */
export function deleteRecord<Document>(
  change: Changer<Document>,
  apply: (before: StoredRecord<Document>, nowMs: number) => Change<Document> = ({ document }) => ({ document }),
  onConditionFailed?: () => never,
) {
  return async ({ params, headers }: DeleteInput, { caller }: { caller: Caller }) => {
    await change({
      id: params.id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => ({ ...apply(before, nowMs), deleted: true }),
      ...(onConditionFailed && { onConditionFailed }),
    });
    return { status: 204 as const };
  };
}

interface HistoryInput {
  params: { id: string };
  query: { limit: number; cursor?: string | undefined; include_deleted: boolean };
}

/** Lists the history of a record, oldest first. Every version has one entry, so the version is the total. */
export function listHistory<Document>(
  store: Pick<ItemStore, 'get' | 'range'>,
  type: Pick<RecordType<Document>, 'changes'>,
  seal: CursorSeal,
) {
  return async ({ params: { id }, query }: HistoryInput, { caller }: { caller: Caller }) => {
    const { limit, cursor } = query;
    const list = `history of ${id}`;
    const after = cursor === undefined ? 0 : Number(seal.open(list, cursor).slice(historyPrefix.length));
    const record = await findRecord<Document>(store, id, getDeletedVisibility(caller, query));
    const { entries, hasMore } = await readHistory(store, type, record, after, limit);
    const next = hasMore ? { next_cursor: seal.seal(list, toHistoryKey(entries.at(-1)?.version ?? after)) } : {};
    return { status: 200 as const, body: { data: [...entries], ...next, total: record.version } };
  };
}
