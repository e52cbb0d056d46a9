import { LRUCache } from 'lru-cache';
import type { RateLimit } from '../../../contract/rate-limits.ts';
import type { Clock } from '../clock.ts';
import { noBackoff, retry } from '../retry.ts';

// Counts requests with one write each. The store has two conditional writes, "join the open window" and "open a new
// window"; exactly one of them succeeds at any time, so a correct guess needs one call. Inside a known window an instance
// joins. Otherwise it repeats its last successful write: an instance that serves a caller alone always opens windows, and
// one of many instances usually joins them.
//
// Requests of one caller that arrive during a write share the next write. A window that is known to be used up rejects
// requests without a write, so a flood costs nothing.

export interface Limiter {
  take(key: string, rateLimit: RateLimit): Promise<Verdict>;
}

export interface RateLimitStore {
  /** Adds the requests to the open window; returns undefined if no window is open. */
  join(key: string, requests: number, nowMs: number, rateLimit: RateLimit): Promise<Window | undefined>;
  /** Opens a window with the requests; returns undefined if a window is already open. */
  open(key: string, requests: number, nowMs: number, rateLimit: RateLimit): Promise<Window | undefined>;
}

export function createLimiter(store: RateLimitStore, clock: Clock): Limiter {
  // A counter that is evicted during a write finishes the write. The next request then needs one more write.
  const counters = new LRUCache<string, Counter>({ max: maxCounters });
  return {
    take(key, rateLimit) {
      const counter = counters.get(key) ?? { key, rateLimit, lastEntry: 'open', writing: false, waiting: [] };
      counters.set(key, counter);
      return take(counter, store, clock);
    },
  };
}

interface Counter {
  key: string;
  rateLimit: RateLimit;
  window?: Window;
  lastEntry: 'open' | 'join';
  writing: boolean;
  waiting: { resolve(verdict: Verdict): void; reject(error: unknown): void }[];
}

const maxCounters = 1_000;

/**
 * A guess is wrong if the window ended, or another instance opened one, in the meantime. This is rare, unless a write takes as
 * long as a window: then several guesses in a row are wrong.
 */
const maxAttempts = 12;

function take(counter: Counter, store: RateLimitStore, clock: Clock): Promise<Verdict> {
  const { window, rateLimit } = counter;
  if (window && window.used >= rateLimit.limit && isOpen(window, clock.now(), rateLimit)) {
    return Promise.resolve(toVerdict(window, window.used + 1, rateLimit));
  }
  return new Promise((resolve, reject) => {
    counter.waiting.push({ resolve, reject });
    if (!counter.writing) void writeUntilIdle(counter, store, clock);
  });
}

async function writeUntilIdle(counter: Counter, store: RateLimitStore, clock: Clock): Promise<void> {
  counter.writing = true;
  while (counter.waiting.length > 0) {
    const batch = counter.waiting.splice(0);
    try {
      const window = await count(counter, batch.length, store, clock);
      const first = window.used - batch.length + 1;
      for (const [index, { resolve }] of batch.entries()) resolve(toVerdict(window, first + index, counter.rateLimit));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  counter.writing = false;
}

async function count(counter: Counter, requests: number, store: RateLimitStore, clock: Clock): Promise<Window> {
  const { key, rateLimit } = counter;
  const known = counter.window !== undefined && isOpen(counter.window, clock.now(), rateLimit);
  let entry = known ? 'join' : counter.lastEntry;
  const attempt = async () => {
    const window = await store[entry](key, requests, clock.now(), rateLimit);
    if (window) {
      if (counter.window?.startedAtMs !== window.startedAtMs) counter.lastEntry = entry;
      counter.window = window;
    } else {
      entry = entry === 'join' ? 'open' : 'join';
    }
    return window;
  };
  const exhausted = () => new Error(`the rate limit window of ${key} changed ${maxAttempts} times in a row`);
  return retry(attempt, { maxAttempts, wait: noBackoff, exhausted });
}

// The rule: a window starts with a caller's first request and has a fixed length. The first `limit` requests in it are
// admitted and the others rejected. The first request after its end starts the next window.

export interface Window {
  startedAtMs: number;
  /** Requests counted so far, including rejected ones. */
  used: number;
}

export interface Verdict {
  admitted: boolean;
  limit: number;
  remaining: number;
  resetAtMs: number;
}

/**
 * The range of start times of open windows: after the first value, up to the second. A window that starts more than one
 * length in the future comes from a clock that was set back. It counts as closed; otherwise its caller would stay blocked.
 */
export function toOpenRange(nowMs: number, { windowSeconds }: RateLimit): { afterMs: number; upToMs: number } {
  const lengthMs = windowSeconds * 1_000;
  return { afterMs: nowMs - lengthMs, upToMs: nowMs + lengthMs };
}

export function isOpen(window: Window, nowMs: number, rateLimit: RateLimit): boolean {
  const { afterMs, upToMs } = toOpenRange(nowMs, rateLimit);
  return window.startedAtMs > afterMs && window.startedAtMs <= upToMs;
}

/** The verdict on the request with this number in the window, starting at 1. */
export function toVerdict({ startedAtMs }: Window, position: number, { limit, windowSeconds }: RateLimit): Verdict {
  const resetAtMs = startedAtMs + windowSeconds * 1_000;
  return { admitted: position <= limit, limit, remaining: Math.max(0, limit - position), resetAtMs };
}

/** For requests that are not counted: the caller is unknown, or the route has no limit. */
export function createUncountedVerdict(nowMs: number, { limit }: RateLimit): Verdict {
  return { admitted: true, limit, remaining: limit, resetAtMs: nowMs };
}

export function toRateLimitHeaders({ limit, remaining, resetAtMs }: Verdict): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1_000)),
  };
}

export function toRetryAfterSeconds({ resetAtMs }: Verdict, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1_000));
}
