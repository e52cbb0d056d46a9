import { LRUCache } from 'lru-cache';

/** Caches results for a short time. The TTL also elapses while the function is frozen. Errors are not cached. */
export function memoize<Value>(
  find: (key: string) => Promise<Value>,
  ttlMs: number,
  nowMs: () => number = () => performance.now(),
): (key: string) => Promise<Value> {
  const cache = new LRUCache<string, Promise<Value>>({
    max: maxEntries,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  return (key) => {
    const cached = cache.get(key);
    if (cached) return cached;
    const value = find(key);
    cache.set(key, value);
    value.catch(() => cache.delete(key));
    return value;
  };
}

const maxEntries = 1_000;
