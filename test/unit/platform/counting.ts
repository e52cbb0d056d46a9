import type { RateLimit } from '../../../contract/rate-limits.ts';
import type { RateLimitStore } from '../../../lambdas/platform/rate-limit/limiter.ts';
import { isOpen, type Window } from '../../../lambdas/platform/rate-limit/limiter.ts';

/** An in-memory table with the same two conditional writes. A write happens when `pause` resolves. */
export function storeInMemory(pause: () => Promise<unknown> = async () => {}) {
  const windows = new Map<string, Window>();
  let writes = 0;
  const write = async (
    key: string,
    nowMs: number,
    rateLimit: RateLimit,
    change: (open: Window | undefined) => Window | undefined,
  ) => {
    await pause();
    writes++;
    const window = windows.get(key);
    const changed = change(window && isOpen(window, nowMs, rateLimit) ? window : undefined);
    if (changed) windows.set(key, changed);
    return changed;
  };
  const store: RateLimitStore = {
    join: (key, requests, nowMs, rateLimit) =>
      write(key, nowMs, rateLimit, (open) => open && { ...open, used: open.used + requests }),
    open: (key, requests, nowMs, rateLimit) =>
      write(key, nowMs, rateLimit, (open) => (open ? undefined : { startedAtMs: nowMs, used: requests })),
  };
  return { store, writes: () => writes };
}

export function clockAt(nowMs: number) {
  return {
    now: () => nowMs,
    advance(ms: number) {
      nowMs += ms;
    },
  };
}
