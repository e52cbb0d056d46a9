import type { Environment } from './environment.ts';
import { ServiceProblem } from './problem.ts';

/** How often a request is retried, and how long it waits in between. */
export interface RetryPolicy {
  /** Further attempts after the first; 0 turns retries off. */
  retries: number;
  baseDelayMs: number;
  /** If the server requests a longer delay, the client does not retry and the caller decides. */
  maxDelayMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, baseDelayMs: 250, maxDelayMs: 30_000 };

/** Only idempotent requests are retried after a failure that may have happened during processing. */
export type Idempotency = 'idempotent' | 'once';

export async function withRetries<T>(
  attempt: () => Promise<T>,
  idempotency: Idempotency,
  policy: RetryPolicy,
  environment: Environment,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= policy.retries || !isRetryable(error, idempotency)) throw error;
      const delayMs = computeRetryDelayMs(failures, error.retryAfterSeconds, policy, environment.random());
      if (delayMs > policy.maxDelayMs) throw error;
      await environment.pause(delayMs, signal);
    }
  }
}

/** Not earlier than `Retry-After`, with full jitter so that callers do not retry at the same time. */
export function computeRetryDelayMs(
  failures: number,
  retryAfterSeconds: number | undefined,
  policy: RetryPolicy,
  random: number,
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + random * policy.baseDelayMs;
  const backoff = Math.min(policy.baseDelayMs * 2 ** failures, policy.maxDelayMs);
  return backoff * random;
}

/** 502 and 504 come from a gateway or proxy whose server failed. */
const transientStatuses: ReadonlySet<number> = new Set([503, 502, 504]);

/** A key is in flight while the first attempt, whose connection broke, still runs. */
const transientCodes: ReadonlySet<string> = new Set(['network_error', 'idempotency_key_in_flight']);

/** A request that was rejected with 429 was not processed, so every request may be retried. */
function isRetryable(error: unknown, idempotency: Idempotency): error is ServiceProblem {
  if (!(error instanceof ServiceProblem)) return false;
  if (error.status === 429) return true;
  if (idempotency === 'once') return false;
  return transientStatuses.has(error.status) || transientCodes.has(error.code);
}
