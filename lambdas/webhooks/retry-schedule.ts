import { mostAttempts } from '../../contract/deliveries.ts';

// When a delivery is tried again. The receiver may ask for more time, never for less.

/** Seconds before attempts 2 to 5. */
const delaysSeconds = [30, 2 * 60, 10 * 60, 30 * 60] as const;

/** A receiver that asks for more than this has other troubles; it must not hold a delivery for ever. */
const longestSeconds = 24 * 60 * 60;

/** Seconds to wait after the given attempt failed; null when it was the last one. */
export function waitAfter(attempt: number, retryAfterSeconds: number | null): number | null {
  const delay = delaysSeconds[attempt - 1];
  if (delay === undefined || attempt >= mostAttempts) return null;
  return Math.max(delay, Math.min(retryAfterSeconds ?? 0, longestSeconds));
}

/** The header `Retry-After`: seconds, or a date. Null when it says neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
