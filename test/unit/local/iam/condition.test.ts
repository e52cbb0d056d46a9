// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policy variables are written ${like:this}.
import { compileCondition } from '../../../../local/iam/condition.ts';

type Context = Record<string, readonly string[]>;

function holds(block: unknown, context: Context): boolean {
  const problems: string[] = [];
  const condition = compileCondition(block, {}, (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return condition((key) => keys.get(key.toLowerCase()));
}

function problemsOf(block: unknown): string[] {
  const problems: string[] = [];
  compileCondition(block, {}, (problem) => problems.push(problem));
  return problems;
}

describe('condition', () => {
  const cases: [unknown, Context, boolean][] = [
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['A'] }, false],
    [{ StringEquals: { 'AWS:X': ['b', 'a'] } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, {}, false],
    [{ StringEqualsIfExists: { 'aws:x': 'a' } }, {}, true],
    [{ StringEqualsIfExists: { 'aws:x': 'a' } }, { 'aws:x': ['b'] }, false],
    [{ StringEquals: { 'aws:x': '${aws:y}' } }, { 'aws:x': ['a'], 'aws:y': ['a'] }, true],
    [{ StringEquals: { 'aws:x': '${aws:y}' } }, { 'aws:x': ['a'] }, false],
    [{ StringNotEquals: { 'aws:x': 'a' } }, { 'aws:x': ['b'] }, true],
    [{ StringNotEquals: { 'aws:x': ['a', 'b'] } }, { 'aws:x': ['b'] }, false],
    [{ StringNotEquals: { 'aws:x': 'a' } }, {}, true],
    [{ StringEqualsIgnoreCase: { 'aws:x': 'AbC' } }, { 'aws:x': ['aBc'] }, true],
    [{ StringNotEqualsIgnoreCase: { 'aws:x': 'AbC' } }, { 'aws:x': ['aBc'] }, false],
    [{ StringLike: { 'aws:x': 'inc-*' } }, { 'aws:x': ['inc-1'] }, true],
    [{ StringLike: { 'aws:x': 'inc-?' } }, { 'aws:x': ['inc-12'] }, false],
    [{ StringNotLike: { 'aws:x': 'inc-*' } }, { 'aws:x': ['inc-1'] }, false],
    [{ NumericEquals: { 'aws:n': '5' } }, { 'aws:n': ['5.0'] }, true],
    [{ NumericNotEquals: { 'aws:n': 5 } }, { 'aws:n': ['5'] }, false],
    [{ NumericLessThan: { 'aws:n': '5' } }, { 'aws:n': ['5'] }, false],
    [{ NumericLessThanEquals: { 'aws:n': '5' } }, { 'aws:n': ['5'] }, true],
    [{ NumericGreaterThan: { 'aws:n': '5' } }, { 'aws:n': ['10'] }, true],
    [{ NumericGreaterThanEquals: { 'aws:n': '5' } }, { 'aws:n': ['4'] }, false],
    [{ NumericLessThan: { 'aws:n': '5' } }, { 'aws:n': ['many'] }, false],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, { 'aws:SecureTransport': ['true'] }, true],
    [{ Bool: { 'aws:SecureTransport': false } }, { 'aws:SecureTransport': ['true'] }, false],
    [{ Null: { 'aws:x': 'true' } }, {}, true],
    [{ Null: { 'aws:x': true } }, { 'aws:x': ['a'] }, false],
    [{ Null: { 'aws:x': 'false' } }, { 'aws:x': ['a'] }, true],
    [{ ArnLike: { 'aws:a': 'arn:aws:sns:*:1:t*' } }, { 'aws:a': ['arn:aws:sns:us-east-1:1:topic'] }, true],
    [{ ArnEquals: { 'aws:a': 'arn:aws:sns:*:1:t*' } }, { 'aws:a': ['arn:aws:sns:us-east-1:2:topic'] }, false],
    [{ ArnNotEquals: { 'aws:a': 'arn:aws:sns:*:1:t' } }, { 'aws:a': ['arn:aws:sns:x:1:u'] }, true],
    [{ ArnNotLike: { 'aws:a': 'arn:aws:sns:*:1:*' } }, { 'aws:a': ['arn:aws:sns:x:1:u'] }, false],
    [{ DateLessThan: { 'aws:t': '2030-01-01T00:00:00Z' } }, { 'aws:t': ['2029-12-31T23:59:59Z'] }, true],
    [{ DateGreaterThan: { 'aws:t': '2030-01-01T00:00:00Z' } }, { 'aws:t': ['2029-12-31T23:59:59Z'] }, false],
    [{ DateGreaterThanEquals: { 'aws:t': '1893456000' } }, { 'aws:t': ['2030-01-01T00:00:00Z'] }, true],
    [{ DateEquals: { 'aws:t': '2030-01-01T00:00:00Z' } }, { 'aws:t': ['2030-01-01T00:00:00.000Z'] }, true],
    [{ DateNotEquals: { 'aws:t': '2030-01-01T00:00:00Z' } }, {}, true],
    [{ IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } }, { 'aws:SourceIp': ['203.0.113.9'] }, true],
    [{ IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } }, { 'aws:SourceIp': ['203.0.114.9'] }, false],
    [{ IpAddress: { 'aws:SourceIp': '2001:db8::/32' } }, { 'aws:SourceIp': ['2001:db8::1'] }, true],
    [{ IpAddress: { 'aws:SourceIp': '203.0.113.9' } }, { 'aws:SourceIp': ['203.0.113.9'] }, true],
    [{ NotIpAddress: { 'aws:SourceIp': '203.0.113.0/24' } }, { 'aws:SourceIp': ['203.0.113.9'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a', 'b'] } }, { 'd:k': ['a', 'b'] }, true],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, { 'd:k': ['a', 'b'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, {}, true],
    [{ 'ForAllValues:StringNotEquals': { 'd:k': ['z'] } }, { 'd:k': ['a', 'z'] }, false],
    [{ 'ForAllValues:StringLike': { 'd:k': ['inc-*'] } }, { 'd:k': ['inc-1', 'inc-2'] }, true],
    [{ 'ForAnyValue:StringEquals': { 'd:k': ['a'] } }, { 'd:k': ['b', 'a'] }, true],
    [{ 'ForAnyValue:StringEquals': { 'd:k': ['a'] } }, {}, false],
    [{ 'ForAnyValue:StringNotEquals': { 'd:k': ['a'] } }, { 'd:k': ['b', 'a'] }, true],
    [{ 'ForAnyValue:StringNotEquals': { 'd:k': ['a'] } }, { 'd:k': ['a'] }, false],
    [{ 'ForAnyValue:StringLikeIfExists': { 'd:k': ['a'] } }, {}, true],
    [{ StringEquals: { 'aws:x': 'a', 'aws:y': 'b' } }, { 'aws:x': ['a'], 'aws:y': ['c'] }, false],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['true'] }, true],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['false'] }, false],
  ];

  it.each(cases)('%j with %j: %s', (block, context, expected) => {
    expect(holds(block, context)).toBe(expected);
  });

  it.each([
    [{ StringMatches: { 'aws:x': 'a' } }, 'unknown condition operator StringMatches'],
    [{ 'ForSomeValues:StringEquals': { 'aws:x': 'a' } }, 'unknown condition operator ForSomeValues:StringEquals'],
    [{ StringEquals: 'a' }, 'Condition operator StringEquals must hold an object'],
    [{ StringEquals: { 'dynamodb:LeadingKeys': 'a' } }, 'needs ForAllValues or ForAnyValue'],
    [{ IpAddress: { 'aws:SourceIp': 'everywhere' } }, 'IpAddress of aws:SourceIp'],
    ['always', 'Condition must be an object'],
  ])('reports %j', (block, problem) => {
    expect(problemsOf(block).join()).toContain(problem);
  });
});
