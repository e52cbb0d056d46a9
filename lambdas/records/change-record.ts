import { hasRole } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import { log, toErrorFields } from '../platform/log.ts';
import { type Backoff, backoff, retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from './item-store.ts';
import { type Author, assertEtagMatches, type Changes, type RecordType, type StoredRecord } from './record.ts';
import { buildNoteCountUpdate, buildUpdate, recordSortKey, toRecord } from './record-item.ts';
import { type Outcome, type PutWrite, type Write, writeWithRetry } from './write-items.ts';

// Every change reads a record, applies itself and writes on the condition that the version is unchanged. On a conflict
// it is applied to the newer version, so no caller's fields are lost. Changes to one record inside one function
// instance run one after the other; only separate instances compete.

/** The result of applying a change to a record. */
export interface Change<Document> {
  document: Document;
  /** Intermediate documents; each becomes a version with its own history and events. */
  through?: readonly Document[];
  deleted?: true;
  /** Number of notes written with the change. */
  notes?: number;
  /** Further writes of the same transaction. */
  additionalWrites?: readonly Write[];
  /**
   * An item that is written after the change, at half the price of a transaction. A new version contains a copy, from which the
   * consumer of the stream writes the item if the function crashes in between.
   */
  followUp?: PutWrite;
}

export interface ChangeRequest<Document> {
  id: string;
  author: Author;
  ifMatch?: string | undefined;
  /** May be called several times, each time with the current record. `nowMs` is the time of the change. */
  apply(record: StoredRecord<Document>, nowMs: number): Change<Document>;
  /** Called when the condition of an additional write failed; throws. */
  onConditionFailed?(by: string): never;
}

export type Changer<Document> = (request: ChangeRequest<Document>) => Promise<StoredRecord<Document>>;

export function createRecordChanger<Document>(
  store: Pick<ItemStore, 'get' | 'transact'>,
  type: RecordType<Document>,
  clock: Clock,
  wait: Backoff = backoff,
): Changer<Document> {
  const runInOrder: KeyedQueue = createKeyedQueue();
  return (request) => runInOrder(request.id, () => changeRecord(store, type, clock, wait, request));
}

async function changeRecord<Document>(
  store: Pick<ItemStore, 'get' | 'transact'>,
  type: RecordType<Document>,
  clock: Clock,
  wait: Backoff,
  request: ChangeRequest<Document>,
): Promise<StoredRecord<Document>> {
  let conflicting: StoredRecord<Document> | undefined;
  const attempt = async (number: number) => {
    const before = conflicting ?? (await findRecord<Document>(store, request.id));
    assertEtagMatches(request.ifMatch, before);
    await type.prepare?.(before);
    const { after, writes, followUp } = planChange(type, before, request, clock.now());
    if (writes.length === 0) return before;
    const outcome = await store.transact(writes);
    if (outcome.kind === 'written') {
      if (followUp) await writeWithRetry(store, [followUp]).catch(logDelay);
      return after;
    }
    rejectFailedAddition(request, outcome);
    // After a backoff the returned record would be stale, so only the second attempt uses it, without waiting.
    conflicting = number === 1 ? getConflictingRecord<Document>(request, outcome) : undefined;
    return undefined;
  };
  return retry(attempt, {
    maxAttempts,
    wait: async (number) => (conflicting ? undefined : wait(number)),
    exhausted: () => new ServiceError('unavailable', 'Too many concurrent updates to the same record. Try again.'),
  });
}

/** The change is stored with a copy of the item, so it can be acknowledged. */
function logDelay(error: unknown): void {
  log('warn', 'the stream will complete a change', { ...toErrorFields(error) });
}

/** Enough for fifty concurrent writers to succeed. */
const maxAttempts = 60;

function planChange<Document>(
  type: RecordType<Document>,
  before: StoredRecord<Document>,
  { author, apply, ifMatch }: ChangeRequest<Document>,
  nowMs: number,
): { after: StoredRecord<Document>; writes: readonly Write[]; followUp?: PutWrite | undefined } {
  const atMs = Math.max(nowMs, Date.parse(before.updated_at) + 1);
  const { document, through = [], deleted, notes = 0, additionalWrites = [], followUp } = apply(before, atMs);
  const notes_count = before.notes_count + notes;
  const changes = type.changes(before.document, document);
  if (!deleted && Object.keys(changes).length === 0) {
    const version = ifMatch === undefined ? undefined : before.version;
    const counted = notes > 0 ? [buildNoteCountUpdate(before.id, { notes, private: 0 }, atMs, version)] : [];
    const writes = [...counted, ...(followUp ? [followUp] : []), ...additionalWrites];
    return { after: { ...before, notes_count }, writes };
  }
  const updated_at = toIso(atMs);
  const toVersion = (each: Document, index: number) => ({
    ...before,
    document: each,
    version: before.version + 1 + index,
    updated_at,
  });
  const after = { ...toVersion(document, through.length), notes_count, deleted: deleted === true };
  const writes = buildUpdate(type, [before, ...through.map(toVersion), after], author, followUp?.put.Item);
  return { after, writes: [...writes, ...additionalWrites], followUp };
}

/** A failed version check returns the current record, which saves a read. */
function getConflictingRecord<Document>(
  { id }: ChangeRequest<Document>,
  outcome: Outcome,
): StoredRecord<Document> | undefined {
  if (outcome.kind !== 'condition_failed' || outcome.failedWrite !== 'record') return undefined;
  return assertFound(id, outcome.item && toRecord<Document>(outcome.item));
}

function rejectFailedAddition<Document>({ id, onConditionFailed }: ChangeRequest<Document>, outcome: Outcome): void {
  if (outcome.kind !== 'condition_failed' || outcome.failedWrite === 'record') return;
  onConditionFailed?.(outcome.failedWrite);
  throw new Error(`the condition of "${outcome.failedWrite}" did not hold in a change of ${id}`);
}

/** Applies a JSON merge patch (RFC 7396): replaces the fields that the patch names and keeps the others. */
export function applyPatch<Document extends object>(document: Document, patch: Partial<Document>): Document {
  const result = { ...document };
  for (const name of Object.keys(patch) as (keyof Document)[]) {
    if (patch[name] !== undefined) result[name] = patch[name];
  }
  return result;
}

export function diffFields(before: object, after: object): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  const compare = (name: string, from: unknown, to: unknown) => {
    if (isEqual(from, to)) return;
    changes[name] = name === 'links' ? diffLists(from, to) : { from: from ?? null, to: to ?? null };
  };
  const [old, changed] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of Object.keys(old)) compare(name, old[name], changed[name]);
  for (const name of Object.keys(changed)) if (!Object.hasOwn(old, name)) compare(name, undefined, changed[name]);
  return changes;
}

/** The removed and the added entries: a history of whole lists would grow with the square of their length. */
function diffLists(from: unknown, to: unknown): Changes[string] {
  const [before, after] = [from, to].map((list) => (Array.isArray(list) ? list : []));
  const listMissing = (some: unknown[] = [], others: unknown[] = []) => {
    const missing = some.filter((entry) => !others.some((other) => isEqual(entry, other)));
    return missing.length > 0 ? missing : null;
  };
  return { from: listMissing(before, after), to: listMissing(after, before) };
}

/** Both values are JSON written by the same code, so equal objects have equal texts. */
function isEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right);
}

/** The states that may follow each state. */
type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

export interface StateMachine<State extends string> {
  /** The record type as the subject of a sentence: `An incident`. */
  subject: string;
  transitions: Transitions<State>;
}

/**
 * Rejects a transition that is not allowed. `allowed` limits the next states if a request cannot set all of them.
 */
export function assertTransition<State extends string>(
  { subject, transitions }: StateMachine<State>,
  from: State,
  to: State,
  allowed: readonly State[] = transitions[from],
): void {
  if (allowed.includes(to)) return;
  const instead = allowed.length > 0 ? `only to ${allowed.join(' or ')}` : 'to no other state';
  throw new ServiceError('invalid_transition', `${subject} in state ${from} can change ${instead}, not to ${to}.`, {
    members: { allowed_transitions: allowed },
  });
}

type DeletedRecords = 'hidden' | 'shown';

/** Finds a record. A deleted record is found only if the caller requested deleted records. */
export async function findRecord<Document>(
  store: Pick<ItemStore, 'get'>,
  id: string,
  deleted: DeletedRecords = 'hidden',
): Promise<StoredRecord<Document>> {
  const item = await store.get(id, recordSortKey);
  return assertFound(id, item && toRecord<Document>(item), deleted);
}

function assertFound<Document>(
  id: string,
  record: StoredRecord<Document> | undefined,
  deleted: DeletedRecords = 'hidden',
): StoredRecord<Document> {
  if (!record || (record.deleted && deleted === 'hidden')) throw notFound(id);
  return record;
}

export function notFound(id: string): ServiceError {
  return new ServiceError('not_found', `${id} does not exist.`);
}

/** Deleted records are retained for audits, so only managers may read them. */
export function getDeletedVisibility({ roles }: Caller, query: { include_deleted: boolean }): DeletedRecords {
  if (!query.include_deleted) return 'hidden';
  if (hasRole(roles, 'itsm_manager')) return 'shown';
  throw new ServiceError('forbidden', 'include_deleted requires the role itsm_manager or higher.');
}

/** Finds the deleted records among the ids. A record that does not exist counts as deleted. */
export type FindDeleted = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Finds the records that must not be quoted to the caller. */
export type FindHidden = (ids: readonly string[], caller: Pick<Caller, 'roles'>) => Promise<ReadonlySet<string>>;

/** Replaces the contents of a record that the caller must not see. */
export const withheldAsDeleted = { withheld: 'record_deleted' } as const;

/** Managers may read deleted records, so no records are hidden from them. */
export function createHiddenFinder(findDeleted: FindDeleted): FindHidden {
  return async (ids, { roles }) => {
    if (ids.length === 0 || hasRole(roles, 'itsm_manager')) return new Set();
    return findDeleted([...new Set(ids)]);
  };
}

/** Runs work with the same key sequentially and work with different keys in parallel. */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
