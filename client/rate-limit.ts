/** The caller's rate limit in the last response. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Absent when the gateway responded before it knew the caller. */
  resetsAt?: Date;
}

export function parseRateLimit(headers: Headers): RateLimitState | undefined {
  const limit = parseNumber(headers.get('x-ratelimit-limit'));
  const remaining = parseNumber(headers.get('x-ratelimit-remaining'));
  if (limit === undefined || remaining === undefined) return undefined;
  const reset = parseNumber(headers.get('x-ratelimit-reset'));
  return { limit, remaining, ...(reset ? { resetsAt: new Date(reset * 1000) } : {}) };
}

function parseNumber(value: string | null): number | undefined {
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
