import { hasRole } from '../../../contract/roles.ts';
import type { routes } from '../../../contract/routes.ts';
import type { Override, OverrideCreation, SwappedPeriod } from '../../../contract/schedule-overrides.ts';
import type { Caller } from '../../platform/caller.ts';
import { dayMs, toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { assertNoProblems, invalidField, ServiceError } from '../../platform/service-error.ts';
import { type Changer, findRecord, notFound } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { toApiAuthor } from '../../records/record.ts';
import type { FindUnknownPeople } from '../known-people.ts';
import type { ScheduleDocument } from './schedule.ts';
import { computeShifts } from './shifts.ts';

// Overrides are stored in the schedule in the order of their creation. Repeating a request finds the override of the
// first one, so that a retry needs no idempotency key.

/** More are a rotation rather than exceptions. */
const maxOverrides = 200;

/** Past overrides show who was on call; the history of the schedule has older ones. */
const retentionDays = 92;

export function getOverrides(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getOverrides> {
  return async ({ params: { id }, query: { from } }, { clock }) => {
    const { document } = await findRecord<ScheduleDocument>(store, id);
    const fromMs = from === undefined ? clock.now() : Date.parse(from);
    const overrides = document.overrides
      .filter(({ ends_at }) => Date.parse(ends_at) > fromMs)
      .toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1));
    return { status: 200, body: { overrides } };
  };
}

export function createOverride(
  change: Changer<ScheduleDocument>,
  findUnknownPeople: FindUnknownPeople,
): UseCase<typeof routes.createOverride> {
  return async ({ params: { id }, body }, { caller, clock }) => {
    assertMayAct(caller, [body.person], 'Only managers can make somebody else on call.');
    assertNotPast(body, 'ends_at', clock.now());
    assertNoProblems(await findUnknownPeople([{ field: 'person', person: body.person }]));
    const { document } = await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document: before }, nowMs) => ({ document: addOverrides(before, [body], caller, nowMs) }),
    });
    return { status: 201, body: findOverride(document, body, caller) };
  };
}

export function deleteOverride(change: Changer<ScheduleDocument>): UseCase<typeof routes.deleteOverride> {
  return async ({ params: { id, override_id } }, { caller }) => {
    await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document }) => {
        const override = document.overrides.find((one) => one.id === override_id);
        if (!override) throw notFound(override_id);
        const people = [override.person, override.created_by];
        assertMayAct(caller, people, 'Only managers can delete overrides of other people.');
        return { document: { ...document, overrides: document.overrides.filter((one) => one !== override) } };
      },
    });
    return { status: 204 };
  };
}

export function swapShifts(change: Changer<ScheduleDocument>): UseCase<typeof routes.swapShifts> {
  return async ({ params: { id }, body: { first, second } }, { caller, clock }) => {
    assertMayAct(caller, [first.person, second.person], 'Only managers can swap shifts of other people.');
    assertNotPast(first, 'first.ends_at', clock.now());
    assertNotPast(second, 'second.ends_at', clock.now());
    if (first.person === second.person) throw invalidField('second.person', 'must not be the person of first');
    const taken = [toSwapped(first, second.person), toSwapped(second, first.person)];
    const { document } = await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document: before }, nowMs) => {
        const isDone = taken.every((one) => before.overrides.some((known) => isSameOverride(known, one, caller)));
        if (isDone) return { document: before };
        assertOnCall(before, first, 'first');
        assertOnCall(before, second, 'second');
        return { document: addOverrides(before, taken, caller, nowMs) };
      },
    });
    return { status: 201, body: { overrides: taken.map((one) => findOverride(document, one, caller)) } };
  };
}

function toSwapped({ starts_at, ends_at, person: replaced }: SwappedPeriod, person: string): OverrideCreation {
  return { starts_at, ends_at, person, reason: `Swap with ${replaced}` };
}

function addOverrides(
  document: ScheduleDocument,
  creations: readonly OverrideCreation[],
  caller: Caller,
  nowMs: number,
): ScheduleDocument {
  const added = creations
    .filter((one) => !document.overrides.some((known) => isSameOverride(known, one, caller)))
    .map((one): Override => {
      const { person, starts_at, ends_at, reason } = one;
      const created = { created_by: caller.email, created_at: toIso(nowMs) };
      return { id: newId('override'), person, starts_at, ends_at, reason, ...created };
    });
  if (added.length === 0) return document;
  const oldestMs = nowMs - retentionDays * dayMs;
  const retained = document.overrides.filter(({ ends_at }) => Date.parse(ends_at) > oldestMs);
  const past = retained.filter(({ ends_at }) => Date.parse(ends_at) <= nowMs);
  if (retained.length - past.length + added.length > maxOverrides) {
    throw new ServiceError('limit_reached', `A schedule has at most ${maxOverrides} overrides that have not ended.`);
  }
  const surplus = new Set(past.slice(0, Math.max(0, past.length - maxOverrides)));
  return { ...document, overrides: [...retained.filter((one) => !surplus.has(one)), ...added] };
}

function isSameOverride(known: Override, given: OverrideCreation, { email }: Caller): boolean {
  return (
    known.person === given.person &&
    known.starts_at === given.starts_at &&
    known.ends_at === given.ends_at &&
    known.reason === given.reason &&
    known.created_by === email
  );
}

function findOverride({ overrides }: ScheduleDocument, given: OverrideCreation, caller: Caller): Override {
  const found = overrides.findLast((known) => isSameOverride(known, given, caller));
  if (!found) throw new Error('the schedule does not have the override that was just added');
  return found;
}

/** Agents act for themselves; managers for everybody. */
function assertMayAct({ roles, email }: Caller, people: readonly string[], detail: string): void {
  if (hasRole(roles, 'itsm_manager')) return;
  if (people.some((person) => person.toLowerCase() === email.toLowerCase())) return;
  throw new ServiceError('forbidden', detail);
}

/** The past cannot be changed: pages were sent to the people who were on call. */
function assertNotPast({ ends_at }: { ends_at: string }, field: string, nowMs: number): void {
  if (Date.parse(ends_at) <= nowMs) throw invalidField(field, 'must be in the future');
}

function assertOnCall(document: ScheduleDocument, { person, starts_at, ends_at }: SwappedPeriod, field: string): void {
  const shifts = computeShifts(document, Date.parse(starts_at), Date.parse(ends_at));
  if (shifts.every((shift) => shift.person === person)) return;
  throw invalidField(field, `names ${person}, who is not on call during the whole period`);
}
