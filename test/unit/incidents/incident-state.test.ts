import fc from 'fast-check';
import { type IncidentState, incidentStates } from '../../../contract/states.ts';
import { transition } from '../../../lambdas/incidents/incident.ts';

const table = [
  'new → in_progress',
  'in_progress → resolved',
  'resolved → closed',
  'new → cancelled',
  'in_progress → on_hold',
  'on_hold → in_progress',
  'resolved → reopened',
  'reopened → in_progress',
];

const pairs = incidentStates.flatMap((from) => incidentStates.map((to) => [from, to] as const));
const at = (state: IncidentState) => ({ state, resolved_at: null, closed_at: null, reopen_count: 0 });

describe('the state machine', () => {
  it.each(pairs)('decides about %s → %s as the table does', (from, to) => {
    const go = () => transition(at(from), to, 1_000);
    if (from === to) expect(go()).toEqual(at(from));
    else if (table.includes(`${from} → ${to}`)) expect(go().state).toBe(to);
    else expect(go).toThrow(expect.objectContaining({ code: 'invalid_transition' }));
  });

  it('keeps its fields consistent on any way through the states', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...incidentStates), { maxLength: 40 }), (way) => {
        let now = at('new') as ReturnType<typeof transition>;
        let reopened = 0;
        for (const [step, next] of way.entries()) {
          const before = now;
          try {
            now = transition(now, next, step);
          } catch {
            continue;
          }
          if (next === 'reopened' && before.state !== 'reopened') reopened++;
          expect(now.reopen_count).toBe(reopened);
          expect(now.closed_at !== null).toBe(now.state === 'closed');
          if (now.state === 'resolved' || now.state === 'closed') expect(now.resolved_at).not.toBeNull();
          else expect(now.resolved_at).toBeNull();
        }
      }),
    );
  });
});
