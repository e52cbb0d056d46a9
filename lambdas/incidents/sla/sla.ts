import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Priority, priorities } from '../../../contract/states.ts';
import { toIso } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { requireValue } from '../../platform/require-value.ts';

// The SLA clock of one incident (docs/decisions/0010-sla-clock.md). It runs around the clock from creation,
// pauses while the incident is on hold, and ends when it is resolved, closed or cancelled; reopening resumes it. Only
// the times at which the clock changed are stored, so the intervals always add up to the elapsed time. Times are
// milliseconds since the epoch.

export type SlaClock = 'running' | 'paused' | 'ended';

/** Lasts until the next phase starts. The first phase starts when the incident is created. */
export interface SlaPhase {
  clock: SlaClock;
  from: number;
}

/** When a target's warning and breach were detected. A mark is set once and never changes. */
export interface SlaMarks {
  warned_at?: number;
  breached_at?: number;
}

export interface Sla {
  priority: Priority;
  phases: readonly SlaPhase[];
  /** By priority, because each priority has its own target: returning to a priority does not repeat its warning. */
  marks: Readonly<Partial<Record<Priority, SlaMarks>>>;
}

export interface SlaDue {
  at: number;
  kind: 'warning' | 'breach';
}

export function startSla(priority: Priority, createdAtMs: number): Sla {
  return { priority, phases: [{ clock: 'running', from: createdAtMs }], marks: {} };
}

/**
 * Advances the clock after a change of the incident. Marks the old target first, because an incident that is resolved
 * between its breach and the next sweep was still breached. A new target may be due immediately.
 */
export function advanceSla(
  sla: Sla,
  incident: { state: string; priority: Priority },
  nowMs: number,
  policy: SlaPolicy,
): Sla {
  const marked = markDue(sla, nowMs, policy);
  const phases = enterPhase(marked.phases, toClock(incident.state), nowMs);
  if (phases === marked.phases && incident.priority === marked.priority) return marked;
  return markDue({ ...marked, priority: incident.priority, phases }, nowMs, policy);
}

/** Sets the marks that are due; returns the same object when none is. */
export function markDue(sla: Sla, nowMs: number, policy: SlaPolicy): Sla {
  if (getClock(sla) !== 'running') return sla;
  const used = sumRunningMs(sla, nowMs);
  const marks = sla.marks[sla.priority] ?? {};
  const warned = marks.warned_at === undefined && used >= getWarningMs(policy, sla.priority);
  const breached = marks.breached_at === undefined && used >= getTargetMs(policy, sla.priority);
  if (!warned && !breached) return sla;
  const due = { ...marks, ...(warned ? { warned_at: nowMs } : {}), ...(breached ? { breached_at: nowMs } : {}) };
  return { ...sla, marks: { ...sla.marks, [sla.priority]: due } };
}

/** The time at which the target is used up; null while the clock is not running. */
export function getBreachAt(sla: Sla, policy: SlaPolicy): number | null {
  return getClock(sla) === 'running' ? findTimeUsed(sla, getTargetMs(policy, sla.priority)) : null;
}

/** The time at which the warning is due; null while the clock is not running. */
export function getWarningAt(sla: Sla, policy: SlaPolicy): number | null {
  return getClock(sla) === 'running' ? findTimeUsed(sla, getWarningMs(policy, sla.priority)) : null;
}

/** The due time of the next mark; null while the clock is not running and after the breach. */
export function getNextDue(sla: Sla, policy: SlaPolicy): SlaDue | null {
  const { warned_at, breached_at } = sla.marks[sla.priority] ?? {};
  const kind = warned_at === undefined ? 'warning' : 'breach';
  const at = kind === 'warning' ? getWarningAt(sla, policy) : getBreachAt(sla, policy);
  return at === null || breached_at !== undefined ? null : { at, kind };
}

export function getClock({ phases }: Pick<Sla, 'phases'>): SlaClock {
  return requireValue(phases.at(-1)).clock;
}

export function sumRunningMs(sla: Pick<Sla, 'phases'>, nowMs: number): number {
  return measurePhases(sla, nowMs).reduce((sum, { clock, lengthMs }) => sum + (clock === 'running' ? lengthMs : 0), 0);
}

/** The last phase ends now. */
export function measurePhases({ phases }: Pick<Sla, 'phases'>, nowMs: number): (SlaPhase & { lengthMs: number })[] {
  const end = Math.max(nowMs, requireValue(phases.at(-1)).from);
  return phases.map((phase, index) => ({ ...phase, lengthMs: (phases[index + 1]?.from ?? end) - phase.from }));
}

/** Beyond this number the oldest phases are merged, so that an incident with many state changes stays small. */
const maxPhases = 200;

function toClock(state: string): SlaClock {
  if (state === 'on_hold') return 'paused';
  return state === 'resolved' || state === 'closed' || state === 'cancelled' ? 'ended' : 'running';
}

/** Clocks of different machines differ, so a phase never starts before the previous one. */
function enterPhase(phases: readonly SlaPhase[], clock: SlaClock, nowMs: number): readonly SlaPhase[] {
  const last = requireValue(phases.at(-1));
  if (last.clock === clock) return phases;
  const from = Math.max(nowMs, last.from);
  const before = from === last.from && phases.length > 1 ? phases.slice(0, -1) : phases;
  if (before !== phases && requireValue(before.at(-1)).clock === clock) return before;
  return joinOldest([...before, { clock, from }]);
}

/** Replaces the first four phases by one running and one paused phase with the same totals. */
function joinOldest(phases: readonly SlaPhase[]): readonly SlaPhase[] {
  if (phases.length <= maxPhases) return phases;
  const [first, second, third, fourth, ...rest] = phases as [SlaPhase, SlaPhase, SlaPhase, SlaPhase, ...SlaPhase[]];
  const used = sumRunningMs({ phases: [first, second, third, fourth] }, requireValue(rest[0]).from);
  return [first, { clock: 'paused', from: first.from + used }, ...rest];
}

/** The time at which the running time reaches the given amount, if the clock continues to run. */
function findTimeUsed({ phases }: Sla, amountMs: number): number {
  let left = amountMs;
  for (const [index, phase] of phases.entries()) {
    if (phase.clock !== 'running') continue;
    const lengthMs = (phases[index + 1]?.from ?? Number.POSITIVE_INFINITY) - phase.from;
    if (lengthMs >= left) return Math.ceil(phase.from + left);
    left -= lengthMs;
  }
  throw new Error('the SLA clock is not running');
}

/** Target in minutes for each priority. */
export type SlaPolicy = Readonly<Record<Priority, number>>;

/** Share of the target after which a warning is sent. */
export const warningShare = 0.75;

const policy = z.record(z.enum(priorities), z.int().positive().max(525_600));

export function loadSlaPolicy(): SlaPolicy {
  const { SLA_MINUTES } = env('SLA_MINUTES');
  return parseSlaPolicy(SLA_MINUTES);
}

/** Parses the policy from the function's environment; a missing priority fails the cold start. */
export function parseSlaPolicy(json: string): SlaPolicy {
  return policy.parse(JSON.parse(json));
}

export function getTargetMs(policy: SlaPolicy, priority: Priority): number {
  return policy[priority] * 60_000;
}

export function getWarningMs(policy: SlaPolicy, priority: Priority): number {
  return getTargetMs(policy, priority) * warningShare;
}

export type SlaChange = { from: null; to: string };

export function formatBreachAt(sla: Sla, policy: SlaPolicy): string | null {
  return toIsoOrNull(getBreachAt(sla, policy));
}

export function toIsoOrNull(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : toIso(atMs);
}

/**
 * The marks that a write sets, as history fields `sla_warned_at` and `sla_breached_at`. Events are derived from them. A
 * write that marks two targets reports it once.
 */
export function diffMarks(before: Sla, after: Sla): Record<string, SlaChange> {
  const changes: Record<string, SlaChange> = {};
  for (const [priority, marks] of Object.entries(after.marks)) {
    const known = before.marks[priority as keyof Sla['marks']] ?? {};
    if (marks.warned_at !== undefined && known.warned_at === undefined)
      changes.sla_warned_at = toSlaChange(marks.warned_at);
    if (marks.breached_at !== undefined && known.breached_at === undefined)
      changes.sla_breached_at = toSlaChange(marks.breached_at);
  }
  return changes;
}

function toSlaChange(atMs: number): SlaChange {
  return { from: null, to: toIso(atMs) };
}

// The index `due` contains the incidents with a running clock and a future mark, sorted by the due time of the mark.
// Several partitions distribute the writes; the sweep reads all of them.

export const dueShards = 4;

export type DueKeys = { due_pk: string; due_sk: string };

/** Null when no mark is due. */
export function toDueKeys(id: string, sla: Sla, policy: SlaPolicy): DueKeys | null {
  const due = getNextDue(sla, policy);
  if (!due) return null;
  return { due_pk: toDuePartition(toShard(id)), due_sk: `${toIso(due.at)}#${id}` };
}

export function toDuePartition(shard: number): string {
  return `sla#${shard}`;
}

function toShard(id: string): number {
  return (hash('sha256', id, 'buffer')[0] ?? 0) % dueShards;
}
