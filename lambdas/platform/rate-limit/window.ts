import type { RateLimit } from '../../../contract/rate-limits.ts';

// The rule of the limit: a window starts with a caller's first request and lasts a fixed time; the first `limit`
// requests in it are admitted, the rest are refused, and the first request after its end starts the next one.

export interface Window {
  startedAtMs: number;
  /** Requests counted so far, refused ones included. */
  used: number;
}

export interface Verdict {
  admitted: boolean;
  limit: number;
  remaining: number;
  resetAtMs: number;
}

/**
 * The start times that mean "open now": after the first value, up to the second. A window from further in the future
 * than one length comes from a clock that was set back; it counts as over, or its caller would stay locked out.
 */
export function openRange(nowMs: number, { windowSeconds }: RateLimit): { afterMs: number; upToMs: number } {
  const lengthMs = windowSeconds * 1_000;
  return { afterMs: nowMs - lengthMs, upToMs: nowMs + lengthMs };
}

export function isOpen(window: Window, nowMs: number, rateLimit: RateLimit): boolean {
  const { afterMs, upToMs } = openRange(nowMs, rateLimit);
  return window.startedAtMs > afterMs && window.startedAtMs <= upToMs;
}

/** What each of the last `requests` requests counted in the window is told, in their order. */
export function verdicts(window: Window, requests: number, rateLimit: RateLimit): Verdict[] {
  const { limit, windowSeconds } = rateLimit;
  const resetAtMs = window.startedAtMs + windowSeconds * 1_000;
  return Array.from({ length: requests }, (_, index) => {
    const position = window.used - requests + index + 1;
    return { admitted: position <= limit, limit, remaining: Math.max(0, limit - position), resetAtMs };
  });
}

/** For callers whose requests are not counted: nobody knows who they are, or the route has no limit. */
export function uncounted(nowMs: number, { limit }: RateLimit): Verdict {
  return { admitted: true, limit, remaining: limit, resetAtMs: nowMs };
}

export function rateHeaders({ limit, remaining, resetAtMs }: Verdict): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1_000)),
  };
}

export function retryAfterSeconds({ resetAtMs }: Verdict, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1_000));
}
