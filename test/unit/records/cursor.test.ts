import fc from 'fast-check';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';

const { seal, open } = createHmacCursorSeal('a key');
const foreign = expect.objectContaining({ code: 'invalid_input' });

describe('a cursor', () => {
  it('leads back to its position in its own list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1, unit: 'grapheme' }), (list, position) => {
        expect(open(list, seal(list, position))).toBe(position);
      }),
    );
  });

  it('is refused in every other list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (list, other, position) => {
        fc.pre(list !== other);
        expect(() => open(other, seal(list, position))).toThrow(foreign);
      }),
    );
  });

  it('is refused when any of its bytes was changed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (position, at, flip) => {
        const bytes = Buffer.from(seal('list', position), 'base64url');
        bytes[at % bytes.length]! ^= flip;
        expect(() => open('list', bytes.toString('base64url'))).toThrow(foreign);
      }),
    );
  });

  it('is refused when it is nonsense', () => {
    fc.assert(fc.property(fc.string(), (nonsense) => expect(() => open('list', nonsense)).toThrow(foreign)));
  });

  it('is refused by a service with another key', () => {
    expect(() => createHmacCursorSeal('another key').open('list', seal('list', 'x'))).toThrow(foreign);
  });

  it('does not confuse the end of the list’s name with the start of the position', () => {
    expect(() => open('ab', seal('a', 'bc'))).toThrow(foreign);
  });
});
