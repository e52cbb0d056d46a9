import type { HeaderSpec } from './operation.ts';

// Paths and headers of the API. Separate from the operations, because most functions need only these.

/** The versioned prefix comes first: it is the one that `Location` and `url` values use. */
export const apiPrefixes = ['/api/v1', '/api'] as const;

export const stageName = 'prod';

/** Tag of the gateway's keys and plans; its value is the name of the plan. Policies limit functions to keys with their own. */
export const usagePlanTag = 'usage-plan';

/** On every response, including those of the gateway. */
export const commonResponseHeaders = {
  'X-Request-Id': { description: 'Request ID for support and logs.', example: 'b2b7a1c8-6a3e-4b0c-9a53-0f6f5a1d2c3e' },
  'X-RateLimit-Limit': { description: 'Request limit per window.', example: '100' },
  'X-RateLimit-Remaining': { description: 'Requests remaining in the window.', example: '99' },
  'X-RateLimit-Reset': {
    description:
      'End of the window in Unix seconds, rounded up; 0 if the gateway rejects the request before authentication.',
    example: '1772357401',
  },
} as const satisfies Record<string, HeaderSpec>;

/** Also on every response: forbid caching and content sniffing. */
export const fixedResponseHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const retryAfter: HeaderSpec = { description: 'Seconds to wait before retrying.', example: '1' };

/** Response headers that browsers may read (CORS). */
export const exposedHeaders = [
  ...Object.keys(commonResponseHeaders),
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Warnings',
];

/** Request headers that browsers may send (CORS). */
export const allowedRequestHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'];
