import type { FieldProblem } from '../../contract/errors.ts';
import type { IdKind } from '../../contract/ids.ts';
import type { Past } from '../../contract/record-imports.ts';
import { toIso } from '../platform/clock.ts';
import { deriveId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { buildHistoryWrites, createHistoryEntry } from './history.ts';
import type { ItemStore } from './item-store.ts';
import { readString } from './items.ts';
import { type Note, toNoteSubject, toNoteWrite } from './notes.ts';
import type { Author, HistoryEntry, RecordType, StoredRecord } from './record.ts';
import { silentImport } from './record-change.ts';
import { buildNoteCountUpdate, buildPastInsert, recordSortKey, toItemKey } from './record-item.ts';
import type { Write } from './write-items.ts';

// Imports a record of any kind with its past (docs/decisions/0140-faithful-import.md). The external id has an item of its own,
// whose condition makes a second import harmless. Notes beyond the first transaction have derived ids, so that a repeated
// attempt adds each of them once.

/** How records of one kind are imported. */
export interface ImportRules<Given extends Past, Document> {
  kind: IdKind;
  resource: RecordType<Document>;
  toDocument(given: ImportedFields<Given>, nowMs: number): Document | Promise<Document>;
}

/** With the defaults that depend on the import. */
export type ImportedFields<Given extends Past> = Given & { opened_by: string; created_at: string; updated_at: string };

export interface ImportTarget {
  id: string;
  author: Author;
  nowMs: number;
  /** Emits no events and notifies nobody. */
  isSilent: boolean;
}

/** A transaction has at most 100 items; the history of a request of 1 MB takes about 40. */
const maxNotesPerBatch = 50;

/** Transactions in their order. The last one is written with the result. */
export async function buildImport<Given extends Past, Document>(
  { kind, resource, toDocument }: ImportRules<Given, Document>,
  given: Given,
  { id, author, nowMs, isSilent }: ImportTarget,
): Promise<Write[][]> {
  const now = toIso(nowMs);
  const { external_id, notes, history, opened_by = author.actor, created_at = now } = given;
  const { updated_at = findLatestTime(given, created_at) } = given;
  const workNotes = notes.map((note, index) => ({
    ...note,
    id: note.id ?? toNoteId(id, index),
    ...toNoteSubject(id),
    author: note.author ?? author.actor,
    created_at: note.created_at ?? now,
  }));
  const [first = [], ...rest] = splitNotes(workNotes);
  const record: StoredRecord<Document> = {
    id,
    version: history.length + 1,
    created_at,
    updated_at,
    deleted: false,
    ...countNotes(first),
    document: await toDocument({ ...given, opened_by, created_at, updated_at }, nowMs),
  };
  const entries = history.map(
    (entry, index): HistoryEntry => ({ version: index + 1, origin: author.origin, ...entry }) as HistoryEntry,
  );
  const imported = createHistoryEntry({ ...record, updated_at: now }, author, {});
  const added = isSilent ? silentImport : {};
  const toNoteWrites = (some: readonly Note[]): Write[] =>
    some.map((note) => {
      const { name, put } = toNoteWrite(note);
      return { name, put: { ...put, Item: { ...put.Item, ...added } } };
    });
  return [
    [
      ...buildPastInsert(resource, record, author, imported, nowMs, added),
      ...buildHistoryWrites(id, entries),
      ...(external_id === null ? [] : [buildExternalIdWrite(kind, external_id, id)]),
      ...toNoteWrites(first),
    ],
    ...rest.map((some) => {
      const { notes_count, private_notes_count } = countNotes(some);
      const counts = { notes: notes_count, private: private_notes_count };
      return [...toNoteWrites(some), buildNoteCountUpdate(id, counts, nowMs)];
    }),
  ];
}

/** The record that an earlier import created. Rejects an id that another record has. */
export async function findImported(
  store: Pick<ItemStore, 'get'>,
  kind: IdKind,
  { id, external_id, created_at }: Past,
): Promise<string | undefined> {
  const known = external_id === null ? undefined : await store.get(toExternalKey(kind, external_id), recordSortKey);
  if (known) return readString(known, 'record_id');
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  if (!item) return undefined;
  if (item.created_at?.S === created_at) return id;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: [{ field: 'id', message: `belongs to another ${kind}; leave it out to get a new one` }] },
  });
}

const times = ['updated_at', 'acknowledged_at', 'resolved_at', 'closed_at'];

/** The rules that need a clock or several dates. Reads what is valid, so that all problems appear together. */
export function findTimeProblems(given: unknown, nowMs: number): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const record = readObject(given);
  const createdMs = parseTime(record.created_at);
  const check = (field: string, value: unknown, isAfterCreation: boolean) => {
    const atMs = parseTime(value);
    if (atMs > nowMs) problems.push({ field, message: 'must not be in the future' });
    if (isAfterCreation && atMs < createdMs) problems.push({ field, message: 'must not be before created_at' });
  };
  check('created_at', record.created_at, false);
  for (const field of times) check(field, record[field], true);
  const lists = { notes: 'created_at', history: 'at' } as const;
  for (const [list, time] of Object.entries(lists)) {
    const entries = Array.isArray(record[list]) ? record[list] : [];
    for (const [index, entry] of entries.entries()) check(`${list}[${index}].${time}`, readObject(entry)[time], false);
  }
  return problems;
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** NaN, which compares as false, for a value that the schema rejects or that is absent. */
function parseTime(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function findLatestTime(given: Past, created: string): string {
  const own = times.map((field) => readObject(given)[field]);
  const found = [...own, given.history.at(-1)?.at, ...given.notes.map((note) => note.created_at)];
  return found.reduce<string>((latest, time) => (typeof time === 'string' && time > latest ? time : latest), created);
}

function toExternalKey(kind: IdKind, externalId: string): string {
  return `external#${kind}#${externalId}`;
}

function buildExternalIdWrite(kind: IdKind, externalId: string, id: string): Write {
  const put = {
    Item: { ...toItemKey(toExternalKey(kind, externalId), recordSortKey), record_id: { S: id } },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'external_id', put };
}

const indexDigits = 4;

/** Notes of the same time are listed by id, so the id begins with the position. */
function toNoteId(recordId: string, index: number): string {
  const derived = deriveId('note', `${recordId} ${index}`);
  const start = derived.indexOf('_') + 1;
  return derived.slice(0, start) + String(index).padStart(indexDigits, '0') + derived.slice(start + indexDigits);
}

function splitNotes<Note>(notes: readonly Note[]): Note[][] {
  return Array.from({ length: Math.ceil(notes.length / maxNotesPerBatch) }, (_, batch) =>
    notes.slice(batch * maxNotesPerBatch, (batch + 1) * maxNotesPerBatch),
  );
}

function countNotes(notes: readonly { visibility: string }[]) {
  const hidden = notes.filter(({ visibility }) => visibility === 'private').length;
  return { notes_count: notes.length, private_notes_count: hidden };
}
