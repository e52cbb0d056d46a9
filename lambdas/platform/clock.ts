/** The only source of the time. Rules and use cases get it as a parameter. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const clock: Clock = { now: () => Date.now() };

export const dayMs = 86_400_000;

/** The date in UTC, such as 2026-03-01. */
export function toUtcDate(timeMs: number): string {
  return toIso(timeMs).slice(0, 10);
}

export function toIso(time: number | string): string {
  return new Date(time).toISOString();
}
