import fc from 'fast-check';
import { assertEtagMatches, isNotModified, toEtag } from '../../../lambdas/records/record.ts';

const record = fc.record({ version: fc.integer({ min: 1, max: 1e9 }), notes_count: fc.nat(1e6) });

describe('an ETag', () => {
  it('is the same exactly for the same version and number of notes', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(toEtag(a) === toEtag(b)).toBe(a.version === b.version && a.notes_count === b.notes_count);
        expect(isNotModified(toEtag(a), b)).toBe(toEtag(a) === toEtag(b));
      }),
    );
  });

  it('matches by the version alone, so that notes do not get in the way', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const matches = () => assertEtagMatches(toEtag(a), b);
        if (a.version === b.version) expect(matches).not.toThrow();
        else expect(matches).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
      }),
    );
  });

  const now = { version: 3, notes_count: 1 };

  it.each([undefined, '*', '"3-1"', '"3-0"', ' "1-0" , "3-9" '])('lets a change with If-Match %s pass', (header) => {
    expect(() => assertEtagMatches(header, now)).not.toThrow();
  });

  it.each(['"2-1"', 'W/"3-1"', '""', '"3"', '"3-"', '"a", "b"'])('refuses a change with If-Match %s', (header) => {
    expect(() => assertEtagMatches(header, now)).toThrow('The record has changed; its ETag is now "3-1".');
  });

  it.each([
    [undefined, false],
    ['*', true],
    ['W/"3-1"', true],
    ['"2-0", "3-1"', true],
    ['"3-0"', false],
  ])('with If-None-Match %s counts as unchanged: %s', (header, unchanged) => {
    expect(isNotModified(header, now)).toBe(unchanged);
  });
});
