import * as z from 'zod';

// Every way the service says no. The code is stable and meant for programs; title and detail are meant for people.
export const errors = {
  invalid_input: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not well-formed JSON' },
  unauthorized: { status: 401, title: 'A valid access token is required' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  unknown_consumer: { status: 403, title: 'The client is not registered as a consumer of this API' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'The method is not available at this address' },
  invalid_transition: { status: 409, title: 'The state change is not allowed' },
  already_approved: { status: 409, title: 'What was approved stays as it is' },
  idempotency_key_in_flight: { status: 409, title: 'A request with this idempotency key is still running' },
  limit_reached: { status: 409, title: 'There are as many as there may be' },
  webhook_inactive: { status: 409, title: 'The webhook is not active' },
  precondition_failed: { status: 412, title: 'The record has changed since it was read' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to a different request' },
  mapping_failed: { status: 422, title: 'The event does not make a valid incident' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is not available right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errors;

const fieldProblem = z
  .strictObject({
    field: z
      .string()
      .meta({ description: 'The field, parameter or header; nested fields as a path.', examples: ['limit', 'a.b[0]'] }),
    message: z.string().meta({ description: 'What is wrong with it.', examples: ['is required'] }),
  })
  .meta({ id: 'FieldProblem', description: 'One thing that is wrong with the input.' });

export type FieldProblem = z.infer<typeof fieldProblem>;

/** RFC 9457 problem details. Some codes carry further members, such as `allowed_transitions`. */
export const problem = z
  .looseObject({
    type: z.string().meta({ description: 'Identifies the kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in words.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What happened this time.' }),
    code: z.string().meta({ description: 'A stable code for programs.' }),
    request_id: z.string().meta({ description: 'Equal to the X-Request-Id header and to the id in our logs.' }),
    errors: z.array(fieldProblem).optional().meta({ description: 'All problems of an invalid request.' }),
  })
  .meta({ id: 'Problem', description: 'An error, in the form of RFC 9457.' });

export type Problem = z.infer<typeof problem>;

export const problemContentType = 'application/problem+json';

export function problemOf(code: ErrorCode, detail: string, requestId: string): Problem {
  const { status, title } = errors[code];
  return { type: `urn:problem-type:itsm:${code}`, title, status, detail, code, request_id: requestId };
}
