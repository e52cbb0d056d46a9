import type { Environment } from './environment.ts';
import { ServiceProblem } from './problem.ts';

/** How often and how patiently a request is repeated. */
export interface RetryPolicy {
  /** Further attempts after the first; 0 turns repeating off. */
  retries: number;
  baseDelayMs: number;
  /** A server that asks for a longer wait than this gets no further attempt: the caller decides. */
  maxDelayMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, baseDelayMs: 250, maxDelayMs: 30_000 };

/** `repeatable`: doing it twice is the same as doing it once. */
export type Repeatability = 'repeatable' | 'once';

export async function withRetries<T>(
  attempt: () => Promise<T>,
  repeatability: Repeatability,
  policy: RetryPolicy,
  environment: Environment,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= policy.retries || !isRetryable(error, repeatability)) throw error;
      const delayMs = retryDelayMs(failures, error.retryAfterSeconds, policy, environment.random());
      if (delayMs > policy.maxDelayMs) throw error;
      await environment.pause(delayMs, signal);
    }
  }
}

/** Never earlier than the server said, with full jitter: callers that failed together do not return together. */
export function retryDelayMs(
  failures: number,
  retryAfterSeconds: number | undefined,
  policy: RetryPolicy,
  random: number,
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + random * policy.baseDelayMs;
  const backoff = Math.min(policy.baseDelayMs * 2 ** failures, policy.maxDelayMs);
  return backoff * random;
}

/** The last two are those of a gateway or proxy whose server failed. */
const passingStatuses: ReadonlySet<number> = new Set([503, 502, 504]);

/** A key is in flight while the first attempt, whose connection broke, still runs. */
const passingCodes: ReadonlySet<string> = new Set(['network_error', 'idempotency_key_in_flight']);

/** A 429 was refused before anything was done, so it may be repeated whatever it was. */
function isRetryable(error: unknown, repeatability: Repeatability): error is ServiceProblem {
  if (!(error instanceof ServiceProblem)) return false;
  if (error.status === 429) return true;
  if (repeatability === 'once') return false;
  return passingStatuses.has(error.status) || passingCodes.has(error.code);
}
