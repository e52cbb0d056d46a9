import type { HeaderSpec } from './operation.ts';

/** On every answer, whoever gives it. */
export const commonResponseHeaders = {
  'X-Request-Id': { description: 'Names this request in our logs.', example: 'b2b7a1c8-6a3e-4b0c-9a53-0f6f5a1d2c3e' },
  'X-RateLimit-Limit': { description: 'Requests the caller may make per window.', example: '100' },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', example: '99' },
  'X-RateLimit-Reset': {
    description:
      'When the window ends, in Unix seconds, rounded up; 0 where the gateway answers before it knows the caller.',
    example: '1772357401',
  },
} as const satisfies Record<string, HeaderSpec>;

/** On every answer, too: nothing here is for a cache or for a browser to guess the type of. */
export const fixedResponseHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const retryAfter: HeaderSpec = { description: 'Whole seconds to wait before the next attempt.', example: '1' };

/** What a browser may read of an answer, beyond the headers it may always read. */
export const exposedHeaders = [
  ...Object.keys(commonResponseHeaders),
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
];

/** What a browser may send. */
export const allowedRequestHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'];
