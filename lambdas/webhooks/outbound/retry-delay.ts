import { retryDelaysSeconds } from '../../../contract/retry-schedule.ts';
import { requireValue } from '../../platform/require-value.ts';

// When a failed delivery is attempted again. `Retry-After` can lengthen a delay of the schedule but not shorten it.

/** Limits `Retry-After`, so that a receiver cannot postpone a delivery forever. */
const maxDelaySeconds = 24 * 60 * 60;

/** Seconds to wait after the given attempt failed; null when it was the last one. */
export function getNextDelaySeconds(attempt: number, retryAfterSeconds: number | null): number | null {
  const delay = retryDelaysSeconds[attempt - 1];
  return delay === undefined ? null : Math.max(delay, Math.min(retryAfterSeconds ?? 0, maxDelaySeconds));
}

/** Whole seconds until the next attempt, rounded up so that it is never early. */
export function getSecondsUntilRetry(delivery: { next_attempt_at: string | null }, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(requireValue(delivery.next_attempt_at)) - nowMs) / 1_000));
}

/** Parses `Retry-After`: a number of seconds or a date. Returns null for any other text. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
