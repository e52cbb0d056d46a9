import { apiPrefixes, stageName } from '../../contract/http.ts';
import type { originKinds } from '../../contract/records.ts';
import type { LinkSide } from '../../contract/states.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { ServiceError } from '../platform/service-error.ts';

// The stored form of a record of any type. Fields of one type are in its document; everything else is common to all
// types.

export interface StoredRecord<Document> {
  id: string;
  /** Starts at 1. Every change of the document, and the deletion, increments it and adds a history entry. */
  version: number;
  created_at: string;
  /** Increases with every version, even when clocks of different machines disagree. */
  updated_at: string;
  deleted: boolean;
  /** Changes without a new version, so that a note does not conflict with an edit. */
  notes_count: number;
  private_notes_count: number;
  /** Written by the service itself, without a new version for the same reason. */
  suggested_resolution?: string;
  /** JSON of the newest history entries, which have no item of their own (history.ts). */
  recent_history?: string;
  document: Document;
}

/** As stored in a document. */
export interface StoredLink {
  type: LinkSide;
  id: string;
  at: string;
  by: string;
}

/** The part of a document that has links. Records without links lack it. */
export interface Linked {
  links?: readonly StoredLink[];
}

/** The origin of a write. Consumers of events use it to ignore their own writes. */
export interface Origin {
  kind: (typeof originKinds)[number];
  /** The id of the job or webhook; null for other kinds. */
  id: string | null;
}

export interface Author {
  actor: string;
  origin: Origin;
  /** The API client that sent the request, if any. Webhooks of the same client are not notified. */
  client?: string;
  /** The address that the request came from, for the audit log. Absent in writes of the service itself. */
  sourceIp?: string | undefined;
}

export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>;

export interface HistoryEntry extends Pick<Author, 'actor' | 'origin'> {
  version: number;
  at: string;
  changes: Changes;
}

/** The properties of a record type that the record operations need. */
export interface RecordType<Document> {
  /** Prefix of the feed's partitions. */
  name: string;
  /** Loads what the other functions need to know about a record. */
  prepare?(record: StoredRecord<Document>): Promise<void>;
  /** The fields that lists need; see lambdas/lists. */
  listing(record: StoredRecord<Document>): Uint8Array;
  /** Keys of sparse indexes; null removes the record from the index. */
  indexKeys(record: StoredRecord<Document>): Readonly<Record<string, string | null>>;
  /** The changes for the history. */
  changes(before: Document, after: Document): Changes;
}

export function createFirstVersion<Document>(id: string, document: Document, nowMs: number): StoredRecord<Document> {
  const at = toIso(nowMs);
  const counts = { notes_count: 0, private_notes_count: 0 };
  return { id, version: 1, created_at: at, updated_at: at, deleted: false, ...counts, document };
}

export function toApiAuthor({ email, kind, clientId, sourceIp }: Caller): Author {
  return { actor: email, origin: { kind: 'api', id: null }, sourceIp, ...(kind === 'client' && { client: clientId }) };
}

/** A record type with an HTTP collection. */
export interface Resource<Document, View> extends RecordType<Document> {
  /** Path below the API's root. */
  collection: string;
  toResponse(record: StoredRecord<Document>): View;
}

export interface RecordResponse<View> {
  headers: { ETag: string };
  body: View;
}

export function toRecordResponse<Document, View>(
  { toResponse }: Pick<Resource<Document, View>, 'toResponse'>,
  record: StoredRecord<Document>,
): RecordResponse<View> {
  return { headers: { ETag: toEtag(record) }, body: toResponse(record) };
}

export function toCreatedResponse<Document, View>(
  resource: Pick<Resource<Document, View>, 'toResponse' | 'collection'>,
  record: StoredRecord<Document>,
) {
  const { headers, body } = toRecordResponse(resource, record);
  const Location = toLocation(resource.collection, record.id);
  return { status: 201 as const, headers: { ...headers, Location }, body };
}

export function toLocation(collection: string, id: string): string {
  return `/${stageName}${apiPrefixes[0]}/${collection}/${id}`;
}

/** The fields of a response that come from the record and not from its document. */
export type FromRecord = 'id' | 'number' | 'deleted' | 'created_at' | 'updated_at';

/** For record types whose whole document is part of the response, except its links, which have their own operation. */
export function toDocumentResponse<Document extends object>({
  id,
  document,
  deleted,
  created_at,
  updated_at,
}: StoredRecord<Document>) {
  const { links: _, ...fields } = document as Document & { links?: unknown };
  return { id, number: id, ...(fields as Document), deleted, created_at, updated_at };
}

// An ETag is "<version>-<notes>", plus "-s" when there is a suggested resolution. These determine the whole response,
// so it is a strong ETag. If-None-Match compares all of it. If-Match compares only the version, because a new note does
// not conflict with edits of fields (docs/decisions/0007-versions-and-idempotency.md).

type Versioned = Pick<StoredRecord<unknown>, 'version' | 'notes_count' | 'suggested_resolution'>;

export function toEtag({ version, notes_count, suggested_resolution }: Versioned): string {
  return `"${version}-${notes_count}${suggested_resolution === undefined ? '' : '-s'}"`;
}

export function assertEtagMatches(ifMatch: string | undefined, record: Versioned): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = parseTags(ifMatch).map((tag) => /^"(\d+)-\d+(?:-s)?"$/.exec(tag)?.[1]);
  if (versions.includes(String(record.version))) return;
  throw new ServiceError('precondition_failed', `The record has changed; its ETag is now ${toEtag(record)}.`, {
    headers: { ETag: toEtag(record) },
  });
}

/** If-None-Match uses the weak comparison of RFC 9110. */
export function isNotModified(ifNoneMatch: string | undefined, record: Versioned): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === toEtag(record));
}

function parseTags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
