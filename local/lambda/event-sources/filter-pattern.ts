// FilterCriteria of an event source mapping: which records are worth a call. A pattern names fields; each lists what its
// value may be. A record that matches none of the patterns is passed over, as if it had been handled.

type Json = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;
export type Matches = (record: unknown) => boolean;

/** Undefined without criteria: every record counts. Throws at what it does not know. */
export function readFilters(criteria: Json | undefined): Matches | undefined {
  const filters = criteria?.Filters;
  if (filters === undefined) return undefined;
  if (!Array.isArray(filters) || filters.length === 0 || filters.length > mostFilters) {
    throw new Error(`FilterCriteria.Filters must be a list of 1 to ${mostFilters}`);
  }
  const patterns = filters.map(({ Pattern }: { Pattern?: unknown }) => compiled(parsed(Pattern), ''));
  return (record) => patterns.some((pattern) => pattern(record));
}

const mostFilters = 10;

function parsed(pattern: unknown): Json {
  try {
    const value: unknown = JSON.parse(String(pattern));
    if (isObject(value)) return value;
  } catch {
    // It is named below.
  }
  throw new Error(`the filter pattern ${String(pattern)} is not a JSON object`);
}

function compiled(pattern: Json, path: string): Test {
  const fields = Object.entries(pattern).map(([name, wanted]): [string, Test] => [
    name,
    fieldTest(wanted, path === '' ? name : `${path}.${name}`),
  ]);
  if (fields.length === 0) throw new Error(`the filter pattern names no field${path && ` in ${path}`}`);
  return (value) => fields.every(([name, test]) => test(isObject(value) ? value[name] : undefined));
}

function fieldTest(wanted: unknown, path: string): Test {
  if (isObject(wanted)) return compiled(wanted, path);
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Error(`${path} must list the values it may have`);
  const tests = wanted.map((one) => (isObject(one) ? operatorTest(one, path) : literalTest(one)));
  return (value) => tests.some((test) => test(value));
}

function literalTest(literal: unknown): Test {
  return (value) => value === literal;
}

const operators: Readonly<Record<string, (argument: unknown) => Test | undefined>> = {
  exists: (argument) => (typeof argument === 'boolean' ? (value) => (value !== undefined) === argument : undefined),
  prefix: (argument) =>
    typeof argument === 'string' ? (value) => typeof value === 'string' && value.startsWith(argument) : undefined,
  suffix: (argument) =>
    typeof argument === 'string' ? (value) => typeof value === 'string' && value.endsWith(argument) : undefined,
  'anything-but': (argument) =>
    Array.isArray(argument) ? (value) => value !== undefined && !argument.includes(value) : undefined,
};

function operatorTest(operator: Json, path: string): Test {
  const [name, ...more] = Object.keys(operator);
  const test = more.length === 0 && Object.hasOwn(operators, name ?? '') && operators[name!]!(operator[name!]);
  if (!test) throw new Error(`the filter ${JSON.stringify(operator)} of ${path} is not supported`);
  return test;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
