// The Condition block of a statement. Every operator and key must match; one of several values is enough. As in AWS, a key
// that the request lacks fails the condition, except with ForAllValues.
import { compileText, type Lookup, type Matcher } from './pattern.ts';

export type Condition = (lookup: Lookup) => boolean;

type Report = (problem: string) => void;

const operators: Readonly<Record<string, (expected: string) => Matcher>> = {
  StringEquals: (expected) => (actual) => actual === expected,
  StringLike: compileText,
  Bool: (expected) => (actual) => actual.toLowerCase() === expected.toLowerCase(),
};

const multivaluedKeys = ['dynamodb:leadingkeys', 'dynamodb:attributes', 'aws:tagkeys'];

/** Compiles a Condition block and reports unsupported elements. */
export function compileCondition(block: unknown, report: Report): Condition {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    report('Condition must be an object');
    return () => false;
  }
  const conditions: Condition[] = [];
  for (const [name, keys] of Object.entries(block)) {
    if (typeof keys !== 'object' || keys === null) report(`condition operator ${name} must contain an object`);
    else for (const [key, value] of Object.entries(keys)) conditions.push(compileKey(name, key, value, report));
  }
  return (lookup) => conditions.every((matches) => matches(lookup));
}

function compileKey(name: string, key: string, value: unknown, report: Report): Condition {
  const [, quantifier, base = ''] = /^(?:(ForAllValues):)?(.*)$/s.exec(name) ?? [];
  const compile = Object.hasOwn(operators, base) ? operators[base] : undefined;
  if (!compile) {
    report(`condition operator ${name} is not supported`);
    return () => false;
  }
  if (!quantifier && multivaluedKeys.includes(key.toLowerCase())) {
    report(`${key} has several values and requires ForAllValues`);
  }
  const matchers = [value].flat().map((expected) => compile(String(expected)));
  const matches = (actual: string) => matchers.some((matcher) => matcher(actual));
  return (lookup) => {
    const actual = lookup(key) ?? [];
    return actual.length === 0 ? quantifier !== undefined : actual.every(matches);
  };
}
