import type { escalationPolicyOperations } from '../contract/escalation-policies.ts';
import type { calendarOperations } from '../contract/schedule-calendar.ts';
import type { overrideOperations } from '../contract/schedule-overrides.ts';
import type { scheduleOperations } from '../contract/schedules.ts';
import type { ServiceFunction } from './functions.ts';
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
  const read = (fn: ServiceFunction) => records.grantGet(fn);
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  const writePeople = (fn: ServiceFunction) => {
    readAndWrite(fn);
    identity.grantFindPeople(fn);
  };
  const writeTargets = (fn: ServiceFunction) => {
    writePeople(fn);
    grantResolveTargets(fn, { records, identity });
  };
  return {
    createSchedule: (fn: ServiceFunction) => {
      records.grantWrite(fn);
      identity.grantFindPeople(fn);
    },
    updateSchedule: writePeople,
    getOverrides: read,
    createOverride: writePeople,
    deleteOverride: readAndWrite,
    swapShifts: readAndWrite,
    getShifts: read,
    getOnCall: (fn: ServiceFunction) => {
      records.grantFeed(fn);
      records.grantBatchGet(fn);
    },
    createCalendarKey: readAndWrite,
    deleteCalendarKey: readAndWrite,
    getCalendar: read,
    createEscalationPolicy: writeTargets,
    updateEscalationPolicy: writeTargets,
    getAllGroupPaging: (fn: ServiceFunction) => records.grantQuery(fn),
    getGroupPaging: read,
    putGroupPaging: (fn: ServiceFunction) => {
      readAndWrite(fn);
      identity.grantListGroups(fn);
    },
  } as const satisfies Partial<Record<OnCallOperation, (fn: ServiceFunction) => void>>;
}
