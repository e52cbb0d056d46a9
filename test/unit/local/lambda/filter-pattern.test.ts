import { readFilters } from '../../../../local/lambda/event-sources/filter-pattern.ts';

const filters = (...patterns: object[]) =>
  readFilters({ Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) })!;

describe('FilterCriteria', () => {
  it('lets everything through where there are none', () => {
    expect(readFilters(undefined)).toBeUndefined();
  });

  it.each([
    [{ a: ['x', 1, true, null] }, [{ a: 'x' }, { a: 1 }, { a: true }, { a: null }], [{ a: 'y' }, { a: '1' }, {}, 'x']],
    [{ a: { b: ['x'] } }, [{ a: { b: 'x', c: 1 } }], [{ a: 'x' }, { a: { c: 'x' } }]],
    [{ a: [{ prefix: 'no' }] }, [{ a: 'note' }], [{ a: 'a no' }, { a: 1 }, {}]],
    [{ a: [{ suffix: 'te' }] }, [{ a: 'note' }], [{ a: 'ten' }]],
    [{ a: [{ exists: false }] }, [{}, { b: 1 }], [{ a: null }]],
    [{ a: [{ exists: true }] }, [{ a: 0 }], [{}]],
    [{ a: [{ 'anything-but': ['x'] }] }, [{ a: 'y' }], [{ a: 'x' }, {}]],
    [{ a: ['x'], b: ['y'] }, [{ a: 'x', b: 'y' }], [{ a: 'x' }]],
  ])('%j', (pattern, passing, failing) => {
    const matches = filters(pattern);
    expect(passing.map(matches)).toEqual(passing.map(() => true));
    expect(failing.map(matches)).toEqual(failing.map(() => false));
  });

  it('lets through what one of several patterns matches', () => {
    const matches = filters({ a: ['x'] }, { b: ['y'] });
    expect([{ a: 'x' }, { b: 'y' }, { a: 'y' }].map(matches)).toEqual([true, true, false]);
  });

  it.each([
    [{ Filters: [] }, 'a list of 1 to 10'],
    [{ Filters: [{ Pattern: '{' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '[]' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '{}' }] }, 'names no field'],
    [{ Filters: [{ Pattern: '{"a":"x"}' }] }, 'a must list the values'],
    [{ Filters: [{ Pattern: '{"a":{"b":[{"numeric":[">",1]}]}}' }] }, 'of a.b is not supported'],
  ])('refuses %j', (criteria, problem) => {
    expect(() => readFilters(criteria)).toThrow(problem);
  });
});
