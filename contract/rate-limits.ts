import * as z from 'zod';

// Rate limits per caller. A window starts with the first request (docs/decisions/0003-rate-limit-window.md).
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** Bulk requests are limited by records per request instead. */
export const rateLimits = {
  general: { limit: 100, windowSeconds: 1 },
  bulk: null,
  ai_ask: { limit: 60, windowSeconds: 60 },
  ai_analyze: { limit: 30, windowSeconds: 60 },
  ai_exemplars: { limit: 120, windowSeconds: 60 },
  ai_suggest: { limit: 120, windowSeconds: 60 },
  ai_query: { limit: 30, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit | null>;

export type RateLimitClass = keyof typeof rateLimits;

export const rateLimitView = z
  .strictObject({
    class: z.string().meta({ description: 'Routes that share this limit.', examples: ['general'] }),
    limit: z
      .int()
      .positive()
      .meta({ description: 'Requests per window.', examples: [100] }),
    window_seconds: z
      .int()
      .positive()
      .meta({ description: 'Length of the window in seconds.', examples: [1] }),
  })
  .meta({ id: 'RateLimit', description: 'Rate limit of a caller.' });
