import type { originKinds } from '../../contract/records.ts';
import type { Caller } from '../platform/caller.ts';

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
