// The Condition block of a statement. All operators and all keys must hold; one of several values is enough. A key that
// the request lacks fails an operator, but for the negated ones, …IfExists and ForAllValues, as in AWS.
import { BlockList, isIPv6 } from 'node:net';
import { arnPattern, type Lookup, textPattern } from './pattern.ts';

export type Condition = (lookup: Lookup) => boolean;

/** Says whether a value of the request meets a value of the policy. */
type Test = (wanted: string, options: { variables?: false }) => (actual: string, lookup: Lookup) => boolean;

interface Operator {
  test: Test;
  negated: boolean;
}

const operators = new Map<string, Operator>();

const define = (name: string, test: Test) => operators.set(name.toLowerCase(), { test, negated: false });
const defineNegated = (name: string, test: Test) => operators.set(name.toLowerCase(), { test, negated: true });

const equal: Test = (wanted, options) => {
  const expand = expandVariables(wanted, options);
  return (actual, lookup) => actual === expand(lookup);
};
const equalIgnoringCase: Test = (wanted, options) => {
  const expand = expandVariables(wanted, options);
  return (actual, lookup) => actual.toLowerCase() === expand(lookup)?.toLowerCase();
};
const like: Test = (wanted, options) => {
  const pattern = textPattern(wanted, options);
  return (actual, lookup) => pattern.matches(actual, lookup);
};
const arn: Test = (wanted, options) => {
  const pattern = arnPattern(wanted, options);
  return (actual, lookup) => pattern.matches(actual, lookup);
};
const number =
  (compare: (actual: number, wanted: number) => boolean): Test =>
  (wanted) =>
  (actual) =>
    compare(Number(actual), Number(wanted));
const date =
  (compare: (actual: number, wanted: number) => boolean): Test =>
  (wanted) =>
  (actual) =>
    compare(toTime(actual), toTime(wanted));
const address: Test = (wanted) => {
  const range = toRange(wanted);
  return (actual) => range.check(actual, isIPv6(actual) ? 'ipv6' : 'ipv4');
};

define('StringEquals', equal);
defineNegated('StringNotEquals', equal);
define('StringEqualsIgnoreCase', equalIgnoringCase);
defineNegated('StringNotEqualsIgnoreCase', equalIgnoringCase);
define('StringLike', like);
defineNegated('StringNotLike', like);
define('BinaryEquals', (wanted) => (actual) => actual === wanted);
define('Bool', (wanted) => (actual) => actual.toLowerCase() === wanted.toLowerCase());
for (const name of ['ArnEquals', 'ArnLike']) define(name, arn);
for (const name of ['ArnNotEquals', 'ArnNotLike']) defineNegated(name, arn);
define('IpAddress', address);
defineNegated('NotIpAddress', address);
for (const [kind, of] of [
  ['Numeric', number],
  ['Date', date],
] as const) {
  define(
    `${kind}Equals`,
    of((a, b) => a === b),
  );
  defineNegated(
    `${kind}NotEquals`,
    of((a, b) => a === b),
  );
  define(
    `${kind}LessThan`,
    of((a, b) => a < b),
  );
  define(
    `${kind}LessThanEquals`,
    of((a, b) => a <= b),
  );
  define(
    `${kind}GreaterThan`,
    of((a, b) => a > b),
  );
  define(
    `${kind}GreaterThanEquals`,
    of((a, b) => a >= b),
  );
}

const setKeys = new Set(['dynamodb:leadingkeys', 'dynamodb:attributes', 'aws:tagkeys']);

/** Compiles a Condition block; what it cannot honour goes to `problems`. */
export function compileCondition(
  block: unknown,
  options: { variables?: false },
  problems: (problem: string) => void,
): Condition {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    problems('Condition must be an object');
    return () => false;
  }
  const conditions: Condition[] = [];
  for (const [name, keys] of Object.entries(block)) {
    if (typeof keys !== 'object' || keys === null) problems(`Condition operator ${name} must hold an object`);
    else for (const [key, value] of Object.entries(keys)) conditions.push(one(name, key, value, options, problems));
  }
  return (lookup) => conditions.every((holds) => holds(lookup));
}

function one(
  name: string,
  key: string,
  value: unknown,
  options: { variables?: false },
  problems: (problem: string) => void,
): Condition {
  const [, set, base = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/is.exec(name) ?? [];
  const wanted = (Array.isArray(value) ? value : [value]).map(String);
  if (base.toLowerCase() === 'null' && !set && !ifExists) {
    return (lookup) => wanted.includes(String(lookup(key) === undefined));
  }
  const operator = operators.get(base.toLowerCase());
  if (!operator) {
    problems(`unknown condition operator ${name}`);
    return () => false;
  }
  if (!set && setKeys.has(key.toLowerCase()))
    problems(`${key} holds several values and needs ForAllValues or ForAnyValue`);
  const tests = build(operator, wanted, options, (problem) => problems(`${name} of ${key}: ${problem}`));
  const meets = (actual: string, lookup: Lookup) => tests.some((test) => test(actual, lookup)) !== operator.negated;
  return (lookup) => {
    const actual = lookup(key);
    if (actual === undefined || (set && actual.length === 0)) {
      if (ifExists) return true;
      return set ? set.toLowerCase() === 'forallvalues' : operator.negated;
    }
    const each = (text: string) => meets(text, lookup);
    return set?.toLowerCase() === 'foranyvalue' ? actual.some(each) : actual.every(each);
  };
}

function build(
  operator: Operator,
  wanted: readonly string[],
  options: { variables?: false },
  problems: (problem: string) => void,
): ((actual: string, lookup: Lookup) => boolean)[] {
  return wanted.flatMap((value) => {
    try {
      return [operator.test(value, options)];
    } catch (error) {
      problems(error instanceof Error ? error.message : String(error));
      return [];
    }
  });
}

function expandVariables(text: string, options: { variables?: false }): (lookup: Lookup) => string | undefined {
  if (options.variables === false || !text.includes('${')) return () => text;
  return (lookup) => {
    let missing = false;
    const expanded = text.replace(/\$\{([^},]*)(?:,\s*'([^']*)'\s*)?\}/g, (_, name: string, fallback?: string) => {
      if (name === '*' || name === '?' || name === '$') return name;
      const value = lookup(name.trim())?.[0] ?? fallback;
      if (value === undefined) missing = true;
      return value ?? '';
    });
    return missing ? undefined : expanded;
  };
}

function toTime(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

function toRange(text: string): BlockList {
  const [ip = '', bits] = text.split('/');
  const family = isIPv6(ip) ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(ip, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  return range;
}
