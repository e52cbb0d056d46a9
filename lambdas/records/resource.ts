import { apiPrefixes, stageName } from '../../contract/addresses.ts';
import { etagOf } from './etag.ts';
import type { RecordType, StoredRecord } from './record.ts';

/** A kind of record that callers create, read, change and delete. */
export interface Resource<Document, Shown> extends RecordType<Document> {
  /** Where its records are, below the root of the interface. */
  collection: string;
  /** What callers see of a record. */
  show(record: StoredRecord<Document>): Shown;
}

export interface RecordAnswer<Shown> {
  headers: { ETag: string };
  body: Shown;
}

/** What every operation on a single record answers with. */
export function recordAnswer<Document, Shown>(
  { show }: Pick<Resource<Document, Shown>, 'show'>,
  record: StoredRecord<Document>,
): RecordAnswer<Shown> {
  return { headers: { ETag: etagOf(record) }, body: show(record) };
}

export function createdAnswer<Document, Shown>(
  resource: Pick<Resource<Document, Shown>, 'show' | 'collection'>,
  record: StoredRecord<Document>,
) {
  const { headers, body } = recordAnswer(resource, record);
  const Location = locationOf(resource.collection, record.id);
  return { status: 201 as const, headers: { ...headers, Location }, body };
}

/** The address of one thing of a collection. */
export function locationOf(collection: string, id: string): string {
  return `/${stageName}${apiPrefixes[0]}/${collection}/${id}`;
}

/** What is known of a record around its document. */
export type FromRecord = 'id' | 'number' | 'deleted' | 'created_at' | 'updated_at';

/** A record whose whole document is for callers. */
export function showWhole<Document extends object>({
  id,
  document,
  deleted,
  created_at,
  updated_at,
}: StoredRecord<Document>) {
  return { id, number: id, ...document, deleted, created_at, updated_at };
}
