import { compileCondition } from '../../../../local/iam/condition.ts';

type Context = Record<string, readonly string[]>;

function matches(block: unknown, context: Context): boolean {
  const problems: string[] = [];
  const condition = compileCondition(block, (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return condition((key) => keys.get(key.toLowerCase()));
}

function listProblems(block: unknown): string[] {
  const problems: string[] = [];
  compileCondition(block, (problem) => problems.push(problem));
  return problems;
}

describe('condition', () => {
  const cases: [unknown, Context, boolean][] = [
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['A'] }, false],
    [{ StringEquals: { 'AWS:X': ['b', 'a'] } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, {}, false],
    [{ StringLike: { 'aws:x': 'inc-*' } }, { 'aws:x': ['inc-1'] }, true],
    [{ StringLike: { 'aws:x': 'inc-?' } }, { 'aws:x': ['inc-12'] }, false],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, { 'aws:SecureTransport': ['true'] }, true],
    [{ Bool: { 'aws:SecureTransport': false } }, { 'aws:SecureTransport': ['true'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a', 'b'] } }, { 'd:k': ['a', 'b'] }, true],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, { 'd:k': ['a', 'b'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, {}, true],
    [{ 'ForAllValues:StringLike': { 'd:k': ['inc-*'] } }, { 'd:k': ['inc-1', 'inc-2'] }, true],
    [{ StringEquals: { 'aws:x': 'a', 'aws:y': 'b' } }, { 'aws:x': ['a'], 'aws:y': ['c'] }, false],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['true'] }, true],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['false'] }, false],
  ];

  it.each(cases)('%j with %j: %s', (block, context, expected) => {
    expect(matches(block, context)).toBe(expected);
  });

  it.each([
    [{ StringMatches: { 'aws:x': 'a' } }, 'condition operator StringMatches is not supported'],
    [{ constructor: { 'aws:x': 'a' } }, 'condition operator constructor is not supported'],
    [{ StringNotEquals: { 'aws:x': 'a' } }, 'condition operator StringNotEquals is not supported'],
    [{ NumericLessThan: { 'aws:x': 5 } }, 'condition operator NumericLessThan is not supported'],
    [{ StringEqualsIfExists: { 'aws:x': 'a' } }, 'condition operator StringEqualsIfExists is not supported'],
    [{ 'ForSomeValues:StringEquals': { 'aws:x': 'a' } }, 'ForSomeValues:StringEquals is not supported'],
    [{ StringEquals: 'a' }, 'condition operator StringEquals must contain an object'],
    [{ StringEquals: { 'dynamodb:LeadingKeys': 'a' } }, 'requires ForAllValues'],
    ['always', 'Condition must be an object'],
  ])('reports %j', (block, problem) => {
    expect(listProblems(block).join()).toContain(problem);
  });
});
