import type { FieldProblem } from '../../contract/errors.ts';
import type { IncidentImport } from '../../contract/incident-imports.ts';
import type { IncidentState, Priority } from '../../contract/states.ts';
import { toIso } from '../platform/clock.ts';
import { deriveId, newId } from '../platform/ids.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import { buildHistoryWrites, createHistoryEntry } from '../records/history.ts';
import { type ItemStore, readString, type Write } from '../records/item-store.ts';
import { toNoteWrite } from '../records/notes.ts';
import type { Author, HistoryEntry } from '../records/record.ts';
import { silentImport } from '../records/record-change.ts';
import { buildNoteCountUpdate, buildPastInsert, recordSortKey, toItemKey } from '../records/record-item.ts';
import type { IncidentDocument, IncidentRecord, IncidentRules } from './incident.ts';

// Imports an incident with its past (docs/decisions/0140-faithful-import.md). The external id has an item of its own, whose
// condition makes a second import harmless. Notes beyond the first transaction have derived ids, so that a repeated
// attempt adds each of them once.

export interface ImportTarget {
  id: string;
  author: Author;
  nowMs: number;
  /** Emits no events and notifies nobody. */
  isSilent: boolean;
}

export interface ImportedIncident {
  id: string;
  /** Transactions in their order. The last one is written with the result. */
  batches: Write[][];
}

/** A transaction has at most 100 items; the history of a request of 1 MB takes about 40. */
const maxNotesPerBatch = 50;

export function buildIncidentImport(
  { resource, sla }: Pick<IncidentRules, 'resource' | 'sla'>,
  given: IncidentImport,
  { id, author, nowMs, isSilent }: ImportTarget,
): ImportedIncident {
  const now = toIso(nowMs);
  const { id: _, notes, history, opened_by = author.actor, created_at = now, updated_at, ...fields } = given;
  const past = { ...given, created_at, updated_at: updated_at ?? findLatestTime(given, created_at) };
  const workNotes = notes.map((note, index) => ({
    ...note,
    id: note.id ?? toNoteId(id, index),
    incident_id: id,
    author: note.author ?? author.actor,
    created_at: note.created_at ?? now,
  }));
  const [first = [], ...rest] = splitNotes(workNotes);
  const document = replayPast({ ...fields, opened_by }, past, sla, nowMs);
  const record: IncidentRecord = {
    id,
    version: history.length + 1,
    created_at,
    updated_at: past.updated_at,
    deleted: false,
    ...countNotes(first),
    document,
  };
  const entries = history.map(
    (entry, index): HistoryEntry => ({ version: index + 1, origin: author.origin, ...entry }) as HistoryEntry,
  );
  const imported = createHistoryEntry({ ...record, updated_at: now }, author, {});
  const added = isSilent ? silentImport : {};
  const toNoteWrites = (some: typeof workNotes): Write[] =>
    some.map((note) => {
      const { name, put } = toNoteWrite(note);
      return { name, put: { ...put, Item: { ...put.Item, ...added } } };
    });
  return {
    id,
    batches: [
      [
        ...buildPastInsert(resource, record, author, imported, nowMs, added),
        ...buildHistoryWrites(id, entries),
        ...(given.external_id === null ? [] : [buildExternalIdWrite(given.external_id, id)]),
        ...toNoteWrites(first),
      ],
      ...rest.map((some) => {
        const { notes_count, private_notes_count } = countNotes(some);
        const counts = { notes: notes_count, private: private_notes_count };
        return [...toNoteWrites(some), buildNoteCountUpdate(id, counts, nowMs)];
      }),
    ],
  };
}

/** The incident that an earlier import created. Rejects an id that another incident has. */
export async function findImported(
  store: Pick<ItemStore, 'get'>,
  { id, external_id, created_at }: IncidentImport,
): Promise<string | undefined> {
  const known = external_id === null ? undefined : await store.get(toExternalKey(external_id), recordSortKey);
  if (known) return readString(known, 'record_id');
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  if (!item) return undefined;
  if (item.created_at?.S === created_at) return id;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: [{ field: 'id', message: 'belongs to another incident; leave it out to get a new one' }] },
  });
}

export function chooseImportId({ id }: IncidentImport): string {
  return id ?? newId('incident');
}

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
  for (const field of ['updated_at', 'acknowledged_at', 'resolved_at', 'closed_at']) check(field, record[field], true);
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

function findLatestTime({ resolved_at, closed_at, acknowledged_at, notes, history }: IncidentImport, created: string) {
  const times = [resolved_at, closed_at, acknowledged_at, history.at(-1)?.at, ...notes.map((note) => note.created_at)];
  return times.reduce<string>((latest, time) => (time && time > latest ? time : latest), created);
}

interface Phase {
  atMs: number;
  state: IncidentState;
  priority: Priority;
}

/**
 * Replays the states and priorities of the history for the SLA, under the current policies. Without a history, the clock runs
 * until the time of resolution or closure. What was due in the past is marked, so that the sweep does not report it.
 */
function replayPast(
  fields: Omit<IncidentDocument, 'sla' | 'sla_breach_at' | 'sla_breached_at'>,
  given: IncidentImport & { created_at: string; updated_at: string },
  sla: IncidentRules['sla'],
  nowMs: number,
): IncidentDocument {
  const { state, priority, created_at, updated_at, resolved_at, closed_at } = given;
  const steps = listPhases(given);
  const first = requireValue(steps[0]);
  const endedAt = state === 'resolved' || state === 'closed' ? resolved_at : (closed_at ?? updated_at);
  const last = steps.at(-1);
  const isComplete = last?.state === state && last.priority === priority;
  let document = sla.start({ ...fields, state: first.state, priority: first.priority }, Date.parse(created_at));
  for (const step of [
    ...steps,
    ...(isComplete ? [] : [{ atMs: Date.parse(endedAt ?? updated_at), state, priority }]),
  ]) {
    document = sla.follow(document, { ...document, state: step.state, priority: step.priority }, step.atMs);
  }
  return sla.markDue(document, nowMs);
}

function listPhases({ state, priority, created_at, history }: IncidentImport & { created_at: string }): Phase[] {
  const readFirst = (name: string) => history.find(({ changes }) => changes[name])?.changes[name]?.from;
  const known = {
    state: history.length > 0 ? (readFirst('state') ?? 'new') : 'new',
    priority: readFirst('priority') ?? priority,
  };
  const steps = [{ atMs: Date.parse(created_at), ...known } as Phase];
  for (const { at, changes } of history) {
    const before = requireValue(steps.at(-1));
    const next = { state: changes.state?.to ?? before.state, priority: changes.priority?.to ?? before.priority };
    if (changes.state || changes.priority)
      steps.push({ atMs: Math.max(Date.parse(at), before.atMs), ...next } as Phase);
  }
  // Values of another system's history may be unknown here.
  const isPriority = (value: Priority) => /^P[1-4]$/.test(value);
  return steps.map((step) => ({
    ...step,
    state: step.state ?? state,
    priority: isPriority(step.priority) ? step.priority : priority,
  }));
}

function toExternalKey(externalId: string): string {
  return `external#incident#${externalId}`;
}

function buildExternalIdWrite(externalId: string, id: string): Write {
  const put = {
    Item: { ...toItemKey(toExternalKey(externalId), recordSortKey), record_id: { S: id } },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'external_id', put };
}

const indexDigits = 4;

/** Notes of the same time are listed by id, so the id begins with the position. */
function toNoteId(incidentId: string, index: number): string {
  const derived = deriveId('note', `${incidentId} ${index}`);
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
