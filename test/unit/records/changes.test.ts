import fc from 'fast-check';
import { applyPatch, diffFields } from '../../../lambdas/records/change-record.ts';

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()), fc.object());
const document = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  value.map((each) => JSON.parse(JSON.stringify(each))),
);

describe('patched', () => {
  it('replaces what is named and keeps the rest', () => {
    expect(applyPatch({ a: 1, b: [1, 2], c: null as null | string }, { b: [3], c: 'x' })).toEqual({
      a: 1,
      b: [3],
      c: 'x',
    });
  });

  it('does not take a field that is not there for one that is null', () => {
    expect(applyPatch({ a: 1 }, { a: undefined } as object)).toEqual({ a: 1 });
  });
});

describe('changesBetween', () => {
  it('leads from one document to the other, in both directions', () => {
    fc.assert(
      fc.property(document, document, (before, patch) => {
        const after = applyPatch(before, patch);
        const changes = Object.entries(diffFields(before, after));
        const forth = Object.fromEntries(changes.map(([name, { to }]) => [name, to]));
        const back = Object.fromEntries(changes.map(([name, { from }]) => [name, from]));
        expect(diffFields(applyPatch(before, forth), after)).toEqual({});
        expect(diffFields(applyPatch(after, back), before)).toEqual({});
      }),
    );
  });

  it('finds nothing between a document and itself', () => {
    fc.assert(fc.property(document, (same) => expect(diffFields(same, structuredClone(same))).toEqual({})));
  });

  it('takes a field that is missing for null', () => {
    expect(diffFields({}, { a: null, b: 0 })).toEqual({ b: { from: null, to: 0 } });
  });
});
