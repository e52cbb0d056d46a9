import { incidentCreation, incidentUpdate } from '../../../contract/incidents.ts';
import type { IncidentState } from '../../../contract/states.ts';
import { workNoteCreation } from '../../../contract/work-notes.ts';
import { buildIncidentSteps, demoIncidents, type IncidentStep } from '../../../demo/incidents.ts';
import { transition } from '../../../lambdas/incidents/incident.ts';

const now = Date.parse('2026-03-15T14:20:00.000Z');
const steps = buildIncidentSteps(now);
const schemas = { create: incidentCreation, update: incidentUpdate, note: workNoteCreation };

function lastStates(steps: readonly IncidentStep[]): Map<number, string> {
  const states = new Map<number, string>();
  for (const { incident, action, body } of steps) {
    if (action === 'create') states.set(incident, 'new');
    if (typeof body.state === 'string') states.set(incident, body.state);
  }
  return states;
}

describe('demo incidents', () => {
  it('is deterministic', () => {
    expect(buildIncidentSteps(now)).toEqual(steps);
  });

  it('happens in order, within the last 90 days, and never in the future', () => {
    const times = steps.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(now - 91 * 86_400_000);
    expect(times.at(-1)).toBeLessThan(now);
  });

  it('creates every incident before anything else happens to it', () => {
    const known = new Set<number>();
    for (const { incident, action } of steps) {
      expect(known.has(incident)).toBe(action !== 'create');
      known.add(incident);
    }
    expect(known.size).toBe(demoIncidents - 1);
  });

  it('sends only valid requests', () => {
    for (const { action, body } of steps) expect(schemas[action].safeParse(body).error).toBeUndefined();
  });

  it('follows the transition table', () => {
    const known = new Map<number, Parameters<typeof transition>[0]>();
    for (const { incident, action, body, atMs } of steps) {
      const before = known.get(incident) ?? { state: 'new', resolved_at: null, closed_at: null, reopen_count: 0 };
      const state = action === 'create' ? 'new' : ((body.state ?? before.state) as IncidentState);
      expect(() => known.set(incident, transition(before, state, atMs))).not.toThrow();
    }
  });

  it('leaves incidents in every state, most of them closed', () => {
    const counts = new Map<string, number>();
    for (const state of lastStates(steps).values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(
      ['cancelled', 'closed', 'in_progress', 'new', 'on_hold', 'reopened', 'resolved'].sort(),
    );
    expect(counts.get('closed')! + counts.get('resolved')!).toBeGreaterThan(demoIncidents / 2);
  });

  it.each(['2026-01-01T03:00:00.000Z', '2026-06-20T12:00:00.000Z', '2027-11-14T23:59:59.000Z'])(
    'has open and closed incidents on %s, too',
    (day) => {
      const states = new Set(lastStates(buildIncidentSteps(Date.parse(day))).values());
      for (const state of ['new', 'in_progress', 'on_hold', 'reopened', 'resolved', 'closed', 'cancelled']) {
        expect(states).toContain(state);
      }
    },
  );

  it('leaves no placeholder in a text', () => {
    expect(JSON.stringify(steps)).not.toMatch(/\{(site|n)\}/);
  });
});
