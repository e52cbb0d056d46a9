import type * as z from 'zod';
import { queryRequest } from '../../../contract/ai-schemas.ts';
import { changeCalendarQuery } from '../../../contract/change-calendar.ts';
import { changeCreation, changeListQuery, changePatch } from '../../../contract/changes.ts';
import { inboundWebhookCreation } from '../../../contract/inbound-webhooks.ts';
import { incidentListQuery } from '../../../contract/incidents.ts';
import { email, flag, ifMatchHeaders, line, text, timeBound } from '../../../contract/records.ts';
import { requestListQuery } from '../../../contract/requests.ts';
import { hasRole, roles } from '../../../contract/roles.ts';
import { parseTemplate } from '../../../contract/webhook-templates.ts';
import { splitPassages, splitSentences } from '../../../lambdas/ai/knowledge/passages.ts';
import { findIdentifiers, splitWords } from '../../../lambdas/lists/words.ts';
import { isJson, validateFields } from '../../../lambdas/platform/http/request-input.ts';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';
import fc from '../../support/properties.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('texts', () => {
  it('count characters, not code units', () => {
    expect(accepts(line(3, ''), '🔥🔥🔥')).toBe(true);
    expect(accepts(line(3, ''), 'abcd')).toBe(false);
  });

  it.each(['a\tb', 'a\r\nb', 'ä', '<script>', "'; DROP TABLE incidents; --"])('may hold %j', (value) => {
    expect(accepts(text(100, ''), value)).toBe(true);
  });

  it.each(['', ' ', '\n', 'a\u0000', 'a\u001b[31m', 'a\u0085', '\udc00'])('may not be %j', (value) => {
    expect(accepts(text(100, ''), value)).toBe(false);
  });
});

describe('timestamps', () => {
  it.each(['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123456+00:00', '2026-03-01T10:30:00+01:00', '2024-02-29'])(
    'may be %s',
    (value) => {
      expect(accepts(timeBound(''), value)).toBe(true);
      expect(Number.isNaN(Date.parse(value))).toBe(false);
    },
  );

  it.each(['yesterday', '2026-02-30', '2026-03-01T25:00:00Z', '2026-03-01T09:30:00', '1772357401', ''])(
    'may not be %s',
    (value) => {
      expect(timeBound('').safeParse(value).error?.issues[0]?.message).toMatch(
        /^must be an ISO 8601 timestamp or date/,
      );
    },
  );
});

describe('flags', () => {
  it('are true, false or absent', () => {
    expect([flag('').parse('true'), flag('').parse('false'), flag('').parse(undefined)]).toEqual([true, false, false]);
    expect(accepts(flag(''), 'yes')).toBe(false);
  });
});

describe('If-Match', () => {
  it.each(['*', '"1-0"', 'W/"1-0"', '"1-0", "2-0"', ' "a" '])('may be %s', (value) => {
    expect(accepts(ifMatchHeaders, { 'If-Match': value })).toBe(true);
  });

  it.each(['', '1-0', '"1-0', '*, "1-0"', '"1-0" "2-0"', 'null'])('may not be %s', (value) => {
    expect(accepts(ifMatchHeaders, { 'If-Match': value })).toBe(false);
  });
});

describe('the query of a list', () => {
  const parse = (query: object) => incidentListQuery.safeParse(query);

  it('has defaults', () => {
    expect(parse({}).data).toMatchObject({ sort: 'created_at', order: 'desc', limit: 25 });
  });

  it('accepts several states and priorities, each once', () => {
    expect(parse({ state: 'new, on_hold,new', priority: 'P1' }).data).toMatchObject({
      state: ['new', 'on_hold'],
      priority: ['P1'],
    });
  });

  it.each([
    { state: 'open' },
    { state: '' },
    { state: 'new,' },
    { priority: 'P1,P9' },
    { limit: '0' },
    { limit: '201' },
    { limit: 'abc' },
    { page: '0' },
    { page: '1', cursor: 'x' },
    { sort: 'id' },
    { order: 'up' },
    { q: '' },
    { created_after: 'soon' },
    { colour: 'red' },
  ])('rejects %j', (query) => {
    expect(parse(query).success).toBe(false);
  });
});

const backwards = { planned_start: '2028-01-10T22:00:00Z', planned_end: '2028-01-10T20:00:00Z' };
const creation = { created_after: '2026-03-02', created_before: '2026-03-01T23:00:00Z' };

describe('rules across fields', () => {
  it.each([
    ['a new change', changeCreation, { ...backwards, risk: 'huge' }, ['short_description', 'risk', 'planned_end']],
    [
      'a changed change',
      changePatch,
      { ...backwards, nope: 1, assigned_to: 'me' },
      ['nope', 'assigned_to', 'planned_end'],
    ],
    ['a calendar', changeCalendarQuery, { from: '2026-03-02', to: '2026-03-01', days: '3' }, ['days', 'to']],
    ['a long calendar', changeCalendarQuery, { from: '2026-01-01', to: '2027-01-01', days: '3' }, ['days', 'to']],
    ['pages', incidentListQuery, { page: '2', cursor: 'x', state: 'odd' }, ['state', 'page']],
    ['both ends of creation', incidentListQuery, { ...creation, limit: '0' }, ['limit', 'created_before']],
    ['creation of changes', changeListQuery, { ...creation, risk: 'huge' }, ['risk', 'created_before']],
    ['creation and pages', requestListQuery, { ...creation, page: '1', cursor: 'x' }, ['page', 'created_before']],
    ['two questions', queryRequest, { query: 'a', question: 'b', model: 'big' }, ['model', 'query']],
    ['no question', queryRequest, { model: 'big' }, ['model', 'query']],
    [
      'a filter',
      inboundWebhookCreation,
      { name: '', filters: [{ field: '', operator: 'in', value: 1 }] },
      ['name', 'filters[0].field', 'filters[0].value'],
    ],
  ])('are listed together with all other problems: %s', (_name, schema, value, fields) => {
    expect(listProblemFields(schema, value)).toEqual(expect.arrayContaining(fields));
  });

  it.each([
    ['a time that is none', changeCreation, { ...backwards, planned_end: 'noon' }, 'planned_end'],
    ['a body that is none', changeCreation, 'change', 'body'],
    ['nothing', changePatch, null, 'body'],
    [
      'an unknown operator',
      inboundWebhookCreation,
      { filters: [{ field: 'a', operator: 'is' }] },
      'filters[0].operator',
    ],
  ])('are skipped if their own fields are invalid: %s', (_name, schema, value, field) => {
    expect(listProblemFields(schema, value).filter((each) => each === field)).toHaveLength(1);
  });

  it.each([
    ['a window that is open', changePatch, { planned_start: backwards.planned_start, planned_end: null }],
    ['one end of creation', incidentListQuery, { created_before: '2026-03-01' }],
    ['an empty span of creation', incidentListQuery, { created_after: '2026-03-01', created_before: '2026-03-01' }],
  ])('accept valid combinations: %s', (_name, schema, value) => {
    expect(listProblemFields(schema, value)).toEqual([]);
  });
});

function listProblemFields(schema: z.ZodType, value: unknown): string[] {
  return validateFields(schema, value, 'body').problems.map(({ field }) => field);
}

describe('hasRole', () => {
  it('gives a role all permissions of lower roles', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (held, minimum) => {
        expect(hasRole([roles[held]!], roles[minimum]!)).toBe(held >= minimum);
      }),
    );
  });

  it('uses the highest role', () => {
    expect(hasRole(['viewer', 'itsm_manager'], 'itsm_manager')).toBe(true);
  });

  it('rejects a caller without a role', () => {
    expect(hasRole([], 'viewer')).toBe(false);
  });
});

// These functions read texts of callers before a length limit applies, so they must run in linear time: 60,000 characters
// take milliseconds, whereas quadratic time would take seconds.

const length = 60_000;
const maxMs = 2_000;

const seal = createHmacCursorSeal('key');

const readers: Record<string, (given: string) => unknown> = {
  findIdentifiers,
  wordsOf: (given) => splitWords([given]),
  parseTemplate,
  splitPassages: (given) => splitSentences(splitPassages({ body: given })),
  isJson,
  'an e-mail address': (given) => email('').safeParse(given),
  'a time bound': (given) => timeBound('').safeParse(given),
  'a line': (given) => line(255, '').safeParse(given),
  'a text': (given) => text(32_000, '').safeParse(given),
  'an ETag': (given) => ifMatchHeaders.safeParse({ 'If-Match': given }),
  'a cursor': (given) => {
    try {
      return seal.open('list', given);
    } catch {
      return undefined;
    }
  },
};

const pieces = [
  'a',
  'A1',
  ' ',
  '\n',
  '\t',
  '.',
  '-',
  '@',
  'a@a.',
  '{{',
  '{{a}}',
  '{{a|',
  '"',
  '"a",',
  '# ',
  '#',
  '0',
  '2026-',
  '/',
  '_',
];

describe.each(Object.keys(readers))('%s', (name) => {
  it('takes linear time for any repeated text', () => {
    const repeated = fc.tuple(
      fc.constantFrom('', ...pieces),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
      fc.constantFrom('', ...pieces),
    );
    fc.assert(
      fc.property(repeated, ([start, piece, end]) => {
        const given = `${start}${piece.repeat(Math.floor(length / piece.length))}${end}`;
        const from = process.cpuUsage();
        readers[name]!(given);
        expect(process.cpuUsage(from).user / 1_000).toBeLessThan(maxMs);
      }),
      {
        numRuns: 30,
        examples: [
          ['', 'a', ''],
          ['# a', ' ', 'b'],
          ['', 'a@a.', '@'],
        ].map((example) => [example]) as [[string, string, string]][],
      },
    );
  });
});
