import fc from 'fast-check';
import { applyResultPath } from '../../../../local/step-functions/data-flow.ts';
import { absent, readPath, select } from '../../../../local/step-functions/json-path.ts';

const data = {
  foo: 123,
  bar: ['a', 'b', 'c', 'd'],
  car: { cdr: true, 'two words': 1, nothing: null },
  store: {
    book: [
      { title: 'one', price: 5, tags: ['x'] },
      { title: 'two', price: 15 },
      { title: 'three', price: 25, isbn: '3' },
    ],
    bicycle: { price: 100 },
  },
};

describe('JSONPath', () => {
  it.each([
    ['$', data],
    ['$.foo', 123],
    ['$.car.cdr', true],
    ['$.car.nothing', null],
    ["$.car['two words']", 1],
    ["$.car.['two words']", 1],
    ['$["foo"]', 123],
    ['$.bar[0]', 'a'],
    ['$.bar[-1]', 'd'],
    ['$.bar[1:3]', ['b', 'c']],
    ['$.bar[:2]', ['a', 'b']],
    ['$.bar[-2:]', ['c', 'd']],
    ['$.bar[::2]', ['a', 'c']],
    ['$.bar[0,2]', ['a', 'c']],
    ['$.bar[*]', ['a', 'b', 'c', 'd']],
    ['$.car.*', [true, 1, null]],
    ['$.store.book[*].title', ['one', 'two', 'three']],
    ['$..price', [5, 15, 25, 100]],
    ['$..book[0].title', ['one']],
    ['$.store.book[?(@.price < 20)].title', ['one', 'two']],
    ["$.store.book[?(@.title == 'two' || @.isbn)].price", [15, 25]],
    ['$.store.book[?(@.price > 10 && !@.isbn)].title', ['two']],
    ['$.store.book[?(@.price >= $.store.book[1].price)].title', ['two', 'three']],
    ["$.store.book[?((@.price == 5) && (@.tags[0] == 'x'))].title", ['one']],
    ['$.store.book[?(@.price != 5 && @.isbn == null)].title', []],
    ['$.bar[?(@ == "c")]', ['c']],
  ])('%s', (path, expected) => {
    expect(select(readPath(path), data)).toEqual(expected);
  });

  it.each(['$.none', '$.foo.bar', '$.bar[9]', '$.car[0]', '$.none[*]', '$.toString'])('finds nothing at %s', (path) => {
    expect(select(readPath(path), data)).toBe(absent);
  });

  it.each([
    '$.bar.length()',
    '$.store.book[?(@.title =~ /t/)]',
    'foo',
    '$.',
    '$.bar[',
    '$.bar[?(@.a in [1])]',
    '$.bar[(@.length-1)]',
    '$.a b',
    '$.bar[::0]',
    "$['open",
  ])('refuses %s when it is read', (path) => {
    expect(() => readPath(path)).toThrow(/at position/);
  });

  it('gets back what ResultPath put, and leaves the rest as it was', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue()),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.jsonValue(),
        (input, names, result) => {
          const path = `$.${names.join('.')}`;
          let node: unknown = input;
          for (const part of names.slice(0, -1)) {
            node = Object.hasOwn(Object(node), part) ? (node as Record<string, unknown>)[part] : {};
            fc.pre(node !== null && typeof node === 'object' && !Array.isArray(node));
          }
          const before = JSON.stringify(input);
          const output = applyResultPath(path, input, result) as Record<string, unknown>;
          expect(select(readPath(path), output)).toEqual(result);
          for (const key of Object.keys(input)) if (key !== names[0]) expect(output[key]).toEqual(input[key]);
          expect(JSON.stringify(input)).toBe(before);
        },
      ),
    );
  });
});

describe('ResultPath', () => {
  it.each([
    [undefined, { a: 1 }, 2, 2],
    ['$', { a: 1 }, 2, 2],
    [null, { a: 1 }, 2, { a: 1 }],
    ['$.a', { a: 1 }, 2, { a: 2 }],
    ['$.b.c', { a: 1 }, 2, { a: 1, b: { c: 2 } }],
    ['$.a[1]', { a: [1, 2, 3] }, 9, { a: [1, 9, 3] }],
  ])('%s', (path, input, result, expected) => {
    expect(applyResultPath(path, input, result)).toEqual(expected);
  });

  it.each([
    ['$.a.b', { a: 1 }],
    ['$.a[3]', { a: [1] }],
    ['$.a', 'text'],
  ])('cannot apply %s', (path, input) => {
    expect(() => applyResultPath(path, input, 1)).toThrow('States.ResultPathMatchFailure');
  });
});
