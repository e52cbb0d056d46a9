import { isDeepStrictEqual } from 'node:util';
import type { Filter, FilterOperator } from '../../contract/webhook-settings.ts';

// Evaluates filters. Values are compared as JSON: 1 and "1" differ, lists and objects are compared by content. Texts are
// ordered by their characters, which is correct for times and priorities. Responses contain unset fields as null, so
// every operator treats null and missing fields alike: `exists` requires a value, and `eq` null matches a missing field.

export interface FilterTrace extends Filter {
  /** The value of the field; null if it has none. */
  actual: unknown;
  passed: boolean;
}

/** Whether all filters match, with the result of each. */
export function evaluateFilters(
  filters: readonly Filter[],
  payload: unknown,
): { passed: boolean; trace: FilterTrace[] } {
  const trace = filters.map((filter) => {
    const actual = getValue(payload, parsePath(filter.field)) ?? null;
    return { ...filter, actual, passed: tests[filter.operator](actual, filter.value) };
  });
  return { passed: trace.every(({ passed }) => passed), trace };
}

const tests: Record<FilterOperator, (actual: unknown, value: unknown) => boolean> = {
  eq: isDeepStrictEqual,
  neq: (actual, value) => !isDeepStrictEqual(actual, value),
  in: isIn,
  nin: (actual, value) => !isIn(actual, value),
  gt: (actual, value) => order(actual, value) > 0,
  gte: (actual, value) => order(actual, value) >= 0,
  lt: (actual, value) => order(actual, value) < 0,
  lte: (actual, value) => order(actual, value) <= 0,
  contains: (actual, value) => (areTexts(actual, value) ? actual.includes(value as string) : isIn(value, actual)),
  starts_with: (actual, value) => areTexts(actual, value) && actual.startsWith(value as string),
  ends_with: (actual, value) => areTexts(actual, value) && actual.endsWith(value as string),
  exists: (actual, value) => (actual !== null) === value,
};

function areTexts(actual: unknown, value: unknown): actual is string {
  return typeof actual === 'string' && typeof value === 'string';
}

function isIn(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((one) => isDeepStrictEqual(one, value));
}

/** Negative, zero or positive like a comparison function; NaN for values of different types. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return Number.NaN;
  return one < other ? -1 : Number(one > other);
}

// JSON paths such as `a.b[0].c`, optionally with the prefix `$.`. Paths find only own properties, never a function or a
// prototype.

export type PathStep = string | number;

/** Parses a path that matches `fieldPath` in contract/webhook-settings.ts. */
export function parsePath(path: string): PathStep[] {
  const names = path.replace(/^\$\./, '').split('.');
  return names.flatMap((name) => {
    const [first, ...places] = name.split('[');
    return [first ?? '', ...places.map((place) => Number(place.slice(0, -1)))];
  });
}

/** Returns undefined if nothing is at the path. */
export function getValue(value: unknown, steps: readonly PathStep[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) !== (typeof step === 'number') || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<PathStep, unknown>)[step];
  }
  return current;
}
