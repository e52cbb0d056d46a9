import type { Calendar } from '../../contract/calendars.ts';
import type { SlaPolicy } from '../../contract/sla-policies.ts';
import type { Priority, SlaKind } from '../../contract/states.ts';
import { alwaysOpen, createOpenHours, type OpenHours } from './open-hours.ts';
import type { Terms } from './sla.ts';

// All policies and calendars together. Every change of one is a new revision of the set, and a record names the revision that
// its times are calculated with. So whatever shows a record shows the same times, also while a change reaches the others.

/** Target in minutes for each priority of incidents that no policy covers. */
export type SlaMinutes = Readonly<Record<Priority, number>>;

export type LevelPolicy = Omit<SlaPolicy, 'number' | 'description' | 'deleted' | 'created_at' | 'updated_at'>;

export type LevelCalendar = Pick<Calendar, 'id' | 'name' | 'time_zone' | 'hours' | 'holidays'>;

export interface LevelSet {
  revision: number;
  minutes: SlaMinutes;
  policies: readonly LevelPolicy[];
  calendars: readonly LevelCalendar[];
}

/** The fields that policies select records by. */
export interface PolicyFields {
  assignment_group: string | null;
  category: string | null;
  priority: Priority | null;
}

export const conditions = ['assignment_group', 'category', 'priority'] as const satisfies (keyof PolicyFields)[];

/** Null for a record that has no targets. */
export function findTerms(set: LevelSet, kind: SlaKind, fields: PolicyFields): Terms | null {
  const policy = findPolicy(set, kind, fields);
  if (!policy) return kind === 'incident' && fields.priority ? toDefaultTerms(set, fields.priority) : null;
  const calendar = set.calendars.find(({ id }) => id === policy.calendar_id);
  return {
    key: [policy.id, fields.priority].filter(Boolean).join(' '),
    policy: { id: policy.id, name: policy.name },
    resolveMs: policy.resolve_minutes * 60_000,
    acknowledgeMs: policy.acknowledge_minutes === null ? null : policy.acknowledge_minutes * 60_000,
    warningShare: policy.warning_percent / 100,
    pauseStates: policy.pause_states,
    calendar: calendar ? { id: calendar.id, name: calendar.name, time_zone: calendar.time_zone } : null,
    hours: calendar ? getOpenHours(calendar) : alwaysOpen,
  };
}

function toDefaultTerms({ minutes }: LevelSet, priority: Priority): Terms {
  return {
    key: priority,
    policy: { id: null, name: 'Default' },
    resolveMs: minutes[priority] * 60_000,
    acknowledgeMs: null,
    warningShare: 0.75,
    pauseStates: ['on_hold'],
    calendar: null,
    hours: alwaysOpen,
  };
}

/** The policy with the most conditions; of those with equally many, the one that names a group, then a category. */
function findPolicy({ policies }: LevelSet, kind: SlaKind, fields: PolicyFields): LevelPolicy | undefined {
  const covers = (policy: LevelPolicy) =>
    policy.kind === kind && conditions.every((name) => policy[name] === null || policy[name] === fields[name]);
  return policies.filter(covers).sort((a, b) => rank(b) - rank(a))[0];
}

function rank(policy: LevelPolicy): number {
  const named = conditions.filter((name) => policy[name] !== null);
  return named.reduce((sum, name) => sum + (conditions.length - conditions.indexOf(name)), named.length * 10);
}

/** The other policy that names exactly the same records. Nothing could decide between them. */
export function findTie({ policies }: LevelSet, policy: LevelPolicy): LevelPolicy | undefined {
  return policies.find(
    (other) =>
      other.id !== policy.id && other.kind === policy.kind && conditions.every((name) => other[name] === policy[name]),
  );
}

/** Whether two revisions say the same about a record. */
export function isSameTerms(a: LevelSet, b: LevelSet, kind: SlaKind, fields: PolicyFields): boolean {
  return a.revision === b.revision || describe(a, kind, fields) === describe(b, kind, fields);
}

function describe(set: LevelSet, kind: SlaKind, fields: PolicyFields): string {
  const policy = findPolicy(set, kind, fields);
  const calendar = set.calendars.find(({ id }) => id === policy?.calendar_id);
  const target = fields.priority && set.minutes[fields.priority];
  return JSON.stringify(policy ? [policy, calendar] : [kind === 'incident' ? target : null]);
}

/** Days are converted once for each calendar. */
const openHours = new WeakMap<LevelCalendar, OpenHours>();

export function getOpenHours(calendar: LevelCalendar): OpenHours {
  const known = openHours.get(calendar) ?? createOpenHours(calendar);
  openHours.set(calendar, known);
  return known;
}
