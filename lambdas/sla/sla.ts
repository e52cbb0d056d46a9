import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Priority, priorities } from '../../contract/priority.ts';
import { env } from '../platform/env.ts';

// The service-level clock of one incident (docs/decisions/0010-service-level-clock.md). It runs round the clock from creation,
// stands still while the incident is on hold, and ends when it is resolved, closed or cancelled; reopening lets it run
// on from there. Only the moments at which the clock changed are stored, so the intervals between them touch each other
// and add up to the elapsed time by construction. Times are milliseconds since the epoch.

export type SlaClock = 'running' | 'paused' | 'ended';

/** From this moment until the next phase begins. The first phase begins when the incident was created. */
export interface SlaPhase {
  clock: SlaClock;
  from: number;
}

/** When a target was found to have passed its warning and its breach. A mark is set once and never changes. */
export interface SlaMarks {
  warned_at?: number;
  breached_at?: number;
}

export interface Sla {
  priority: Priority;
  phases: readonly SlaPhase[];
  /** By priority, since each one is a target of its own: going back to one does not warn a second time. */
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
 * The clock after a change of the incident. What the target so far had coming is marked first: an incident that is
 * resolved between its breach and the next sweep was breached all the same. A new target may be due at once.
 */
export function nextSla(
  sla: Sla,
  incident: { state: string; priority: Priority },
  nowMs: number,
  policy: SlaPolicy,
): Sla {
  const marked = markDue(sla, nowMs, policy);
  const phases = enterPhase(marked.phases, clockIn(incident.state), nowMs);
  if (phases === marked.phases && incident.priority === marked.priority) return marked;
  return markDue({ ...marked, priority: incident.priority, phases }, nowMs, policy);
}

/** Sets the marks that are due at the given time; the same object when none is. */
export function markDue(sla: Sla, nowMs: number, policy: SlaPolicy): Sla {
  if (clockOf(sla) !== 'running') return sla;
  const used = runningMs(sla, nowMs);
  const marks = sla.marks[sla.priority] ?? {};
  const warned = marks.warned_at === undefined && used >= warningMs(policy, sla.priority);
  const breached = marks.breached_at === undefined && used >= targetMs(policy, sla.priority);
  if (!warned && !breached) return sla;
  const due = { ...marks, ...(warned ? { warned_at: nowMs } : {}), ...(breached ? { breached_at: nowMs } : {}) };
  return { ...sla, marks: { ...sla.marks, [sla.priority]: due } };
}

/** When the target is, or was, used up; null while the clock does not run. */
export function breachAt(sla: Sla, policy: SlaPolicy): number | null {
  return clockOf(sla) === 'running' ? whenUsed(sla, targetMs(policy, sla.priority)) : null;
}

/** When the warning is, or was, due; null while the clock does not run. */
export function warningAt(sla: Sla, policy: SlaPolicy): number | null {
  return clockOf(sla) === 'running' ? whenUsed(sla, warningMs(policy, sla.priority)) : null;
}

/** The next moment at which there is something to mark; null while the clock does not run and after the breach. */
export function nextDue(sla: Sla, policy: SlaPolicy): SlaDue | null {
  const { warned_at, breached_at } = sla.marks[sla.priority] ?? {};
  const kind = warned_at === undefined ? 'warning' : 'breach';
  const at = kind === 'warning' ? warningAt(sla, policy) : breachAt(sla, policy);
  return at === null || breached_at !== undefined ? null : { at, kind };
}

export function clockOf({ phases }: Pick<Sla, 'phases'>): SlaClock {
  return phases.at(-1)!.clock;
}

export function runningMs(sla: Pick<Sla, 'phases'>, nowMs: number): number {
  return lengths(sla, nowMs).reduce((sum, { clock, lengthMs }) => sum + (clock === 'running' ? lengthMs : 0), 0);
}

/** The phases with their lengths; the last one lasts until now. */
export function lengths({ phases }: Pick<Sla, 'phases'>, nowMs: number): (SlaPhase & { lengthMs: number })[] {
  const end = Math.max(nowMs, phases.at(-1)!.from);
  return phases.map((phase, index) => ({ ...phase, lengthMs: (phases[index + 1]?.from ?? end) - phase.from }));
}

/** Beyond this, the oldest phases are joined, so that an incident that is toggled for ever stays a small item. */
const mostPhases = 200;

function clockIn(state: string): SlaClock {
  if (state === 'on_hold') return 'paused';
  return state === 'resolved' || state === 'closed' || state === 'cancelled' ? 'ended' : 'running';
}

/** The clocks of different machines differ a little, so a phase never begins before the one it follows. */
function enterPhase(phases: readonly SlaPhase[], clock: SlaClock, nowMs: number): readonly SlaPhase[] {
  const last = phases.at(-1)!;
  if (last.clock === clock) return phases;
  const from = Math.max(nowMs, last.from);
  const before = from === last.from && phases.length > 1 ? phases.slice(0, -1) : phases;
  if (before !== phases && before.at(-1)!.clock === clock) return before;
  return joinOldest([...before, { clock, from }]);
}

/** The first four become two, one running and one standing still: every sum stays what it was. */
function joinOldest(phases: readonly SlaPhase[]): readonly SlaPhase[] {
  if (phases.length <= mostPhases) return phases;
  const [first, second, third, fourth, ...rest] = phases as [SlaPhase, SlaPhase, SlaPhase, SlaPhase, ...SlaPhase[]];
  const used = runningMs({ phases: [first, second, third, fourth] }, rest[0]!.from);
  return [first, { clock: 'paused', from: first.from + used }, ...rest];
}

/** When the running time reaches the given amount, if the clock goes on as it does now. */
function whenUsed({ phases }: Sla, amountMs: number): number {
  let left = amountMs;
  for (const [index, phase] of phases.entries()) {
    if (phase.clock !== 'running') continue;
    const lengthMs = (phases[index + 1]?.from ?? Number.POSITIVE_INFINITY) - phase.from;
    if (lengthMs >= left) return Math.ceil(phase.from + left);
    left -= lengthMs;
  }
  throw new Error('whenUsed is asked of a clock that stands still');
}

/** Minutes that an incident of each priority may run before its target is breached. */
export type SlaPolicy = Readonly<Record<Priority, number>>;

/** A warning goes out when this share of the target has been used. */
export const warningShare = 0.75;

const policy = z.record(z.enum(priorities), z.int().positive().max(525_600));

export function loadSlaPolicy(): SlaPolicy {
  const { SLA_MINUTES } = env('SLA_MINUTES');
  return parseSlaPolicy(SLA_MINUTES);
}

/** Reads the policy that the stack hands to functions as JSON; one that lacks a priority stops the cold start. */
export function parseSlaPolicy(json: string): SlaPolicy {
  return policy.parse(JSON.parse(json));
}

export function targetMs(policy: SlaPolicy, priority: Priority): number {
  return policy[priority] * 60_000;
}

export function warningMs(policy: SlaPolicy, priority: Priority): number {
  return targetMs(policy, priority) * warningShare;
}

export type SlaChange = { from: null; to: string };

/** The incident's field `sla_breach_at`. */
export function slaBreachAt(sla: Sla, policy: SlaPolicy): string | null {
  const at = breachAt(sla, policy);
  return at === null ? null : new Date(at).toISOString();
}

/**
 * The marks that a write sets, as its history tells them: `sla_warned_at` and `sla_breached_at`. A mark is set once per
 * target, so events can be derived from these; a write that marks two targets at once says so once.
 */
export function slaChanges(before: Sla, after: Sla): Record<string, SlaChange> {
  const changes: Record<string, SlaChange> = {};
  for (const [priority, marks] of Object.entries(after.marks)) {
    const known = before.marks[priority as keyof Sla['marks']] ?? {};
    if (marks.warned_at !== undefined && known.warned_at === undefined) changes.sla_warned_at = to(marks.warned_at);
    if (marks.breached_at !== undefined && known.breached_at === undefined)
      changes.sla_breached_at = to(marks.breached_at);
  }
  return changes;
}

function to(atMs: number): SlaChange {
  return { from: null, to: new Date(atMs).toISOString() };
}

// In the index `due` are the incidents whose clock runs towards a mark, sorted by when that is due. Several partitions
// spread the writes; the sweep reads all of them.

export const dueShards = 4;

export type DueKeys = { due_pk: string; due_sk: string };

/** The index attributes of an incident's item; null means that the item must not have them. */
export function dueKeys(id: string, sla: Sla, policy: SlaPolicy): DueKeys | null {
  const due = nextDue(sla, policy);
  if (!due) return null;
  return { due_pk: duePartition(shardOf(id)), due_sk: `${new Date(due.at).toISOString()}#${id}` };
}

export function duePartition(shard: number): string {
  return `sla#${shard}`;
}

function shardOf(id: string): number {
  return hash('sha256', id, 'buffer')[0]! % dueShards;
}
