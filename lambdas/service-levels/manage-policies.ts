import type { CalendarCreation, CalendarPatch } from '../../contract/calendars.ts';
import type { FieldProblem } from '../../contract/errors.ts';
import type { routes } from '../../contract/routes.ts';
import type { SlaPolicyCreation, SlaPolicyPatch } from '../../contract/sla-policies.ts';
import { pausableStates } from '../../contract/states.ts';
import type { Caller } from '../platform/caller.ts';
import { dayMs } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { retry } from '../platform/retry.ts';
import { assertNoProblems, ServiceError } from '../platform/service-error.ts';
import { applyPatch, type Change, type ChangeRequest, type Changer } from '../records/change-record.ts';
import type { ItemStore, Write } from '../records/item-store.ts';
import {
  type Author,
  createFirstVersion,
  type StoredRecord,
  toApiAuthor,
  toRecordResponse,
} from '../records/record.ts';
import { buildInsert } from '../records/record-item.ts';
import type { NewRecord } from '../records/record-operations.ts';
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

export function createPolicyDraft({ store, minutes }: LevelTools) {
  return async (creation: SlaPolicyCreation, author: Author, nowMs: number): Promise<NewRecord<PolicyDocument>> => {
    const pause_states = creation.pause_states ?? (creation.kind === 'incident' ? ['on_hold'] : []);
    const record = createFirstVersion<PolicyDocument>(newId('slaPolicy'), { ...creation, pause_states }, nowMs);
    const writes = buildPolicyWrites(await readLevels(store, minutes), record, nowMs);
    return { record, writes: [...buildInsert(policyType, record, author), ...writes] };
  };
}

export function createCalendarDraft({ store, minutes }: LevelTools) {
  return async (creation: CalendarCreation, author: Author, nowMs: number): Promise<NewRecord<CalendarDocument>> => {
    const record = createFirstVersion<CalendarDocument>(newId('calendar'), creation, nowMs);
    const writes = buildCalendarWrites(await readLevels(store, minutes), record, nowMs);
    return { record, writes: [...buildInsert(calendarType, record, author), ...writes] };
  };
}

export function updatePolicy(
  change: Changer<PolicyDocument>,
  tools: LevelTools,
): UseCase<typeof routes.updateSlaPolicy> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    const apply = changePolicy(body);
    const record = await changeLevels(change, tools, { id, headers, caller }, apply);
    return { status: 200, ...toRecordResponse(policyType, record) };
  };
}

function changePolicy(patch: SlaPolicyPatch) {
  return (set: LevelSet, { id, document: before }: StoredRecord<PolicyDocument>, nowMs: number) => {
    const document = applyPatch(before, patch as Partial<PolicyDocument>);
    return { document, additionalWrites: buildPolicyWrites(set, { id, document }, nowMs) };
  };
}

export function updateCalendar(
  change: Changer<CalendarDocument>,
  tools: LevelTools,
): UseCase<typeof routes.updateSlaCalendar> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    const record = await changeLevels(change, tools, { id, headers, caller }, changeCalendar(body));
    return { status: 200, ...toRecordResponse(calendarType, record) };
  };
}

export function changeCalendar(patch: CalendarPatch) {
  return (set: LevelSet, { id, document: before }: StoredRecord<CalendarDocument>, nowMs: number) => {
    const document = applyPatch(before, patch as Partial<CalendarDocument>);
    return { document, additionalWrites: buildCalendarWrites(set, { id, document }, nowMs) };
  };
}

export function deletePolicy(
  change: Changer<PolicyDocument>,
  tools: LevelTools,
): UseCase<typeof routes.deleteSlaPolicy> {
  return async ({ params: { id }, headers }, { caller }) => {
    await changeLevels(change, tools, { id, headers, caller }, (set, { document }) => {
      const policies = set.policies.filter((policy) => policy.id !== id);
      return { document, deleted: true, additionalWrites: buildLevelWrites(set, { ...set, policies }) };
    });
    return { status: 204 };
  };
}

export function deleteCalendar(
  change: Changer<CalendarDocument>,
  tools: LevelTools,
): UseCase<typeof routes.deleteSlaCalendar> {
  return async ({ params: { id }, headers }, { caller }) => {
    await changeLevels(change, tools, { id, headers, caller }, (set, { document }) => {
      const used_by = set.policies.flatMap(({ id: policyId, calendar_id, name }) =>
        calendar_id === id ? [{ id: policyId, name }] : [],
      );
      if (used_by.length > 0) {
        const names = used_by.map(({ name }) => name).join(', ');
        throw new ServiceError('in_use', `${used_by.length} policies use ${id}: ${names}.`, { members: { used_by } });
      }
      const calendars = set.calendars.filter((calendar) => calendar.id !== id);
      return { document, deleted: true, additionalWrites: buildLevelWrites(set, { ...set, calendars }) };
    });
    return { status: 204 };
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
