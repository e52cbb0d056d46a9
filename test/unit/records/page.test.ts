import fc from 'fast-check';
import { createHmacCursorSeal, fitRows, maxPageBytes, measureJson } from '../../../lambdas/records/page.ts';

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
    const response = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
    expect(response).toBeLessThan(lambdaAnswerBytes - 100_000);
  });
});

const { seal, open } = createHmacCursorSeal('a key');
const foreign = expect.objectContaining({ code: 'invalid_input' });

describe('a cursor', () => {
  it('returns its position in its own list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1, unit: 'grapheme' }), (list, position) => {
        expect(open(list, seal(list, position))).toBe(position);
      }),
    );
  });

  it('is rejected in every other list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (list, other, position) => {
        fc.pre(list !== other);
        expect(() => open(other, seal(list, position))).toThrow(foreign);
      }),
    );
  });

  it('is rejected when any of its bytes was changed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (position, at, flip) => {
        const bytes = Buffer.from(seal('list', position), 'base64url');
        bytes[at % bytes.length]! ^= flip;
        expect(() => open('list', bytes.toString('base64url'))).toThrow(foreign);
      }),
    );
  });

  it('is rejected when it is malformed', () => {
    fc.assert(fc.property(fc.string(), (nonsense) => expect(() => open('list', nonsense)).toThrow(foreign)));
  });

  it('is rejected by a service with another key', () => {
    expect(() => createHmacCursorSeal('another key').open('list', seal('list', 'x'))).toThrow(foreign);
  });

  it('does not confuse the end of the list’s name with the start of the position', () => {
    expect(() => open('ab', seal('a', 'bc'))).toThrow(foreign);
  });
});
