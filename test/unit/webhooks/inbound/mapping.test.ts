import { inboundWebhookCreation } from '../../../../contract/inbound-webhooks.ts';
import { incidentCreation, incidentUpdate } from '../../../../contract/incidents.ts';
import { parseTemplate } from '../../../../contract/webhook-templates.ts';
import { workNoteCreation } from '../../../../contract/work-notes.ts';
import { completeDocument } from '../../../../lambdas/records/stored-document.ts';
import { maxDedupKeyLength, planEvent, render } from '../../../../lambdas/webhooks/inbound/mapping.ts';
import { applyPreset, type InboundSettings } from '../../../../lambdas/webhooks/inbound/webhook.ts';
import fc from '../../../support/properties.ts';

const settings = (fields: object = {}): InboundSettings =>
  applyPreset(
    inboundWebhookCreation.parse({
      name: 'x',
      action: 'create_incident',
      field_mapping: { short_description: '{{title}}' },
      ...fields,
    }),
  );

const topic_arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const envelope = { Type: 'Notification', TopicArn: topic_arn };
const cloudwatch = (fields: object = {}) =>
  applyPreset(inboundWebhookCreation.parse({ name: 'x', preset: 'cloudwatch', topic_arn, ...fields }));

describe('planEvent', () => {
  it('builds the input of an incident with its defaults', () => {
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

  it('omits fields that render empty', () => {
    const { input } = planEvent(
      settings({ field_mapping: { short_description: '{{title}}', category: ' {{kind}} ' } }),
      {
        title: 'x',
      },
    );
    expect(input).toHaveProperty('creation.category', null);
  });

  it('replaces line breaks in single-line fields, and keeps them in texts', () => {
    const mapping = { short_description: '{{t}}', description: '{{t}}' };
    const { rendered, problems } = planEvent(settings({ field_mapping: mapping }), { t: ' a\r\n\tb\u0000c\n' });
    expect(rendered.short_description).toBe('a b c');
    expect(rendered.description).toBe(' a\r\n\tb\u0000c\n');
    expect(problems.map(({ field }) => field)).toEqual(['description']);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('parses notify_stakeholders as a boolean: %s', (text, expected) => {
    const mapping = { short_description: 'x', notify_stakeholders: '{{n}}' };
    const { input } = planEvent(settings({ field_mapping: mapping }), { n: text });
    expect(input).toHaveProperty('creation.notify_stakeholders', expected);
    expect(planEvent(settings({ field_mapping: mapping }), { n: 'perhaps' }).problems).toEqual([
      { field: 'notify_stakeholders', message: 'must be a boolean' },
    ]);
  });

  it('lists every invalid field', () => {
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

  it('returns the result of each filter, with or without the prefix payload.', () => {
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

  it('applies filters to every event, and conditions only to the action of the webhook', () => {
    const up = { field: 'status', operator: 'eq', value: 'up' };
    const down = { ...up, value: 'down' };
    const site = { field: 'site', operator: 'eq', value: 'a' };
    const rule = { when: [up], action: 'resolve_incident' };
    const probe = settings({ filters: [site], when: [down], rules: [rule], dedup_key: '{{title}}' });
    const plan = (status: string, at: string) => planEvent(probe, { title: 'x', status, site: at });
    expect(plan('down', 'a')).toMatchObject({ rule: null, passed: true });
    expect(plan('up', 'a')).toMatchObject({ rule: 0, passed: true });
    expect(plan('flapping', 'a')).toMatchObject({ rule: null, passed: false });
    expect(plan('down', 'b')).toMatchObject({ rule: null, passed: false });
    expect(plan('up', 'b')).toMatchObject({ rule: 0, passed: false });
    expect(plan('up', 'b').trace).toEqual([
      { ...site, actual: 'b', passed: false },
      { ...up, actual: 'up', passed: true },
    ]);
  });

  it('keeps the conditions of a preset to which a request adds a filter', () => {
    const filters = [{ field: 'Message.Region', operator: 'eq', value: 'EU (Frankfurt)' }];
    const webhook = cloudwatch({ filters });
    const plan = (state: string, Region: string) =>
      planEvent(webhook, { ...envelope, Message: JSON.stringify({ AlarmName: 'x', NewStateValue: state, Region }) });
    expect(plan('ALARM', 'EU (Frankfurt)')).toMatchObject({ rule: null, passed: true });
    expect(plan('OK', 'EU (Frankfurt)')).toMatchObject({ rule: 0, passed: true });
    expect(plan('INSUFFICIENT_DATA', 'EU (Frankfurt)').passed).toBe(false);
    expect(plan('OK', 'US East (Ohio)').passed).toBe(false);
  });

  it('rejects a message of another topic', () => {
    const Message = JSON.stringify({ AlarmArn: 'a', NewStateValue: 'OK' });
    expect(planEvent(cloudwatch(), { ...envelope, Message })).toMatchObject({ passed: true, problems: [] });
    const other = { ...envelope, TopicArn: topic_arn.replace('123456789012', '999999999999'), Message };
    expect(planEvent(cloudwatch(), other)).toMatchObject({
      input: null,
      problems: [{ field: 'TopicArn', message: 'must be the topic_arn of the webhook' }],
    });
  });

  it.each<[string, number | null, boolean]>([
    ['ALARM', null, true],
    ['OK', 0, true],
    ['INSUFFICIENT_DATA', null, false],
  ])('reads the filters of an earlier release as conditions of the action: %s', (NewStateValue, rule, passed) => {
    const { when: filters, topic_arn: _, ...stored } = cloudwatch();
    const earlier: InboundSettings = completeDocument('inbound_webhook', { ...stored, filters } as never);
    const message = JSON.stringify({ AlarmArn: 'a', AlarmName: 'x', NewStateValue });
    expect(planEvent(earlier, { ...envelope, Message: message })).toMatchObject({ rule, passed });
  });

  it('has no key if the payload has none', () => {
    const keyed = settings({ dedup_key: '{{key}}' });
    expect(planEvent(keyed, { title: 'x', key: ' k1 ' }).dedupKey).toBe('k1');
    expect(planEvent(keyed, { title: 'x' })).toMatchObject({ dedupKey: null, problems: [] });
    const long = planEvent(keyed, { title: 'x', key: 'k'.repeat(maxDedupKeyLength + 1) });
    expect(long.problems).toEqual([{ field: 'dedup_key', message: 'must have at most 1000 characters' }]);
  });

  it.each([
    ['a key that comes out empty', { dedup_key: '{{key}}' }, 'dedup_key'],
    ['an id that comes out empty', { incident_id: '{{key}}' }, 'incident_id'],
    ['an id of another kind', { incident_id: 'CHG{{title}}' }, 'incident_id'],
  ])('rejects %s as the id of an incident', (_name, target, field) => {
    const plan = planEvent(settings({ action: 'resolve_incident', field_mapping: {}, ...target }), { title: 'x' });
    expect(plan.problems.map((problem) => problem.field)).toEqual([field]);
  });

  it('builds valid input from any payload, or lists the invalid fields', () => {
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

const payload = {
  a: { b: [{ c: 'deep' }, 'second'], n: 0, t: true, nothing: null, text: '' },
  payload: { a: 'inner' },
  list: [1, 2],
  severity: 'crit',
  name: 'Ünïcode 😀😀',
  'with-dash': 'dash',
};

describe('a template', () => {
  it.each([
    ['text without places', 'nothing to fill in', 'nothing to fill in'],
    ['a path', '{{a.b[0].c}}', 'deep'],
    ['a path with spaces around', '{{  a.b[1]  }}', 'second'],
    ['text around places', 'x {{a.b[0].c}}/{{severity}} y', 'x deep/crit y'],
    ['payload in front', '{{payload.a.n}}', '0'],
    ['$ in front', '{{$.a.n}}', '0'],
    ['a field called payload', '{{$.payload.a}}', 'inner'],
    ['a field called payload, below the payload', '{{payload.payload.a}}', 'inner'],
    ['only a path from $', '$.a.b[0].c', 'deep'],
    ['only a path from $, with spaces', '  $.a.b[1] ', 'second'],
    ['dollars that are no path', '$.50 is missing', '$.50 is missing'],
    ['the whole payload', '{{$.list}}', '[1,2]'],
    ['a truth value', '{{a.t}}', 'true'],
    ['a missing value', '<{{a.x.y}}>', '<>'],
    ['null', '<{{a.nothing}}>', '<>'],
    ['a place beyond the list', '<{{list[2]}}>', '<>'],
    ['a name in a list', '<{{list.length}}>', '<>'],
    ['a place in an object', '<{{a[0]}}>', '<>'],
    ['a name with a dash', '{{with-dash}}', 'dash'],
    ['default', '{{a.x | default:"none"}} {{a.text|default:"empty"}} {{a.n|default:"1"}}', 'none empty 0'],
    [
      'default with quotes and backslashes',
      String.raw`{{x | default:"say \"hi\" \\ }} |"}}`,
      String.raw`say "hi" \ }} |`,
    ],
    ['upper and lower', '{{severity | upper}} {{severity | upper | lower}}', 'CRIT crit'],
    ['truncate', '{{severity | truncate:2}} {{severity | truncate: 32000 }}', 'cr crit'],
    ['truncate between characters', '{{name | truncate:9}}', 'Ünïcode 😀'],
    ['map', '{{severity | map:"crit=P1, warn = P2"}}', 'P1'],
    ['map of what it does not know', '<{{a.b[1] | map:"crit=P1"}}>', '<>'],
    ['map and default', '{{a.b[1] | map:"crit=P1" | default:"P3"}}', 'P3'],
    ['map to an empty text', '<{{severity | map:"crit="}}>', '<>'],
    ['map to a text with =', '{{severity | map:"crit=a=b"}}', 'a=b'],
    ['closing braces alone', 'a }} b', 'a }} b'],
  ])('renders %s', (_name, template, expected) => {
    expect(render(template, payload)).toBe(expected);
  });

  it.each([
    ['{{', 3, 'a path such as a.b[0].c must follow {{'],
    ['abc {{x', 5, '{{ is not closed by }}'],
    ['{{}}', 3, 'a path such as a.b[0].c must follow {{'],
    ['{{ | upper}}', 4, 'a path such as a.b[0].c must follow {{'],
    ['{{a b}}', 5, 'only | and a filter, or }}, may follow'],
    ['{{a.[0]}}', 4, 'only | and a filter, or }}, may follow'],
    ['{{a[x]}}', 4, 'only | and a filter, or }}, may follow'],
    ['{{a | }}', 7, 'a filter must be one of default, upper, lower, truncate, map'],
    ['{{a | toString}}', 7, '"toString" must be one of default, upper, lower, truncate, map'],
    ['{{a | upper:"x"}}', 12, 'only | and a filter, or }}, may follow'],
    ['{{a | default}}', 14, 'default needs a quoted string: default:"…"'],
    ["{{a | default:'x'}}", 15, 'default needs a quoted string: default:"…"'],
    ['{{a | default:"x}}', 15, 'default needs a quoted string: default:"…"'],
    ['{{a | truncate:0}}', 16, 'truncate needs a number from 1 to 32000'],
    ['{{a | truncate:-1}}', 16, 'truncate needs a number from 1 to 32000'],
    ['{{a | map:"crit"}}', 10, 'map needs pairs: map:"crit=P1,warn=P2"'],
    ['😀😀 {{a', 4, '{{ is not closed by }}'],
  ])('rejects %s and says where', (template, position, message) => {
    expect(parseTemplate(template)).toEqual({ problem: { position, message } });
  });

  it.each([
    'constructor',
    '__proto__',
    'a.constructor.name',
    'toString',
    'list.length',
    'a.__proto__.x',
    'a()',
    'process.env',
  ])('renders nothing for %s', (path) => {
    expect(render(`<{{${path}}}>`, payload)).toBe('<>');
  });

  it('reads names with a meaning in JavaScript as ordinary fields', () => {
    const hostile = JSON.parse('{"__proto__": {"x": "own"}, "constructor": "mine"}');
    expect(render('{{__proto__.x}} {{constructor}}', hostile)).toBe('own mine');
    expect(render('{{a | map:"__proto__=x,y=z"}}', { a: '__proto__' })).toBe('x');
    expect(render('<{{a | map:"y=z"}}>', { a: 'constructor' })).toBe('<>');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('never evaluates a payload that looks like a template or code', () => {
    const texts = [
      '{{severity}}',
      '$.severity',
      '`$' + '{process.exit(1)}`',
      '{{a | upper}}',
      'constructor.constructor("x")()',
    ];
    for (const text of texts) expect(render('{{x}}', { x: text })).toBe(text);
  });

  it('is limited in length, even if it repeats a large value', () => {
    const large = { x: 'y'.repeat(250_000) };
    expect(render('{{x}}'.repeat(500), large)).toHaveLength(100_000);
  });

  it('never throws for any template and payload', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '|',
      ':',
      '"',
      '\\',
      '$',
      '.',
      '[',
      ']',
      '0',
      '99',
      'a',
      'b',
      'map',
      'default',
      'upper',
      'truncate',
      ' ',
      '=',
      ',',
      'crit',
      '😀',
      '\ud800',
      '__proto__',
      'constructor',
      'payload',
    );
    const templates = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(templates, fc.jsonValue({ maxDepth: 4 }), (template, value) => {
        const parsed = parseTemplate(template);
        if ('problem' in parsed) expect(parsed.problem.position).toBeGreaterThanOrEqual(1);
        expect(typeof render(template, value)).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });

  it('resolves paths like a reference implementation', () => {
    const name = fc
      .stringMatching(/^[a-z_$-][a-z0-9_$-]{0,5}$/)
      .filter((text) => text !== 'payload' && text !== '$' && !text.startsWith('$'));
    const steps = fc
      .array(fc.oneof(name, fc.nat(5)), { minLength: 1, maxLength: 5 })
      .filter(([first]) => typeof first === 'string');
    fc.assert(
      fc.property(steps, fc.string({ minLength: 1 }), (path, leaf) => {
        const value = path.reduceRight<unknown>(
          (inner, step) =>
            typeof step === 'number' ? [...Array.from({ length: step }, () => null), inner] : { [step]: inner },
          leaf,
        );
        const text = path
          .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
          .join('');
        expect(render(`{{${text}}}`, value)).toBe(leaf);
        expect(render(`$.${text}`, value)).toBe(leaf);
      }),
    );
  });
});
