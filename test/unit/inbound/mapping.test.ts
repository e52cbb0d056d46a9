import fc from 'fast-check';
import { inboundWebhookCreation } from '../../../contract/inbound-webhooks.ts';
import { incidentCreation, incidentUpdate } from '../../../contract/incidents.ts';
import { workNoteCreation } from '../../../contract/work-notes.ts';
import type { InboundSettings } from '../../../lambdas/inbound/inbound-webhook.ts';
import { longestDedupKey, planEvent } from '../../../lambdas/inbound/mapping.ts';

const settings = (fields: object = {}): InboundSettings =>
  inboundWebhookCreation.parse({
    name: 'x',
    action: 'create_incident',
    field_mapping: { short_description: '{{title}}' },
    ...fields,
  });

describe('planEvent', () => {
  it('makes the input of an incident, with the defaults of one', () => {
    const plan = planEvent(settings({ field_mapping: { short_description: '{{title}}', category: '{{kind}}' } }), {
      title: 'Disk full',
    });
    expect(plan).toMatchObject({
      passed: true,
      problems: [],
      rendered: { short_description: 'Disk full', category: '' },
    });
    expect(plan.input).toMatchObject({
      action: 'create_incident',
      creation: { short_description: 'Disk full', priority: 'P3', state: 'new' },
    });
  });

  it('leaves fields alone that come out empty', () => {
    const { input } = planEvent(
      settings({ field_mapping: { short_description: '{{title}}', category: ' {{kind}} ' } }),
      {
        title: 'x',
      },
    );
    expect(input).not.toHaveProperty('creation.category');
  });

  it('turns line breaks of one-line fields into spaces, and keeps those of texts', () => {
    const mapping = { short_description: '{{t}}', description: '{{t}}' };
    const { rendered, problems } = planEvent(settings({ field_mapping: mapping }), { t: ' a\r\n\tb\u0000c\n' });
    expect(rendered.short_description).toBe('a b c');
    expect(rendered.description).toBe(' a\r\n\tb\u0000c\n');
    expect(problems.map(({ field }) => field)).toEqual(['description']);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('knows that notify_stakeholders is no text: %s', (text, expected) => {
    const mapping = { short_description: 'x', notify_stakeholders: '{{n}}' };
    const { input } = planEvent(settings({ field_mapping: mapping }), { n: text });
    expect(input).toHaveProperty('creation.notify_stakeholders', expected);
    expect(planEvent(settings({ field_mapping: mapping }), { n: 'perhaps' }).problems).toEqual([
      { field: 'notify_stakeholders', message: 'must be a boolean' },
    ]);
  });

  it('lists every field that is not valid', () => {
    const mapping = { short_description: '{{none}}', priority: '{{p}}', assigned_to: '{{p}}', ci_id: '{{p}}' };
    const { input, problems } = planEvent(settings({ field_mapping: mapping }), { p: 'high' });
    expect(input).toBeNull();
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'assigned_to',
      'ci_id',
      'priority',
      'short_description',
    ]);
  });

  it('tells how each filter came out, payload. in front or not', () => {
    const filters = [
      { field: 'payload.status', operator: 'eq', value: 'firing' },
      { field: 'count', operator: 'gt', value: 3 },
    ];
    const plan = planEvent(settings({ filters }), { title: 'x', status: 'firing', count: 3 });
    expect(plan.passed).toBe(false);
    expect(plan.trace).toEqual([
      { ...filters[0], actual: 'firing', passed: true },
      { ...filters[1], actual: 3, passed: false },
    ]);
  });

  it('has no key where the payload has none', () => {
    const keyed = settings({ dedup_key: '{{key}}' });
    expect(planEvent(keyed, { title: 'x', key: ' k1 ' }).dedupKey).toBe('k1');
    expect(planEvent(keyed, { title: 'x' })).toMatchObject({ dedupKey: null, problems: [] });
    const long = planEvent(keyed, { title: 'x', key: 'k'.repeat(longestDedupKey + 1) });
    expect(long.problems).toEqual([{ field: 'dedup_key', message: 'must have at most 1000 characters' }]);
  });

  it.each([
    ['a key that comes out empty', { dedup_key: '{{key}}' }, 'dedup_key'],
    ['an id that comes out empty', { incident_id: '{{key}}' }, 'incident_id'],
    ['an id of another kind', { incident_id: 'CHG{{title}}' }, 'incident_id'],
  ])('refuses %s where an incident must be named', (_name, target, field) => {
    const plan = planEvent(settings({ action: 'resolve_incident', field_mapping: {}, ...target }), { title: 'x' });
    expect(plan.problems.map((problem) => problem.field)).toEqual([field]);
  });

  it('makes of any payload an input that the interface takes, or names the fields that it would not take', () => {
    const fields = ['short_description', 'description', 'priority', 'impact', 'assigned_to', 'ci_id', 'category'];
    const mapping = Object.fromEntries(fields.map((field) => [field, `{{${field}}}`]));
    const payloads = fc.oneof(
      fc.jsonValue(),
      fc.record(
        Object.fromEntries(
          fields.map((field) => [
            field,
            fc.oneof(
              fc.string({ unit: 'binary' }),
              fc.constantFrom('P1', 'high', 'a@example.com', 'CI1', null, 7),
              fc.jsonValue(),
            ),
          ]),
        ),
        { requiredKeys: [] },
      ),
    );
    const schemas = { create_incident: incidentCreation, update_incident: incidentUpdate, add_note: workNoteCreation };
    fc.assert(
      fc.property(payloads, fc.constantFrom('create_incident', 'update_incident', 'add_note'), (payload, action) => {
        const field_mapping = action === 'add_note' ? { body: '{{description}}' } : mapping;
        const target = action === 'create_incident' ? {} : { incident_id: 'INC0000000' };
        const plan = planEvent(settings({ action, field_mapping, ...target }), payload);
        if (plan.input === null) {
          expect(plan.problems.length).toBeGreaterThan(0);
          for (const { field } of plan.problems) expect(Object.keys(field_mapping)).toContain(field);
        } else {
          const { action: _, ...input } = plan.input;
          expect(schemas[action].safeParse(Object.values(input)[0]).success).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
