// Choice rules: every comparison of the States Language, its ...Path twin, and And, Or, Not.
import type { ChoiceRule } from './definition.ts';
import { absent, readPath, select } from './json-path.ts';
import { runtimeError } from './state-error.ts';

type Compare = (value: unknown, expected: unknown) => boolean;

const ordered = (type: string, read: (value: unknown) => number | string | undefined): Record<string, Compare> => {
  const compare =
    (holds: (value: number | string, expected: number | string) => boolean): Compare =>
    (value, expected) => {
      const [left, right] = [read(value), read(expected)];
      return left !== undefined && right !== undefined && holds(left, right);
    };
  return {
    [`${type}Equals`]: compare((value, expected) => value === expected),
    [`${type}LessThan`]: compare((value, expected) => value < expected),
    [`${type}GreaterThan`]: compare((value, expected) => value > expected),
    [`${type}LessThanEquals`]: compare((value, expected) => value <= expected),
    [`${type}GreaterThanEquals`]: compare((value, expected) => value >= expected),
  };
};

/** The comparisons that also exist with a path on the right side. */
const comparisons: Readonly<Record<string, Compare>> = {
  ...ordered('String', (value) => (typeof value === 'string' ? value : undefined)),
  ...ordered('Numeric', (value) => (typeof value === 'number' ? value : undefined)),
  ...ordered('Timestamp', readTimestamp),
  BooleanEquals: (value, expected) => typeof value === 'boolean' && value === expected,
};

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  IsNull: (value) => value === null,
  IsPresent: (value) => value !== absent,
  IsNumeric: (value) => typeof value === 'number',
  IsString: (value) => typeof value === 'string',
  IsBoolean: (value) => typeof value === 'boolean',
  IsTimestamp: (value) => readTimestamp(value) !== undefined,
};

const structure = new Set(['Variable', 'Next', 'And', 'Or', 'Not', 'Comment']);

/** The name of the rule's one comparison; undefined when there is none, or more than one. */
export function comparisonOf(rule: ChoiceRule): string | undefined {
  const names = Object.keys(rule).filter((name) => !structure.has(name));
  return names.length === 1 && isComparison(names[0]!) ? names[0] : undefined;
}

export function isComparison(name: string): boolean {
  if (name === 'StringMatches' || Object.hasOwn(tests, name) || Object.hasOwn(comparisons, name)) return true;
  return name.endsWith('Path') && Object.hasOwn(comparisons, name.slice(0, -4));
}

export function holds(rule: ChoiceRule, data: unknown, context: unknown): boolean {
  if (rule.And) return rule.And.every((part) => holds(part, data, context));
  if (rule.Or) return rule.Or.some((part) => holds(part, data, context));
  if (rule.Not) return !holds(rule.Not, data, context);
  const name = comparisonOf(rule)!;
  const expected = rule[name];
  const value = look(rule.Variable!, data, context);
  if (name === 'IsPresent') return tests.IsPresent!(value) === expected;
  if (value === absent) throw unknownVariable(rule.Variable!);
  if (Object.hasOwn(tests, name)) return tests[name]!(value) === expected;
  if (name === 'StringMatches') return typeof value === 'string' && matchesPattern(value, String(expected));
  if (Object.hasOwn(comparisons, name)) return comparisons[name]!(value, expected);
  const other = look(String(expected), data, context);
  if (other === absent) throw unknownVariable(String(expected));
  return comparisons[name.slice(0, -4)]!(value, other);
}

/** An asterisk stands for any text; a backslash makes it, or a backslash, mean itself. */
export function matchesPattern(value: string, pattern: string): boolean {
  const source = pattern.replace(/\\([\\*])|\*|[^*\\]+|\\/g, (token, escaped?: string) => {
    if (escaped !== undefined) return escapeForRegExp(escaped);
    return token === '*' ? '[\\s\\S]*' : escapeForRegExp(token);
  });
  return new RegExp(`^${source}$`, 'u').test(value);
}

/** RFC 3339 with capital T and Z, as the States Language demands. */
export function readTimestamp(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

function look(path: string, data: unknown, context: unknown): unknown {
  const parsed = readPath(path);
  return select(parsed, parsed.root === '$$' ? context : data);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function unknownVariable(path: string) {
  return runtimeError(`Invalid path '${path}': The choice state's condition path references an invalid value.`);
}
