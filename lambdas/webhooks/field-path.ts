// Paths into JSON: `a.b[0].c`, with or without `$.` before them. Only what a value itself holds is found, never what it
// inherits, so no path leads to a function or a prototype.

export type PathStep = string | number;

/** The steps of a path that has the form of `fieldPath` in contract/webhook-filters.ts. */
export function stepsOf(path: string): PathStep[] {
  const names = path.replace(/^\$\./, '').split('.');
  return names.flatMap((name) => {
    const [first, ...places] = name.split('[');
    return [first!, ...places.map((place) => Number(place.slice(0, -1)))];
  });
}

/** Undefined where there is nothing. */
export function valueAt(value: unknown, steps: readonly PathStep[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) !== (typeof step === 'number') || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<PathStep, unknown>)[step];
  }
  return current;
}
