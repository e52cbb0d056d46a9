import type { CalendarEntry } from '../../../contract/change-calendar.ts';
import type { Role } from '../../../contract/roles.ts';
import { changeStates } from '../../../contract/states.ts';
import { applyDecision, type Verdict, validateStateUpdate, verdicts } from '../../../lambdas/approvals/approval.ts';
import { type ChangeDocument, changeRules } from '../../../lambdas/changes/change.ts';
import { type Dependencies, findCollisions, findDependencies } from '../../../lambdas/changes/change-calendar.ts';
import type { Caller } from '../../../lambdas/platform/caller.ts';
import { requestRules } from '../../../lambdas/requests/request.ts';
import fc from '../../support/properties.ts';

const nowMs = Date.UTC(2026, 2, 1);

const submitted = { state: 'submitted', requested_by: 'ada@example.com' } as ChangeDocument;

function caller(email: string, ...roles: Role[]): Caller {
  return { id: email, email, kind: 'user', roles, clientId: 'c', ownerId: email, tokenExpiresAt: 0 };
}

function decideAs(who: Caller, document = submitted, verdict: Verdict = 'approved') {
  return applyDecision(changeRules, document, { verdict, note: null, caller: who, nowMs });
}

describe('applyDecision', () => {
  it.each(verdicts)('stores who %s the record, when and why', (verdict) => {
    const who = caller('boss@example.com', 'itsm_manager');
    expect(applyDecision(changeRules, submitted, { verdict, note: 'because', caller: who, nowMs })).toEqual({
      ...submitted,
      state: verdict,
      decision_by: 'boss@example.com',
      decision_at: '2026-03-01T00:00:00.000Z',
      decision_note: 'because',
    });
  });

  it.each(['ada@example.com', 'ADA@Example.com'])('is rejected for the requester %s', (email) => {
    expect(() => decideAs(caller(email, 'itsm_manager'))).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(decideAs(caller(email, 'super_admin')).state).toBe('approved');
  });

  it('rejects the recipient of a request', () => {
    const document = { state: 'submitted', requested_by: 'x@example.com', requested_for: 'ada@example.com' } as never;
    const made = { verdict: 'approved', note: null, caller: caller('ada@example.com', 'itsm_manager'), nowMs } as const;
    expect(() => applyDecision(requestRules, document, made)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it.each(Object.keys(changeRules.transitions).filter((state) => state !== 'submitted'))(
    'rejects decisions in state %s',
    (state) => {
      const document = { ...submitted, state } as ChangeDocument;
      for (const verdict of verdicts) {
        expect(() => decideAs(caller('boss@example.com', 'itsm_manager'), document, verdict)).toThrow(
          expect.objectContaining({ code: 'invalid_transition' }),
        );
      }
    },
  );
});

describe('validateStateUpdate', () => {
  it('follows the transition table, allows the same state, and never decides', () => {
    for (const rules of [changeRules, requestRules]) {
      const states = Object.keys(rules.transitions) as (keyof typeof rules.transitions)[];
      for (const from of states) {
        for (const to of states) {
          const allowed = rules.transitions[from] as readonly string[];
          const isAllowed = from === to || (allowed.includes(to) && !(verdicts as readonly string[]).includes(to));
          const update = () => validateStateUpdate<string>(rules as typeof changeRules, from, to);
          if (isAllowed) expect(update()).toBe(to);
          else expect(update).toThrow(expect.objectContaining({ code: 'invalid_transition' }));
        }
      }
    }
  });
});

const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour)).toISOString();

function entry(id: string, [from, to]: [number, number], ci_ids: string[], state: CalendarEntry['state'] = 'approved') {
  const planned = { planned_start: at(from), planned_end: at(to) };
  const rest = {
    short_description: id,
    type: 'normal',
    risk: 'low',
    assignment_group: null,
    assigned_to: null,
  } as const;
  return { id, ...rest, state, ci_ids, ...planned };
}

const nothing = new Map();

const detectCollisions = (entries: readonly CalendarEntry[], dependencies: Dependencies) =>
  findCollisions(entries, dependencies, 500).first;

describe('findCollisions', () => {
  it('finds two changes of the same item with overlapping windows', () => {
    const entries = [entry('A', [1, 4], ['CI1', 'CI2']), entry('B', [3, 6], ['CI2', 'CI3'])];
    expect(detectCollisions(entries, nothing)).toEqual([
      { change_ids: ['A', 'B'], from: at(3), to: at(4), reason: 'same_ci', ci_ids: ['CI2'] },
    ]);
  });

  it('ignores windows that only touch', () => {
    expect(detectCollisions([entry('A', [1, 3], ['CI1']), entry('B', [3, 6], ['CI1'])], nothing)).toEqual([]);
  });

  it('ignores changes of different items', () => {
    expect(detectCollisions([entry('A', [1, 4], ['CI1']), entry('B', [3, 6], ['CI2'])], nothing)).toEqual([]);
  });

  it('finds collisions on a dependency, in both orders', () => {
    const dependencies = new Map([['CI1', new Set(['CI9'])]]);
    const [app, base] = [
      (hours: [number, number]) => entry('A', hours, ['CI1']),
      (hours: [number, number]) => entry('B', hours, ['CI9']),
    ];
    expect(detectCollisions([app([1, 4]), base([2, 3])], dependencies)).toEqual([
      { change_ids: ['A', 'B'], from: at(2), to: at(3), reason: 'dependency', ci_ids: ['CI9'] },
    ]);
    expect(detectCollisions([base([1, 4]), app([2, 6])], dependencies)).toMatchObject([
      { change_ids: ['B', 'A'], reason: 'dependency', ci_ids: ['CI9'] },
    ]);
  });

  it('ignores completed and cancelled changes', () => {
    for (const state of ['completed', 'rejected', 'cancelled'] as const) {
      expect(detectCollisions([entry('A', [1, 4], ['CI1']), entry('B', [2, 3], ['CI1'], state)], nothing)).toEqual([]);
    }
  });

  it('finds the same pairs as a comparison of all pairs', () => {
    const window = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 5 }));
    const some = fc.record({
      window,
      cis: fc.uniqueArray(fc.constantFrom('CI1', 'CI2', 'CI3', 'CI4'), { maxLength: 3 }),
      state: fc.constantFrom(...changeStates),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (given) => {
        const entries = given
          .map(({ window: [from, length], cis, state }, index) => entry(`C${index}`, [from, from + length], cis, state))
          .sort((a, b) => (a.planned_start < b.planned_start ? -1 : 1));
        const open = entries.filter(({ state }) => ['draft', 'submitted', 'approved', 'implementing'].includes(state));
        const expected = open.flatMap((a, index) =>
          open
            .slice(index + 1)
            .filter((b) => a.planned_start < b.planned_end && b.planned_start < a.planned_end)
            .filter((b) => a.ci_ids.some((id) => b.ci_ids.includes(id)))
            .map((b) => [a.id, b.id].sort().join()),
        );
        const found = detectCollisions(entries, nothing).map(({ change_ids }) => [...change_ids].sort().join());
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });

  it('handles 500 overlapping changes of 50 items each quickly', () => {
    const items = Array.from({ length: 50 }, (_, index) => `CI${String(index).padStart(7, '0')}`);
    const sharing = Array.from({ length: 500 }, (_, index) => entry(`S${index}`, [1, 4], items));
    const apart = Array.from({ length: 500 }, (_, index) =>
      entry(
        `A${index}`,
        [1, 4],
        items.map((id) => `${id}${index}`),
      ),
    );
    const chain = new Map(apart.map(({ ci_ids }, index) => [ci_ids[0]!, new Set(apart[index + 1]?.ci_ids ?? [])]));
    const start = performance.now();
    expect(findCollisions(sharing, nothing, 500)).toMatchObject({ total: (500 * 499) / 2, first: { length: 500 } });
    expect(findCollisions(apart, nothing, 500).total).toBe(0);
    expect(findCollisions(apart, chain, 500)).toMatchObject({ total: 499, first: { length: 499 } });
    expect(performance.now() - start).toBeLessThan(60_000);
  });
});

describe('findDependencies', () => {
  it('follows a bounded number of items for a whole calendar, and reports truncation', async () => {
    const entries = Array.from({ length: 500 }, (_, index) =>
      entry(
        `A${index}`,
        [1, 4],
        Array.from({ length: 50 }, (_, item) => `CI${index * 50 + item}`),
      ),
    );
    const all = entries.flatMap(({ ci_ids }) => ci_ids);
    const steps = all.map((node) => ({ node, label: 'depends_on' as const }));
    const next = (id: string) => steps.slice(Number(id.slice(2)) + 1, Number(id.slice(2)) + 101);
    const start = performance.now();
    const graph = { getSteps: (_: string, id: string) => next(id), describe: () => undefined };
    expect((await findDependencies(entries, async () => graph)).truncated).toBe(true);
    expect(performance.now() - start).toBeLessThan(60_000);
  });
});
