import { incident, incidentCreation, incidentPatch } from '../../../contract/incidents.ts';
import { type IncidentState, incidentStates, priorities } from '../../../contract/states.ts';
import { createIncidentRules, toIncidentResponse, transition } from '../../../lambdas/incidents/incident.ts';
import { createFirstVersion } from '../../../lambdas/records/record.ts';
import { toLevels } from '../../../lambdas/sla/level-store.ts';
import fc from '../../support/properties.ts';

const rules = createIncidentRules(toLevels({ P1: 240, P2: 480, P3: 1_440, P4: 4_320 }));
const createdAt = Date.parse('2026-03-01T09:00:00Z');
const creation = incidentCreation.parse({ short_description: 'Mail' });
const created = rules.newDocument(creation, 'ada@example.com', createdAt);
const author = { actor: 'ada@example.com', origin: { kind: 'api', id: null } } as const;

const patch = fc.record(
  {
    state: fc.constantFrom(...incidentStates),
    priority: fc.constantFrom(...priorities),
    category: fc.constantFrom('a', 'b', null),
    assigned_to: fc.constantFrom('a@example.com', null),
  },
  { requiredKeys: [] },
);

describe('an incident', () => {
  it('matches the contract after any changes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(patch, fc.nat(10_000_000)), { maxLength: 30 }), (changes) => {
        let document = created;
        let nowMs = createdAt;
        for (const [change, laterMs] of changes) {
          nowMs += laterMs;
          try {
            document = rules.applyPatch(document, incidentPatch.parse(change), nowMs);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid_transition' });
          }
          const shown = toIncidentResponse(createFirstVersion('INC7Q2M4KX', document, createdAt));
          expect(incident.safeParse(shown).success).toBe(true);
          expect(shown.sla_breach_at === null).toBe(
            ['on_hold', 'resolved', 'closed', 'cancelled'].includes(shown.state),
          );
        }
      }),
    );
  });

  it('changes only the fields of a patch', () => {
    const after = rules.applyPatch(created, { category: 'email' }, createdAt + 1_000);
    expect(after).toEqual({ ...created, category: 'email' });
  });

  it('keeps the start of its clock when the priority changes', () => {
    const after = rules.applyPatch(created, { priority: 'P1' }, createdAt + 3_600_000);
    expect(after.sla_breach_at).toBe('2026-03-01T13:00:00.000Z');
  });

  it('omits its SLA clock from the history', () => {
    const after = rules.applyPatch(created, { state: 'in_progress', priority: 'P1' }, createdAt + 1_000);
    expect(Object.keys(rules.resource.changes(created, after)).sort()).toEqual(['priority', 'sla_breach_at', 'state']);
  });

  it('is in the due index while its clock runs and it exists', () => {
    const { indexKeys } = rules.resource;
    const record = createFirstVersion('INC7Q2M4KX', created, createdAt);
    const none = { due_pk: null, due_sk: null };
    expect(indexKeys(record)).toMatchObject({
      due_pk: expect.stringMatching(/^sla#\d$/),
      due_sk: '2026-03-02T03:00:00.000Z#INC7Q2M4KX',
    });
    expect(indexKeys({ ...record, deleted: true })).toMatchObject(none);
    expect(
      indexKeys({ ...record, document: rules.applyPatch(created, { state: 'cancelled' }, createdAt) }),
    ).toMatchObject(none);
  });
});

describe('createIncidentRules.create', () => {
  it('stores the request for a notification outside the document', async () => {
    const create = (notify_stakeholders: boolean) =>
      rules.create(incidentCreation.parse({ short_description: 'Mail', notify_stakeholders }), author, createdAt);
    const { record, writes } = await create(true);
    expect(writes).toMatchObject([{ name: 'record', put: { Item: { notify: { BOOL: true } } } }]);
    expect(JSON.stringify(record.document)).not.toContain('notify');
    expect(JSON.stringify((await create(false)).writes)).not.toContain('notify');
  });
});

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
  it.each(pairs)('follows the transition table for %s → %s', (from, to) => {
    const go = () => transition(at(from), to, 1_000);
    if (from === to) expect(go()).toEqual(at(from));
    else if (table.includes(`${from} → ${to}`)) expect(go().state).toBe(to);
    else expect(go).toThrow(expect.objectContaining({ code: 'invalid_transition' }));
  });

  it('keeps its fields consistent on any path through the states', () => {
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
