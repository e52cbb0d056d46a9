/** The only source of the time. Rules and use cases get it as a parameter. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const clock: Clock = { now: () => Date.now() };

export function toIso(time: number | string): string {
  return new Date(time).toISOString();
}
