import type { escalationPolicyOperations } from '../contract/escalation-policies.ts';
import type { calendarOperations } from '../contract/schedule-calendar.ts';
import type { overrideOperations } from '../contract/schedule-overrides.ts';
import type { scheduleOperations } from '../contract/schedules.ts';
import { type Grant, grantAll, type ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import type { Records } from './records.ts';

// What the operations on schedules, escalation policies and paging settings may do. Their other permissions follow from
// the actions of records.

export interface OnCallProps {
  records: Records;
  identity: Identity;
}

type OnCallOperation = keyof (typeof scheduleOperations &
  typeof overrideOperations &
  typeof calendarOperations &
  typeof escalationPolicyOperations);

/** Allows finding the people behind the targets of a policy. */
export function grantResolveTargets(fn: ServiceFunction, { records, identity }: OnCallProps): void {
  records.grantGet(fn);
  records.grantQuery(fn);
  identity.grantListMembers(fn);
}

export function buildOnCallPermissions({ records, identity }: OnCallProps) {
  const read = records.grantGet;
  const readAndWrite = grantAll(records.grantGet, records.grantWrite);
  const writePeople = grantAll(readAndWrite, identity.grantFindPeople);
  const writeTargets = grantAll(writePeople, (fn) => grantResolveTargets(fn, { records, identity }));
  return {
    createSchedule: grantAll(records.grantWrite, identity.grantFindPeople),
    updateSchedule: writePeople,
    getOverrides: read,
    createOverride: writePeople,
    deleteOverride: readAndWrite,
    swapShifts: readAndWrite,
    getShifts: read,
    getOnCall: grantAll(records.grantFeed, records.grantBatchGet),
    createCalendarKey: readAndWrite,
    deleteCalendarKey: readAndWrite,
    getCalendar: read,
    createEscalationPolicy: writeTargets,
    updateEscalationPolicy: writeTargets,
    getAllGroupPaging: records.grantQuery,
    getGroupPaging: read,
    putGroupPaging: grantAll(readAndWrite, identity.grantListGroups),
  } as const satisfies Partial<Record<OnCallOperation, Grant>>;
}
