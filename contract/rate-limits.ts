import * as z from 'zod';

// How many requests one caller may make. A window starts with the caller's first request and lasts the given time, so
// an idle caller always has the whole limit (docs/decisions/0003-rate-limit-window.md).
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** Bulk routes are bounded by records per request instead; they are not counted. */
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
    class: z.string().meta({ description: 'The group of routes that share this limit.', examples: ['general'] }),
    limit: z
      .int()
      .positive()
      .meta({ description: 'Requests per window.', examples: [100] }),
    window_seconds: z
      .int()
      .positive()
      .meta({ description: 'Length of the window.', examples: [1] }),
  })
  .meta({ id: 'RateLimit', description: 'A limit on the requests of one caller.' });
