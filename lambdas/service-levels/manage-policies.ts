import type { Calendar } from '../../contract/calendars.ts';
import type { FieldProblem } from '../../contract/errors.ts';
import type { SlaPolicy, SlaPolicyCreation } from '../../contract/sla-policies.ts';
import { pausableStates } from '../../contract/states.ts';
import { createInUseError } from '../oncall/references.ts';
import type { Caller } from '../platform/caller.ts';
import { dayMs } from '../platform/clock.ts';
import { retry } from '../platform/retry.ts';
import { assertNoProblems, ServiceError } from '../platform/service-error.ts';
import { applyPatch, type Change, type ChangeRequest, type Changer } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Author, type Resource, type StoredRecord, toApiAuthor, toRecordResponse } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';
import type { Write } from '../records/write-items.ts';
import {
  findTie,
  getOpenHours,
  type LevelCalendar,
  type LevelPolicy,
  type LevelSet,
  type SlaMinutes,
} from '../sla/level-set.ts';
import { buildLevelWrites, readLevels } from '../sla/level-store.ts';
import { alwaysOpen, type OpenHours } from '../sla/open-hours.ts';
import { type CalendarDocument, calendarType, type PolicyDocument, policyType } from './service-level-types.ts';

// Policies and calendars are records. The transaction that stores one also stores the next revision of all of them, on the
// condition that nobody else did, so every check holds for what is stored.

export interface LevelTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  minutes: SlaMinutes;
}

/** Somebody else changed a policy or a calendar meanwhile. */
class LevelsChanged extends Error {}

/** How policies and calendars differ. */
interface LevelKind<Document, View> {
  id: 'slaPolicy' | 'calendar';
  type: Resource<Document, View>;
  buildWrites(set: LevelSet, record: Pick<StoredRecord<Document>, 'id' | 'document'>, nowMs: number): Write[];
  buildRemoval(set: LevelSet, id: string): Write[];
}

export const policyKind: LevelKind<PolicyDocument, SlaPolicy> = {
  id: 'slaPolicy',
  type: policyType,
  buildWrites: buildPolicyWrites,
  buildRemoval: (set, id) =>
    buildLevelWrites(set, { ...set, policies: set.policies.filter((policy) => policy.id !== id) }),
};

export const calendarKind: LevelKind<CalendarDocument, Calendar> = {
  id: 'calendar',
  type: calendarType,
  buildWrites: buildCalendarWrites,
  buildRemoval: (set, id) => {
    const used_by = set.policies.filter(({ calendar_id }) => calendar_id === id).map(({ id, name }) => ({ id, name }));
    if (used_by.length > 0) throw createInUseError(id, `${used_by.length} policies`, used_by);
    return buildLevelWrites(set, { ...set, calendars: set.calendars.filter((calendar) => calendar.id !== id) });
  },
};

export function createPolicyDraft(tools: LevelTools) {
  const draft = createDraft(policyKind, tools);
  return (creation: SlaPolicyCreation, author: Author, nowMs: number) => {
    const pause_states = creation.pause_states ?? (creation.kind === 'incident' ? ['on_hold'] : []);
    return draft({ ...creation, pause_states }, author, nowMs);
  };
}

export function createDraft<Document, View>(kind: LevelKind<Document, View>, { store, minutes }: LevelTools) {
  return async (document: Document, author: Author, nowMs: number): Promise<NewRecord<Document>> => {
    const { record, writes } = draftRecord(kind.type, kind.id, document, author, nowMs);
    return { record, writes: [...writes, ...kind.buildWrites(await readLevels(store, minutes), record, nowMs)] };
  };
}

type ChangeInput = { params: { id: string }; headers: LevelRequest['headers'] };

export function updateLevel<Document extends object, View>(
  kind: LevelKind<Document, View>,
  change: Changer<Document>,
  tools: LevelTools,
) {
  return async (
    { params: { id }, headers, body }: ChangeInput & { body: object },
    { caller }: Pick<LevelRequest, 'caller'>,
  ) => {
    const record = await changeLevels(change, tools, { id, headers, caller }, patchLevel(kind, body));
    return { status: 200 as const, ...toRecordResponse(kind.type, record) };
  };
}

export function patchLevel<Document extends object, View>(kind: LevelKind<Document, View>, patch: object) {
  return (set: LevelSet, { id, document: before }: StoredRecord<Document>, nowMs: number) => {
    const document = applyPatch(before, patch as Partial<Document>);
    return { document, additionalWrites: kind.buildWrites(set, { id, document }, nowMs) };
  };
}

export function deleteLevel<Document, View>(
  kind: LevelKind<Document, View>,
  change: Changer<Document>,
  tools: LevelTools,
) {
  return async ({ params: { id }, headers }: ChangeInput, { caller }: Pick<LevelRequest, 'caller'>) => {
    await changeLevels(change, tools, { id, headers, caller }, (set, { document }) => {
      return { document, deleted: true, additionalWrites: kind.buildRemoval(set, id) };
    });
    return { status: 204 as const };
  };
}

export interface LevelRequest {
  id: string;
  headers: { 'If-Match'?: string | undefined };
  caller: Caller;
}

/** Changes a record and the set, and starts again when the set has changed meanwhile. */
export function changeLevels<Document>(
  change: Changer<Document>,
  { store, minutes }: LevelTools,
  { id, headers, caller }: LevelRequest,
  apply: (set: LevelSet, record: StoredRecord<Document>, nowMs: number) => Change<Document>,
): Promise<StoredRecord<Document>> {
  const attempt = async () => {
    const set = await readLevels(store, minutes);
    const request: ChangeRequest<Document> = {
      id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (record, nowMs) => apply(set, record, nowMs),
      onConditionFailed: () => {
        throw new LevelsChanged();
      },
    };
    return change(request).catch((error: unknown) => {
      if (error instanceof LevelsChanged) return undefined;
      throw error;
    });
  };
  const exhausted = () => new ServiceError('unavailable', 'Too many concurrent updates of policies. Try again.');
  return retry(attempt, { exhausted });
}

const maxPolicies = 200;
const maxCalendars = 50;
/** A target must end within this time. */
const maxTargetDays = 400;
const maxClosedDays = 90;

function buildPolicyWrites(
  set: LevelSet,
  { id, document }: Pick<StoredRecord<PolicyDocument>, 'id' | 'document'>,
  nowMs: number,
): Write[] {
  const { description: _, ...policy } = { id, ...document };
  const isTargetOk = createTargetCheck(set, nowMs);
  assertNoProblems([...findPolicyProblems(set, policy), ...isTargetOk(policy)]);
  if (isStored(set.policies, policy)) return [];
  const others = set.policies.filter((each) => each.id !== id);
  if (others.length >= maxPolicies)
    throw new ServiceError('limit_reached', `There are ${maxPolicies} policies already.`);
  return buildLevelWrites(set, { ...set, policies: [...others, policy] });
}

function findPolicyProblems(set: LevelSet, policy: LevelPolicy): FieldProblem[] {
  const { kind } = policy;
  const problems: FieldProblem[] = [];
  const reject = (field: keyof LevelPolicy, message: string) => problems.push({ field, message });
  if (kind !== 'incident' && policy.priority !== null) reject('priority', `must be null: a ${kind} has no priority`);
  if (kind === 'request' && policy.assignment_group !== null)
    reject('assignment_group', 'must be null: a request has no group');
  if (kind !== 'incident' && policy.acknowledge_minutes !== null)
    reject('acknowledge_minutes', 'must be null: only incidents are acknowledged');
  const unknown = policy.pause_states.filter((state) => !pausableStates[kind].includes(state));
  if (unknown.length > 0) reject('pause_states', `must be states of open ${kind}s: ${pausableStates[kind].join(', ')}`);
  if (policy.calendar_id !== null && !set.calendars.some(({ id }) => id === policy.calendar_id))
    reject('calendar_id', 'names a calendar that does not exist or is deleted');
  const tie = findTie(set, policy);
  if (tie) reject('kind', `“${policy.name}” covers the same records as “${tie.name}” (${tie.id}); add a condition`);
  return problems;
}

/** The problems of targets that take too long under their calendar. */
function createTargetCheck(set: LevelSet, nowMs: number) {
  const findHours = (id: string | null): OpenHours => {
    const calendar = set.calendars.find((each) => each.id === id);
    return calendar ? getOpenHours(calendar) : alwaysOpen;
  };
  return (policy: LevelPolicy): FieldProblem[] =>
    (['acknowledge_minutes', 'resolve_minutes'] as const).flatMap((field) => {
      const minutes = policy[field];
      if (minutes === null) return [];
      const endMs = findHours(policy.calendar_id).findTime(nowMs, minutes * 60_000);
      const isReached = endMs <= nowMs + maxTargetDays * dayMs;
      return isReached ? [] : [{ field, message: `must be reached within ${maxTargetDays} days of the calendar` }];
    });
}

function buildCalendarWrites(
  set: LevelSet,
  { id, document }: Pick<StoredRecord<CalendarDocument>, 'id' | 'document'>,
  nowMs: number,
): Write[] {
  const { name, time_zone, hours, holidays } = document;
  const calendar: LevelCalendar = { id, name, time_zone, hours, holidays };
  if (isStored(set.calendars, calendar)) return [];
  const others = set.calendars.filter((each) => each.id !== id);
  const after = { ...set, calendars: [...others, calendar] };
  if (hasLongGap(getOpenHours(calendar), nowMs))
    assertNoProblems([{ field: 'hours', message: `must have an open hour in every ${maxClosedDays} days` }]);
  const late = after.policies.filter(
    (policy) => policy.calendar_id === id && createTargetCheck(after, nowMs)(policy).length > 0,
  );
  assertNoProblems(
    late.map((policy) => ({
      field: 'hours',
      message: `must allow the targets of “${policy.name}” to be reached within ${maxTargetDays} days`,
    })),
  );
  if (others.length >= maxCalendars)
    throw new ServiceError('limit_reached', `There are ${maxCalendars} calendars already.`);
  return buildLevelWrites(set, after);
}

/** A new description is no new revision. */
function isStored(all: readonly { id: string }[], one: { id: string }): boolean {
  return all.some((each) => JSON.stringify(each) === JSON.stringify(one));
}

/** Whether nothing opens for an hour in some 90 days of the next 400. */
function hasLongGap(hours: OpenHours, nowMs: number): boolean {
  const lastMs = nowMs + maxTargetDays * dayMs;
  let [fromMs, openMs] = [nowMs, 0];
  for (const period of hours.list(nowMs, lastMs)) {
    const lengthMs = period.toMs - period.fromMs;
    if (openMs + lengthMs < hourMs) openMs += lengthMs;
    else {
      if (period.fromMs + hourMs - openMs > fromMs + maxClosedDays * dayMs) return true;
      [fromMs, openMs] = [period.toMs, 0];
    }
  }
  return lastMs > fromMs + maxClosedDays * dayMs;
}

const hourMs = 60 * 60_000;
