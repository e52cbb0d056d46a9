import { setTimeout as pause } from 'node:timers/promises';
import { randomBelow } from './ids.ts';

/** Waits before the next attempt. Random delays keep competing writers from colliding again. */
export type Backoff = (attempt: number) => Promise<void>;

export const backoff: Backoff = async (attempt) => {
  await pause(randomBelow(Math.min(maxDelayMs, firstDelayMs * 2 ** attempt)) + 1);
};

export const noBackoff: Backoff = async () => {};

export interface RetryOptions {
  maxAttempts?: number;
  wait?: Backoff;
  /** The error after the last attempt. */
  exhausted(): Error;
}

/** Calls `attempt` until it returns a value. An attempt that may be retried returns undefined; others throw. */
export async function retry<Result>(
  attempt: (number: number) => Promise<Result | undefined>,
  { maxAttempts = defaultMaxAttempts, wait = backoff, exhausted }: RetryOptions,
): Promise<Result> {
  for (let number = 1; number <= maxAttempts; number++) {
    const result = await attempt(number);
    if (result !== undefined) return result;
    if (number < maxAttempts) await wait(number);
  }
  throw exhausted();
}

const firstDelayMs = 4;
const maxDelayMs = 250;
/** About three seconds of backoff, and enough for two dozen competing writers. */
const defaultMaxAttempts = 30;
