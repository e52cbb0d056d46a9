import * as z from 'zod';

// All error codes. Programs rely on the code, which is stable; title and detail are for people.
export const errors = {
  invalid_input: { status: 400, title: 'Invalid request' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  unauthorized: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Permission denied' },
  not_found: { status: 404, title: 'Resource not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  invalid_transition: { status: 409, title: 'State transition not allowed' },
  already_approved: { status: 409, title: 'Approved fields cannot be changed' },
  idempotency_key_in_flight: { status: 409, title: 'Request with this idempotency key in progress' },
  limit_reached: { status: 409, title: 'Limit reached' },
  in_use: { status: 409, title: 'Record in use' },
  webhook_inactive: { status: 409, title: 'Webhook is inactive' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused with a different request' },
  mapping_failed: { status: 422, title: 'Mapping failed' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
  model_access_denied: { status: 503, title: 'Language model access not granted' },
  model_not_in_region: { status: 503, title: 'Language model not available in this region' },
  model_retired: { status: 503, title: 'Language model retired' },
  model_throttled: { status: 503, title: 'Language model throttled' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errors;

const fieldProblem = z
  .strictObject({
    field: z.string().meta({
      description: 'Name of the field, parameter or header. Nested fields use a path.',
      examples: ['limit', 'a.b[0]'],
    }),
    message: z.string().meta({ description: 'Description of the problem.', examples: ['is required'] }),
  })
  .meta({ id: 'FieldProblem', description: 'A validation problem with one field.' });

export type FieldProblem = z.infer<typeof fieldProblem>;

/** RFC 9457 problem details. Some codes add members, such as `allowed_transitions`. */
export const problem = z
  .looseObject({
    type: z.string().meta({
      description: 'Reference to the page that explains the problem type, relative to the host of the API.',
      examples: ['/console/errors.html#not_found'],
    }),
    title: z.string().meta({ description: 'Short summary of the problem type.' }),
    status: z.int().meta({ description: 'HTTP status code.' }),
    detail: z.string().meta({ description: 'Explanation of this occurrence.' }),
    code: z.string().meta({ description: 'Stable, machine-readable error code.' }),
    request_id: z
      .string()
      .meta({ description: 'Request ID: the value of the `X-Request-Id` header and of the log entries.' }),
    errors: z.array(fieldProblem).optional().meta({ description: 'All validation problems of the request.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' });

export type Problem = z.infer<typeof problem>;

export const problemContentType = 'application/problem+json';

export function toProblem(code: ErrorCode, detail: string, requestId: string): Problem {
  const { status, title } = errors[code];
  return { type: `/console/errors.html#${code}`, title, status, detail, code, request_id: requestId };
}
