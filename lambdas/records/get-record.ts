import type { Caller } from '../platform/caller.ts';
import { etagOf, isUnchanged } from './etag.ts';
import { deletedRecordsFor, findRecord, notFound } from './find-record.ts';
import type { ItemStore } from './item-store.ts';
import type { StoredRecord } from './record.ts';
import { type Resource, recordAnswer } from './resource.ts';

interface GetInput {
  params: { id: string };
  query: { include_deleted: boolean };
  headers: { 'If-None-Match'?: string | undefined };
}

/** The use case behind every operation that reads one record. What a caller may not read does not exist for it. */
export function getRecord<Document, Shown>(
  store: Pick<ItemStore, 'get'>,
  resource: Pick<Resource<Document, Shown>, 'show'>,
  mayRead: (record: StoredRecord<Document>, caller: Caller) => boolean = () => true,
) {
  return async ({ params, query, headers }: GetInput, { caller }: { caller: Caller }) => {
    const record = await findRecord<Document>(store, params.id, deletedRecordsFor(caller, query));
    if (!mayRead(record, caller)) throw notFound(params.id);
    if (isUnchanged(headers['If-None-Match'], record)) {
      return { status: 304 as const, headers: { ETag: etagOf(record) } };
    }
    return { status: 200 as const, ...recordAnswer(resource, record) };
  };
}
