import { isDeepStrictEqual } from 'node:util';
import type { Filter, FilterOperator } from '../../contract/webhook-settings.ts';

// What filters mean. Equality is that of JSON values: 1 and "1" differ, lists and objects are compared by content. Texts
// are in the order of their characters, so that times and priorities are in theirs. An unset field of a record is shown
// as null, so null and missing are the same for every operator: `exists` says that there is a value, and `eq` null holds
// for a missing field.

export interface FilterTrace extends Filter {
  /** What the payload has at the field; null where it has nothing. */
  actual: unknown;
  passed: boolean;
}

/** Whether all filters hold, and how each of them came out. */
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

/** Below, at or above zero as the first is before, at or after the second; NaN, which is none of it, across types. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return Number.NaN;
  return one < other ? -1 : Number(one > other);
}

// Paths into JSON: `a.b[0].c`, with or without `$.` before them. Only what a value itself holds is found, never what it
// inherits, so no path leads to a function or a prototype.

export type PathStep = string | number;

/** The steps of a path that has the form of `fieldPath` in contract/webhook-filters.ts. */
export function parsePath(path: string): PathStep[] {
  const names = path.replace(/^\$\./, '').split('.');
  return names.flatMap((name) => {
    const [first, ...places] = name.split('[');
    return [first ?? '', ...places.map((place) => Number(place.slice(0, -1)))];
  });
}

/** Undefined where there is nothing. */
export function getValue(value: unknown, steps: readonly PathStep[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) !== (typeof step === 'number') || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<PathStep, unknown>)[step];
  }
  return current;
}
