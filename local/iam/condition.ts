// The Condition block of a statement. Every operator and key must match; one of several values is enough. As in AWS, a key
// that the request lacks fails the condition, except with a negated operator or ForAllValues.
import { compileArn, compileText, type Lookup, type Matcher } from './pattern.ts';

export type Condition = (lookup: Lookup) => boolean;

type Report = (problem: string) => void;

interface Operator {
  compile(expected: string): Matcher;
  isNegated?: true;
}

const compileEquals =
  (expected: string): Matcher =>
  (actual) =>
    actual === expected;

const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { compile: compileEquals },
  StringNotEquals: { compile: compileEquals, isNegated: true },
  StringLike: { compile: compileText },
  StringNotLike: { compile: compileText, isNegated: true },
  ArnEquals: { compile: compileArn },
  ArnLike: { compile: compileArn },
  Bool: { compile: (expected) => (actual) => actual.toLowerCase() === expected.toLowerCase() },
};

const multivaluedKeys = ['dynamodb:leadingkeys', 'dynamodb:attributes', 'aws:tagkeys'];

/** Compiles a Condition block and reports what is not supported. */
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
  const [, quantifier, base = ''] = /^(?:(ForAllValues|ForAnyValue):)?(.*)$/s.exec(name) ?? [];
  const operator = Object.hasOwn(operators, base) ? operators[base] : undefined;
  if (!operator) {
    report(`condition operator ${name} is not supported`);
    return () => false;
  }
  if (!quantifier && multivaluedKeys.includes(key.toLowerCase())) {
    report(`${key} has several values and requires ForAllValues or ForAnyValue`);
  }
  const { isNegated = false, compile } = operator;
  const matchers = [value].flat().map((expected) => compile(String(expected)));
  const matches = (actual: string) => matchers.some((matcher) => matcher(actual)) !== isNegated;
  return (lookup) => {
    const actual = lookup(key) ?? [];
    if (actual.length === 0) return quantifier ? quantifier === 'ForAllValues' : isNegated;
    return quantifier === 'ForAnyValue' ? actual.some(matches) : actual.every(matches);
  };
}
