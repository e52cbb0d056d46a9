import type * as z from 'zod';
import { incidentListQuery } from '../../../contract/incidents.ts';
import { flag, ifMatchHeaders, line, text, timeBound } from '../../../contract/records.ts';

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
