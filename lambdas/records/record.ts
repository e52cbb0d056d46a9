import { apiPrefixes, stageName } from '../../contract/addresses.ts';
import type { originKinds } from '../../contract/records.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';

// A record of any kind, as it is stored. What is particular to a kind of record is in its document; everything around
// it is the same for all and belongs to this folder.

export interface StoredRecord<Document> {
  id: string;
  /** Starts at 1; each change of the document, and the deletion, adds one and writes one entry of history. */
  version: number;
  created_at: string;
  /** Later with every version, whatever the clocks of different machines say. */
  updated_at: string;
  deleted: boolean;
  /** Counts without a new version, so that a note does not invalidate what somebody is editing. */
  notes_count: number;
  private_notes_count: number;
  /** Found by the service itself, and written without a new version for the same reason. */
  suggested_resolution?: string;
  document: Document;
}

/** Where a write comes from. Those who react to writes need it, or they would react to their own for ever. */
export interface Origin {
  kind: (typeof originKinds)[number];
  /** The job or the webhook; null where the kind says it all. */
  id: string | null;
}

/** Who writes, and how the write came about. */
export interface Author {
  actor: string;
  origin: Origin;
  /** The API client that asked for it, if a program did. Webhooks that belong to the client are not told of it. */
  client?: string;
}

export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>;

/** What one version changed. */
export interface HistoryEntry extends Pick<Author, 'actor' | 'origin'> {
  version: number;
  at: string;
  changes: Changes;
}

/** What the mechanism has to know of a kind of record. */
export interface RecordType<Document> {
  /** The first part of the feed's partitions. */
  name: string;
  /** What lists know of a record; see lambdas/lists. */
  listing(record: StoredRecord<Document>): Uint8Array;
  /** Keys of sparse indexes; null takes the record out of one. */
  indexKeys(record: StoredRecord<Document>): Readonly<Record<string, string | null>>;
  /** What history tells of a change. */
  changes(before: Document, after: Document): Changes;
}

export function firstVersion<Document>(id: string, document: Document, nowMs: number): StoredRecord<Document> {
  const at = new Date(nowMs).toISOString();
  const counts = { notes_count: 0, private_notes_count: 0 };
  return { id, version: 1, created_at: at, updated_at: at, deleted: false, ...counts, document };
}

/** A caller of the interface, as the author of what it writes. */
export function apiAuthor({ email, kind, clientId }: Caller): Author {
  return { actor: email, origin: { kind: 'api', id: null }, ...(kind === 'client' && { client: clientId }) };
}

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

// An ETag is "<version>-<notes>", and "-s" once a resolution was suggested: strong, since these determine everything a
// record shows. If-None-Match compares all of it. If-Match compares the version only, because a note that somebody adds
// does not touch the fields that somebody else is editing (docs/decisions/0007-versions-and-repeats.md).

type Versioned = Pick<StoredRecord<unknown>, 'version' | 'notes_count' | 'suggested_resolution'>;

export function etagOf({ version, notes_count, suggested_resolution }: Versioned): string {
  return `"${version}-${notes_count}${suggested_resolution === undefined ? '' : '-s'}"`;
}

export function assertMatches(ifMatch: string | undefined, record: Versioned): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = tagsIn(ifMatch).map((tag) => /^"(\d+)-\d+(?:-s)?"$/.exec(tag)?.[1]);
  if (versions.includes(String(record.version))) return;
  throw new ServiceError('precondition_failed', `The record has changed; its ETag is now ${etagOf(record)}.`, {
    headers: { ETag: etagOf(record) },
  });
}

/** Weak comparison, as RFC 9110 has it for If-None-Match. */
export function isUnchanged(ifNoneMatch: string | undefined, record: Versioned): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etagOf(record));
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
