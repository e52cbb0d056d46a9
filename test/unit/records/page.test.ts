import fc from 'fast-check';
import { fitRows, maxPageBytes, measureJson } from '../../../lambdas/records/page.ts';

const lambdaAnswerBytes = 6 * 1024 * 1024;

describe('fitRows', () => {
  it('keeps a prefix of at most `limit` rows, and at least one', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 2 * maxPageBytes }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (rows, limit) => {
        const kept = fitRows(rows, limit, (bytes) => bytes);
        const sum = (some: readonly number[]) => some.reduce((total, bytes) => total + bytes, 0);
        expect(kept).toEqual(rows.slice(0, kept.length));
        expect(kept.length).toBeLessThanOrEqual(limit);
        if (rows.length > 0) expect(kept.length).toBeGreaterThan(0);
        if (kept.length > 1) expect(sum(kept)).toBeLessThanOrEqual(maxPageBytes);
        if (kept.length < Math.min(rows.length, limit)) {
          expect(sum(rows.slice(0, kept.length + 1))).toBeGreaterThan(maxPageBytes);
        }
      }),
    );
  });

  it.each(['"', '\\', '\n', '🔥', 'é'])('leaves room for the escapes that Lambda adds to texts of %j', (character) => {
    const rows = Array.from({ length: 200 }, () => ({ body: character.repeat(32_000) }));
    const body = JSON.stringify({ data: fitRows(rows, 200, measureJson) });
    const answer = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
    expect(answer).toBeLessThan(lambdaAnswerBytes - 100_000);
  });
});
