import fc from 'fast-check';
import { fillTemplate } from '../../../../local/step-functions/data-flow.ts';
import { evaluate, readExpression } from '../../../../local/step-functions/intrinsic.ts';

const data = {
  id: 123,
  name: 'Arnav',
  template: 'Hi {}',
  list: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  words: ['a', 'b', 'a'],
  nested: { a: [1, { b: null }] },
  json: '{"number":20}',
};
const context = { Execution: { Name: 'run-1' } };

const run = (expression: string) => evaluate(readExpression(expression), { data, context }, 'field.$');

describe('intrinsic functions', () => {
  it.each([
    ["States.Format('Hello, my name is {}.', $.name)", 'Hello, my name is Arnav.'],
    ['States.Format($.template, $.id)', 'Hi 123'],
    ["States.Format('{} {}', $.words, null)", '["a","b","a"] null'],
    [String.raw`States.Format('\{\} it\'s \\ {}', 1)`, String.raw`{} it's \ 1`],
    ['States.StringToJson($.json)', { number: 20 }],
    ['States.JsonToString($.nested)', '{"a":[1,{"b":null}]}'],
    ["States.Array('Foo', 2020, $.name, null)", ['Foo', 2020, 'Arnav', null]],
    ['States.Array()', []],
    ['States.ArrayPartition($.list, 4)', [[1, 2, 3, 4], [5, 6, 7, 8], [9]]],
    ['States.ArrayContains($.list, 5)', true],
    ['States.ArrayContains($.list, 10)', false],
    ['States.ArrayRange(1, 9, 2)', [1, 3, 5, 7, 9]],
    ['States.ArrayRange(5, 1, -2)', [5, 3, 1]],
    ['States.ArrayGetItem($.list, 5)', 6],
    ['States.ArrayLength($.list)', 9],
    ['States.ArrayUnique($.words)', ['a', 'b']],
    ["States.Base64Encode('Data to encode')", 'RGF0YSB0byBlbmNvZGU='],
    ["States.Base64Decode('RGF0YSB0byBlbmNvZGU=')", 'Data to encode'],
    ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['States.JsonMerge($.nested, States.StringToJson($.json), false)', { a: [1, { b: null }], number: 20 }],
    ['States.MathAdd(111, -1)', 110],
    ["States.StringSplit('1,2,3.4', ',.')", ['1', '2', '3', '4']],
    ["States.Format('{}', $$.Execution.Name)", 'run-1'],
    ["States.ArrayGetItem(States.StringSplit('a/b', '/'), 1)", 'b'],
  ])('%s', (expression, expected) => {
    expect(run(expression)).toEqual(expected);
  });

  it('makes version 4 UUIDs', () => {
    expect(run('States.UUID()')).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('draws from a range, the same with the same seed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(),
        (from, length, seed) => {
          const drawn = run(`States.MathRandom(${from}, ${from + length})`) as number;
          expect(drawn >= from && drawn < from + length).toBe(true);
          const seeded = `States.MathRandom(${from}, ${from + length}, ${seed})`;
          expect(run(seeded)).toBe(run(seeded));
        },
      ),
    );
  });

  it('joins what ArrayPartition cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (list, size) => {
        const parts = evaluate(readExpression(`States.ArrayPartition($, ${size})`), { data: list, context }, '');
        expect((parts as unknown[][]).flat()).toEqual(list);
        expect((parts as unknown[][]).slice(0, -1).every((part) => part.length === size)).toBe(true);
      }),
    );
  });

  it('gives back JSON that went through text, and text that went through Base64', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'grapheme', maxLength: 50 }), (json, text) => {
        const scope = { data: { json, text }, context };
        expect(evaluate(readExpression('States.StringToJson(States.JsonToString($.json))'), scope, '')).toEqual(
          JSON.parse(JSON.stringify(json)),
        );
        expect(evaluate(readExpression('States.Base64Decode(States.Base64Encode($.text))'), scope, '')).toBe(text);
      }),
    );
  });

  it.each([
    "States.Format('{} {}', 1)",
    "States.Format('{}', 1, 2)",
    'States.StringToJson($.name)',
    'States.ArrayGetItem($.list, 99)',
    'States.ArrayLength($.name)',
    'States.ArrayRange(1, 5000, 1)',
    'States.JsonMerge($.nested, $.nested, true)',
    "States.MathAdd('a', 1)",
    "States.Hash('x', 'CRC')",
    'States.Format($.none)',
  ])('fails at run time: %s', (expression) => {
    expect(() => run(expression)).toThrow('States.Runtime');
  });

  it.each([
    'States.Nope()',
    "States.Format('open",
    'States.Array(1,',
    'Hello',
    'States.Array(1) x',
    `${'States.Array('.repeat(11)}${')'.repeat(11)}`,
  ])('refuses %s when it is read', (expression) => {
    expect(() => readExpression(expression)).toThrow(/at position/);
  });
});

describe('a payload template', () => {
  it('fills keys that end in .$ at any depth and keeps the rest', () => {
    const template = {
      'a.$': '$.id',
      b: { 'c.$': "States.Format('{}!', $.name)", d: '$.id' },
      e: [{ 'f.$': '$$.Execution.Name' }, 1],
    };
    expect(fillTemplate(template, { data, context })).toEqual({
      a: 123,
      b: { c: 'Arnav!', d: '$.id' },
      e: [{ f: 'run-1' }, 1],
    });
  });

  it('names the path and the field when nothing is there', () => {
    expect(() => fillTemplate({ 'x.$': '$.none' }, { data: { a: 1 }, context })).toThrow(
      `The JSONPath '$.none' specified for the field 'x.$' could not be found in the input '{"a":1}'`,
    );
  });
});
