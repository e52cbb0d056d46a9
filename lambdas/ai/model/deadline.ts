import type { Deadline } from './model.ts';

/** The gateway gives up after 29 s and the function after 28; what is left is for reading, writing and the cache. */
export const answerWithinMs = 24_000;

/** Counts from now, on a clock that nobody can set. */
export function startDeadline(
  withinMs: number = answerWithinMs,
  nowMs: () => number = () => performance.now(),
): Deadline {
  const endMs = nowMs() + withinMs;
  return { remainingMs: () => Math.max(0, endMs - nowMs()) };
}
