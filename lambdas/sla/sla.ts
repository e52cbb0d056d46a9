import type { Priority } from '../../contract/priority.ts';
import { type SlaPolicy, targetMs, warningMs } from './policy.ts';

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
