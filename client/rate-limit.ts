/** What the last answer said about the caller's limit. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Absent where the gateway answered before it knew the caller. */
  resetsAt?: Date;
}

export function rateLimitFrom(headers: Headers): RateLimitState | undefined {
  const limit = numberOf(headers.get('x-ratelimit-limit'));
  const remaining = numberOf(headers.get('x-ratelimit-remaining'));
  if (limit === undefined || remaining === undefined) return undefined;
  const reset = numberOf(headers.get('x-ratelimit-reset'));
  return { limit, remaining, ...(reset ? { resetsAt: new Date(reset * 1000) } : {}) };
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
