import type { RateLimit } from '../../../contract/rate-limits.ts';
import type { Clock } from '../clock.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { isOpen, type Verdict, verdicts, type Window } from './window.ts';

// Counts requests in one write each. The store offers two conditional writes, "join the open window" and "open a new
// one", of which exactly one succeeds at any time; guessing right makes it one call. An instance guesses by what it saw
// last: inside a window it knows, join; otherwise the way it entered the window before, since an instance that is the
// only one to serve a caller always opens, and one among many usually joins.
//
// Requests of one caller that arrive while a write is under way wait and share the next write. A window known to be
// used up refuses without any write, so a flood costs nothing.

export interface Limiter {
  take(key: string, rateLimit: RateLimit): Promise<Verdict>;
}

export function createLimiter(store: RateLimitStore, clock: Clock): Limiter {
  const counters = new Map<string, Counter>();
  return {
    take(key, rateLimit) {
      const counter = counters.get(key) ?? { key, rateLimit, lastEntry: 'open', writing: false, waiting: [] };
      counters.delete(key);
      counters.set(key, counter);
      forgetOldest(counters);
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

const maximumCounters = 1_000;

/** A wrong guess means that another instance opened or outlived a window in between; more than a few do not happen. */
const maximumAttempts = 4;

function take(counter: Counter, store: RateLimitStore, clock: Clock): Promise<Verdict> {
  const { window, rateLimit } = counter;
  if (window && window.used >= rateLimit.limit && isOpen(window, clock.now(), rateLimit)) {
    return Promise.resolve(verdicts({ ...window, used: window.used + 1 }, 1, rateLimit)[0]!);
  }
  return new Promise((resolve, reject) => {
    counter.waiting.push({ resolve, reject });
    if (!counter.writing) void writeUntilNobodyWaits(counter, store, clock);
  });
}

async function writeUntilNobodyWaits(counter: Counter, store: RateLimitStore, clock: Clock): Promise<void> {
  counter.writing = true;
  while (counter.waiting.length > 0) {
    const batch = counter.waiting.splice(0);
    try {
      const window = await count(counter, batch.length, store, clock);
      const answers = verdicts(window, batch.length, counter.rateLimit);
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
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
  for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
    const window = await store[entry](key, requests, clock.now(), rateLimit);
    if (window) {
      if (counter.window?.startedAtMs !== window.startedAtMs) counter.lastEntry = entry;
      counter.window = window;
      return window;
    }
    entry = entry === 'join' ? 'open' : 'join';
  }
  throw new Error(`the rate limit window of ${key} changed ${maximumAttempts} times in a row`);
}

/** Keeps the memory of an instance bounded however many callers it has seen. */
function forgetOldest(counters: Map<string, Counter>): void {
  for (const [key, counter] of counters) {
    if (counters.size <= maximumCounters) return;
    if (!counter.writing) counters.delete(key);
  }
}
