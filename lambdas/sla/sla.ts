import type { Priority } from '../../contract/states.ts';
import { toIso } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type DueWork, toDueKeys } from '../records/index-store.ts';
import type { Changes } from '../records/record.ts';
import type { OpenHours } from './open-hours.ts';

// The SLA clock of one record (docs/decisions/0010-sla-clock.md). It starts at creation, pauses in the pause states of the
// policy, and ends with the work; reopening resumes it. Only the times at which the clock changed are stored, so the
// intervals always add up to the elapsed time. Time counts during the open hours of the terms. Times are milliseconds since
// the epoch.

export type SlaClock = 'running' | 'paused' | 'ended';

/** Lasts until the next phase starts. The first phase starts when the record is created. */
export interface SlaPhase {
  clock: SlaClock;
  from: number;
}

/** The calculated times of what was reported for a target. Each is reported once. */
export interface SlaMarks {
  warned_at?: number;
  breached_at?: number;
  acknowledge_breached_at?: number;
}

export interface Sla {
  /** Of an incident. */
  priority?: Priority;
  phases: readonly SlaPhase[];
  /** By target: returning to a priority does not repeat its warning. */
  marks: Readonly<Partial<Record<string, SlaMarks>>>;
  /** The policies and calendars that it is calculated with; absent while there are none. */
  revision?: number;
  /** The first acknowledgement, if the terms have a target for it. */
  acknowledged?: number;
}

/** What the policy of a record says. */
export interface Terms {
  /** The target of the marks. */
  key: string;
  policy: { id: string | null; name: string };
  resolveMs: number;
  acknowledgeMs: number | null;
  /** Share of the target after which a warning is sent. */
  warningShare: number;
  pauseStates: readonly string[];
  calendar: { id: string; name: string; time_zone: string } | null;
  hours: OpenHours;
}

export function startSla(createdAtMs: number, priority?: Priority): Sla {
  return { ...(priority && { priority }), phases: [{ clock: 'running', from: createdAtMs }], marks: {} };
}

type MarkName = keyof SlaMarks;

/** The times at which the marks of the target are due, if the clock continues to run. */
function listDueTimes(sla: Sla, terms: Terms): [MarkName, number | null][] {
  const { acknowledgeMs, hours } = terms;
  const acknowledgeAt = acknowledgeMs === null ? null : findTimeUsed(sla, acknowledgeMs, hours);
  const isAcknowledged = acknowledgeAt !== null && sla.acknowledged !== undefined && sla.acknowledged <= acknowledgeAt;
  return [
    ['acknowledge_breached_at', isAcknowledged ? null : acknowledgeAt],
    ['warned_at', findTimeUsed(sla, getWarningMs(terms), hours)],
    ['breached_at', findTimeUsed(sla, terms.resolveMs, hours)],
  ];
}

/** Sets the marks that are due, with the times at which they were; returns the same object when none is. */
export function markDue(sla: Sla, terms: Terms, nowMs: number): Sla {
  if (getClock(sla) !== 'running') return sla;
  const marks = sla.marks[terms.key] ?? {};
  const due = listDueTimes(sla, terms).filter(([name, at]) => marks[name] === undefined && at !== null && at <= nowMs);
  if (due.length === 0) return sla;
  return { ...sla, marks: { ...sla.marks, [terms.key]: { ...marks, ...Object.fromEntries(due) } } };
}

/** Applies changed terms to what was reported. A mark that no longer holds is removed, and may be reported again. */
export function moveMarks(sla: Sla, terms: Terms, nowMs: number): Sla {
  const marks = sla.marks[terms.key] ?? {};
  const held = listDueTimes(sla, terms).filter(([name, at]) => marks[name] !== undefined && at !== null && at <= nowMs);
  return { ...sla, marks: { ...sla.marks, ...(sla.marks[terms.key] && { [terms.key]: Object.fromEntries(held) }) } };
}

/** The time at which the target is used up; null while the clock is paused or ended. */
export function getBreachAt(sla: Sla, { resolveMs, hours }: Terms): number | null {
  return getClock(sla) === 'running' ? findTimeUsed(sla, resolveMs, hours) : null;
}

/** The time at which the warning is due; null while the clock is paused or ended. */
export function getWarningAt(sla: Sla, terms: Terms): number | null {
  return getClock(sla) === 'running' ? findTimeUsed(sla, getWarningMs(terms), terms.hours) : null;
}

function getWarningMs({ resolveMs, warningShare }: Terms): number {
  return Math.ceil(resolveMs * warningShare);
}

/** The due time of the next mark; null while the clock is paused or ended, and after the breach. */
export function getNextDue(sla: Sla, terms: Terms): number | null {
  if (getClock(sla) !== 'running') return null;
  const marks = sla.marks[terms.key] ?? {};
  const due = listDueTimes(sla, terms).flatMap(([name, at]) => (marks[name] === undefined && at !== null ? [at] : []));
  return due.length === 0 ? null : Math.min(...due);
}

export function getClock({ phases }: Pick<Sla, 'phases'>): SlaClock {
  return requireValue(phases.at(-1)).clock;
}

export function sumRunningMs(sla: Pick<Sla, 'phases'>, nowMs: number, hours: OpenHours): number {
  return measurePhases(sla, nowMs).reduce(
    (sum, { clock, from, to }) => sum + (clock === 'running' ? hours.sum(from, to) : 0),
    0,
  );
}

/** The last phase ends now. */
export function measurePhases({ phases }: Pick<Sla, 'phases'>, nowMs: number): (SlaPhase & { to: number })[] {
  const end = Math.max(nowMs, requireValue(phases.at(-1)).from);
  return phases.map((phase, index) => ({ ...phase, to: phases[index + 1]?.from ?? end }));
}

/** Beyond this number the oldest phases are merged, so that a record with many state changes stays small. */
const maxPhases = 200;

/** Clocks of different machines differ, so a phase never starts before the previous one. */
export function enterPhase(sla: Sla, clock: SlaClock, nowMs: number, hours: OpenHours): Sla {
  const { phases } = sla;
  const last = requireValue(phases.at(-1));
  if (last.clock === clock) return sla;
  const from = Math.max(nowMs, last.from);
  const before = from === last.from && phases.length > 1 ? phases.slice(0, -1) : phases;
  if (before !== phases && requireValue(before.at(-1)).clock === clock) return { ...sla, phases: before };
  return { ...sla, phases: joinOldest([...before, { clock, from }], hours) };
}

/** Replaces the first four phases by one running and one paused phase with the same totals. */
function joinOldest(phases: readonly SlaPhase[], hours: OpenHours): readonly SlaPhase[] {
  if (phases.length <= maxPhases) return phases;
  const [first, second, third, fourth, ...rest] = phases as [SlaPhase, SlaPhase, SlaPhase, SlaPhase, ...SlaPhase[]];
  const used = sumRunningMs({ phases: [first, second, third, fourth] }, requireValue(rest[0]).from, hours);
  return [first, { clock: 'paused', from: hours.findTime(first.from, used) }, ...rest];
}

/** The time at which the running time reaches the given amount; null if a paused or ended clock has not reached it. */
export function findTimeUsed({ phases }: Sla, amountMs: number, hours: OpenHours): number | null {
  let left = amountMs;
  for (const [index, phase] of phases.entries()) {
    if (phase.clock !== 'running') continue;
    const end = phases[index + 1]?.from;
    if (end === undefined) return hours.findTime(phase.from, left);
    const open = hours.sum(phase.from, end);
    if (open >= left) return hours.findTime(phase.from, left);
    left -= open;
  }
  return null;
}

/**
 * What a write reported, as history fields such as `sla_breached_at`. Events are derived from them. A write that marks
 * two targets reports it once.
 */
export function diffMarks(before: Sla | undefined, after: Sla | undefined): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [key, marks = {}] of Object.entries(after?.marks ?? {})) {
    const known = before?.marks[key] ?? {};
    for (const [name, at] of Object.entries(marks) as [MarkName, number][])
      if (known[name] === undefined) changes[`sla_${name}`] = { from: null, to: toIso(at) };
  }
  if (before && after && before.revision !== after.revision)
    changes.sla_revision = { from: before.revision ?? 0, to: after.revision ?? 0 };
  return changes;
}

// The index `due` contains the records with a running clock and a future mark, sorted by the due time of the mark.
// Several partitions distribute the writes; the sweep reads all of them.

export const slaWork: DueWork = { kind: 'sla', shards: 4 };

/** Null when no mark is due. */
export function toMarkKeys(id: string, sla: Sla, terms: Terms): ReturnType<typeof toDueKeys> | null {
  const dueMs = getNextDue(sla, terms);
  return dueMs === null ? null : toDueKeys(slaWork, id, dueMs);
}

export function toIsoOrNull(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : toIso(atMs);
}
