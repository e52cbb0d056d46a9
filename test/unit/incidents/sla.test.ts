import { slaView } from '../../../contract/sla.ts';
import { type Priority, priorities } from '../../../contract/states.ts';
import { createIncidentRules, type IncidentDocument } from '../../../lambdas/incidents/incident.ts';
import { toSlaResponse as toResponse } from '../../../lambdas/incidents/incident-sla.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import type { Changer } from '../../../lambdas/records/change-record.ts';
import { type SweepTools, sweepSla } from '../../../lambdas/service-levels/sweep.ts';
import { findTerms, type SlaMinutes } from '../../../lambdas/sla/level-set.ts';
import { parseSlaMinutes, toLevels } from '../../../lambdas/sla/level-store.ts';
import { alwaysOpen } from '../../../lambdas/sla/open-hours.ts';
import {
  diffMarks,
  getBreachAt as getBreachAtUnder,
  getNextDue as getNextDueUnder,
  markDue as markDueUnder,
  type Sla,
  startSla as start_,
  sumRunningMs as sumRunningMsIn,
  toMarkKeys as toMarkKeysUnder,
} from '../../../lambdas/sla/sla.ts';
import type { Tracked } from '../../../lambdas/sla/track-sla.ts';
import fc from '../../support/properties.ts';

const policy: SlaMinutes = { P1: 240, P2: 480, P3: 1_440, P4: 4_320 };
const levels = toLevels(policy);
const rules = createIncidentRules(levels);

const none = { assignment_group: null, category: null };
const toTerms = (priority: Priority) => findTerms(levels.current(), 'incident', { ...none, priority })!;
const own = ({ priority }: Sla) => toTerms(priority!);
const startSla = (priority: Priority, createdMs: number) => start_(createdMs, priority);
const markDue = (sla: Sla, nowMs: number) => markDueUnder(sla, own(sla), nowMs);
const getBreachAt = (sla: Sla) => getBreachAtUnder(sla, own(sla));
const getNextDue = (sla: Sla) => getNextDueUnder(sla, own(sla));
const toMarkKeys = (id: string, sla: Sla) => toMarkKeysUnder(id, sla, own(sla));
const sumRunningMs = (sla: Sla, nowMs: number) => sumRunningMsIn(sla, nowMs, alwaysOpen);
const toSlaResponse = (id: string, sla: Sla, nowMs: number, simulated = sla.priority!) =>
  toResponse(id, sla, nowMs, toTerms(simulated), simulated);

/** The clock after a change of the incident. */
function advanceSla(sla: Sla, { state, priority }: { state: string; priority: Priority }, nowMs: number): Sla {
  const before = { ...none, priority: sla.priority, state: 'any', sla } as unknown as IncidentDocument;
  return rules.sla.follow(before, { ...before, priority, state } as IncidentDocument, nowMs).sla!;
}

const hour = 3_600_000;
const start = Date.parse('2026-03-01T08:00:00.000Z');

describe('the SLA clock', () => {
  it.each([
    ['P1', 4],
    ['P2', 8],
    ['P3', 24],
    ['P4', 72],
  ] as const)('breaches %s after %i hours, round the clock', (priority, hours) => {
    expect(getBreachAt(startSla(priority, start))).toBe(start + hours * hour);
  });

  it('warns at three quarters of the target, breaches at its end, and then stops', () => {
    let sla = startSla('P1', start);
    expect(getNextDue(sla)).toBe(start + 3 * hour);
    sla = markDue(sla, start + 3 * hour);
    expect(getNextDue(sla)).toBe(start + 4 * hour);
    sla = markDue(sla, start + 4 * hour);
    expect(getNextDue(sla)).toBeNull();
    expect(sla.marks).toEqual({ P1: { warned_at: start + 3 * hour, breached_at: start + 4 * hour } });
  });

  it('marks nothing a millisecond too early', () => {
    const sla = startSla('P1', start);
    expect(markDue(sla, start + 3 * hour - 1)).toBe(sla);
  });

  it('pauses on hold and resumes afterwards', () => {
    let sla = to(startSla('P1', start), 'on_hold', 1);
    expect(getBreachAt(sla)).toBeNull();
    expect(getNextDue(sla)).toBeNull();
    sla = to(sla, 'in_progress', 11);
    expect(getBreachAt(sla)).toBe(start + 14 * hour);
  });

  it.each(['resolved', 'closed', 'cancelled'])('ends when the incident is %s', (state) => {
    const sla = to(startSla('P1', start), state, 1);
    expect(getBreachAt(sla)).toBeNull();
    expect(getNextDue(sla)).toBeNull();
    expect(toMarkKeys('INC0000001', sla)).toBeNull();
  });

  it('stays ended when a resolved incident is closed', () => {
    const resolved = to(startSla('P1', start), 'resolved', 1);
    expect(to(resolved, 'closed', 5)).toEqual(resolved);
  });

  it('resumes after reopening with the elapsed time', () => {
    const sla = to(to(startSla('P1', start), 'resolved', 3), 'reopened', 10);
    expect(getBreachAt(sla)).toBe(start + 11 * hour);
    expect(toSlaResponse('INC0000001', sla, start + 10 * hour).intervals.map(({ clock }) => clock)).toEqual([
      'running',
      'paused',
      'running',
    ]);
  });

  it('keeps the start and the pauses when the priority changes', () => {
    const held = to(to(startSla('P3', start), 'on_hold', 1), 'in_progress', 3);
    const raised = advanceSla(held, { state: 'in_progress', priority: 'P2' }, start + 4 * hour);
    expect(getBreachAt(raised)).toBe(start + 10 * hour);
  });

  it('marks a target that is already past when the priority is raised', () => {
    const raised = advanceSla(startSla('P4', start), { state: 'new', priority: 'P1' }, start + 5 * hour);
    expect(raised.marks).toEqual({ P1: { warned_at: start + 3 * hour, breached_at: start + 4 * hour } });
  });

  it('does not repeat a warning for a previous target', () => {
    const warned = markDue(startSla('P1', start), start + 3 * hour);
    const lowered = advanceSla(warned, { state: 'new', priority: 'P2' }, start + 3.1 * hour);
    const raised = advanceSla(lowered, { state: 'new', priority: 'P1' }, start + 3.2 * hour);
    expect(getNextDue(raised)).toBe(start + 4 * hour);
  });

  it('marks a breach that no sweep saw before the incident was resolved', () => {
    const before = startSla('P1', start);
    const after = to(before, 'resolved', 4.5);
    expect(diffMarks(before, after)).toEqual({
      sla_warned_at: { from: null, to: '2026-03-01T11:00:00.000Z' },
      sla_breached_at: { from: null, to: '2026-03-01T12:00:00.000Z' },
    });
  });

  it('sorts in the index by when the mark is due', () => {
    const keys = toMarkKeys('INC0000001', startSla('P1', start));
    expect(keys?.due_pk).toMatch(/^sla#[0-3]$/);
    expect(keys?.due_sk).toBe('2026-03-01T11:00:00.000Z#INC0000001');
  });
});

describe('the default targets', () => {
  it('reads what the stack wrote', () => {
    expect(parseSlaMinutes(JSON.stringify(policy))).toEqual(policy);
  });

  it.each([
    ['a priority is missing', '{"P1":240,"P2":480,"P3":1440}'],
    ['a target is zero', '{"P1":0,"P2":480,"P3":1440,"P4":1}'],
    ['a target is no whole number', '{"P1":1.5,"P2":480,"P3":1440,"P4":1}'],
    ['there is a priority too many', '{"P1":1,"P2":2,"P3":3,"P4":4,"P5":5}'],
    ['it is no JSON', 'P1=240'],
  ])('is rejected when %s', (_why, json) => {
    expect(() => parseSlaMinutes(json)).toThrow();
  });
});

describe('any life of an incident', () => {
  const states = ['new', 'in_progress', 'on_hold', 'resolved', 'reopened', 'closed', 'cancelled'];
  const step = fc.record({
    state: fc.constantFrom(...states),
    priority: fc.constantFrom(...priorities),
    afterMs: fc.integer({ min: -2_000, max: 6 * hour }),
  });
  const life = fc.record({
    first: fc.constantFrom(...priorities),
    steps: fc.array(step, { maxLength: 450, size: '+1' }),
  });

  function live({ first, steps }: { first: Priority; steps: Step[] }): { sla: Sla; nowMs: number; each: Sla[] } {
    let nowMs = start;
    const each = [startSla(first, start)];
    for (const { state, priority, afterMs } of steps) {
      nowMs += afterMs;
      each.push(advanceSla(each.at(-1)!, { state, priority }, nowMs));
    }
    return { sla: each.at(-1)!, nowMs, each };
  }

  it('has intervals that touch each other and sum to the elapsed time', () => {
    fc.assert(
      fc.property(life, fc.integer({ min: 0, max: hour }), (given, laterMs) => {
        const { sla, nowMs } = live(given);
        const endMs = Math.max(nowMs + laterMs, sla.phases.at(-1)!.from);
        const view = slaView.parse(toSlaResponse('INC0000001', sla, endMs));
        const { intervals } = view;
        for (const [index, { to: end }] of intervals.entries()) {
          if (index + 1 < intervals.length) expect(end).toBe(intervals[index + 1]!.from);
        }
        const sum = intervals.reduce((total, { duration_ms }) => total + duration_ms, 0);
        const until = view.ended_at === null ? endMs : Date.parse(view.ended_at);
        expect(intervals[0]!.from).toBe(view.started_at);
        expect(sum).toBe(until - start);
        expect(view.elapsed_ms).toBe(view.running_ms + view.paused_ms);
        expect(view.running_ms).toBe(sumRunningMs(sla, endMs));
      }),
    );
  });

  it('stays small for any number of pauses', () => {
    const steps = Array.from({ length: 2_000 }, (_, index) => ({
      state: index % 2 === 0 ? 'on_hold' : 'in_progress',
      priority: 'P4' as const,
      afterMs: 1_000,
    }));
    const { sla, nowMs } = live({ first: 'P4', steps });
    expect(JSON.stringify(sla).length).toBeLessThan(10_000);
    expect(sumRunningMs(sla, nowMs)).toBe(1_000_000);
  });

  it('changes nothing when the same change comes twice', () => {
    fc.assert(
      fc.property(life, step, (given, { state, priority, afterMs }) => {
        const { sla, nowMs } = live(given);
        const once = advanceSla(sla, { state, priority }, nowMs + afterMs);
        expect(advanceSla(once, { state, priority }, nowMs + afterMs)).toEqual(once);
      }),
    );
  });

  it('sets a mark once and never moves it', () => {
    fc.assert(
      fc.property(life, (given) => {
        const { each } = live(given);
        for (const [index, sla] of each.slice(1).entries()) {
          for (const [priority, marks] of Object.entries(each[index]!.marks)) {
            expect(sla.marks[priority]).toMatchObject(marks!);
          }
        }
      }),
    );
  });

  it('never breaches earlier for a longer pause', () => {
    const pauses = fc.tuple(fc.nat(24 * hour), fc.nat(24 * hour), fc.nat(3 * hour));
    fc.assert(
      fc.property(pauses, ([one, other, before]) => {
        const breach = (pauseMs: number) => {
          const held = advanceSla(startSla('P1', start), { state: 'on_hold', priority: 'P1' }, start + before);
          const on = { state: 'in_progress', priority: 'P1' as const };
          return getBreachAt(advanceSla(held, on, start + before + pauseMs))!;
        };
        expect(breach(Math.max(one, other))).toBeGreaterThanOrEqual(breach(Math.min(one, other)));
        expect(breach(one)).toBe(start + 4 * hour + one);
      }),
    );
  });

  it('is due exactly when marking changes something', () => {
    fc.assert(
      fc.property(life, (given) => {
        const { sla } = live(given);
        const due = getNextDue(sla);
        if (!due) {
          expect(markDue(sla, start + 10 ** 12)).toBe(sla);
          return;
        }
        expect(markDue(sla, due - 1)).toBe(sla);
        expect(markDue(sla, due)).not.toBe(sla);
      }),
    );
  });

  it('simulates another target without a change', () => {
    fc.assert(
      fc.property(life, fc.constantFrom(...priorities), (given, simulated) => {
        const { sla, nowMs } = live(given);
        const own = toSlaResponse('INC0000001', sla, nowMs);
        const other = toSlaResponse('INC0000001', sla, nowMs, simulated);
        expect(other.intervals).toEqual(own.intervals);
        expect(other.target_minutes).toBe(policy[simulated]);
        expect(other.remaining_ms + other.running_ms).toBe(policy[simulated] * 60_000);
      }),
    );
  });
});

interface Step {
  state: string;
  priority: Priority;
  afterMs: number;
}

function to(sla: Sla, state: string, atHours: number): Sla {
  return advanceSla(sla, { state, priority: sla.priority! }, start + atHours * hour);
}

/** Incidents in memory. The index contains the ids in `listed`. */
function aSweep(slas: Record<string, Sla>, listed: string[] = Object.keys(slas), pageSize = 2) {
  const writes: string[] = [];
  const change: Changer<Tracked> = async ({ id, author, apply }) => {
    const sla = slas[id];
    if (!sla) throw new ServiceError('not_found', `${id} does not exist.`);
    if (id === 'broken') throw new Error('damaged');
    const document = { ...none, priority: sla.priority, state: 'new', sla };
    const before = { id, version: 1, document } as unknown as Parameters<typeof apply>[0];
    const { document: after } = apply(before, now);
    if (after.sla !== sla) writes.push(`${id} by ${author.origin.kind}`);
    const version = Number(before.version) + (after.sla === sla ? 0 : 1);
    slas[id] = after.sla!;
    return { ...before, version };
  };
  let now = start;
  const postponed: string[] = [];
  const readPages = async function* () {
    const items = listed.map((id) => ({ pk: { S: id } }));
    for (let first = 0; first < items.length; first += pageSize) yield items.slice(first, first + pageSize);
  };
  const kind = { change, sla: rules.sla } as unknown as SweepTools['kinds']['incident'];
  const tools: SweepTools = {
    kinds: { incident: kind, request: kind, change: kind },
    postpone: async (id) => void postponed.push(id),
    recalculate: async () => ({ checked: 0, changed: 0, failed: 0 }),
    clock: { now: () => now },
    log: () => {},
    due: () => [readPages()],
  };
  return {
    slas,
    writes,
    postponed,
    sweepAt(atMs: number) {
      now = atMs;
      return sweepSla(tools);
    },
  };
}

describe('sweepSla', () => {
  it('marks only due incidents, on every page', async () => {
    const slas = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, startSla('P1', start)]));
    const { writes, sweepAt } = aSweep({ ...slas, later: startSla('P4', start) });
    await sweepAt(start + 3 * hour);
    expect(writes.sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `${id} by sla`));
  });

  it('marks each incident once, even with a stale index', async () => {
    const { writes, slas, sweepAt } = aSweep({ a: startSla('P1', start) });
    for (const minutes of [180, 181, 182, 240, 241, 500]) await sweepAt(start + minutes * 60_000);
    expect(writes).toHaveLength(2);
    expect(slas.a!.marks.P1).toEqual({ warned_at: start + 3 * hour, breached_at: start + 4 * hour });
  });

  it('catches up on all missed marks', async () => {
    const { slas, writes, sweepAt } = aSweep({ a: startSla('P1', start) });
    await sweepAt(start + 100 * hour);
    expect(slas.a!.marks.P1).toEqual({ warned_at: start + 3 * hour, breached_at: start + 4 * hour });
    expect(writes).toHaveLength(1);
  });

  it('skips incidents that were deleted in between', async () => {
    const { sweepAt } = aSweep({}, ['gone']);
    await expect(sweepAt(start)).resolves.toEqual({ checked: 1, changed: 0, failed: 0 });
  });

  it('marks the others when one fails, and then fails for the alarm', async () => {
    const { writes, sweepAt } = aSweep({ broken: startSla('P1', start), a: startSla('P1', start) });
    await expect(sweepAt(start + 3 * hour)).rejects.toThrow('1 of 2');
    expect(writes).toEqual(['a by sla']);
  });

  it('moves every key that it visits, so that none starves later ones', async () => {
    const slas = { broken: startSla('P1', start), due: startSla('P1', start), stale: startSla('P4', start) };
    const { postponed, sweepAt } = aSweep(slas, ['broken', 'due', 'stale', 'gone']);
    await expect(sweepAt(start + 3 * hour)).rejects.toThrow('1 of 4');
    expect(postponed.sort()).toEqual(['broken', 'gone', 'stale']);
  });
});
