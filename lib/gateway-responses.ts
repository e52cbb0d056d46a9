import { type ErrorCode, errors, problemContentType, problemOf } from '../contract/errors.ts';
import { type commonResponseHeaders, exposedHeaders, fixedResponseHeaders } from '../contract/http-headers.ts';
import { rateLimits } from '../contract/rate-limits.ts';

// What the gateway says when it answers in place of a function, in the same form as all other errors. It can fill in
// fixed texts and its own context only, and it does not know the caller's window: X-RateLimit-Reset is 0 there.

interface GatewayProblem {
  code: ErrorCode;
  detail: string;
  headers?: Readonly<Record<string, string>>;
}

const noToken: GatewayProblem = {
  code: 'unauthorized',
  detail: 'Send a valid access token in the header Authorization: Bearer <token>.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const nothingHere: GatewayProblem = { code: 'not_found', detail: 'There is nothing at this address.' };
const tooMany: GatewayProblem = {
  code: 'rate_limited',
  detail: 'The gateway takes no more requests from this caller right now. Try again in 1 s.',
  headers: { 'Retry-After': '1' },
};
const notReadable: GatewayProblem = { code: 'invalid_input', detail: 'The gateway cannot read the request.' };
const ourFault: GatewayProblem = {
  code: 'internal_error',
  detail: 'The request failed. The request id helps us find out why.',
};
const tooSlow: GatewayProblem = {
  code: 'unavailable',
  detail: 'The request could not be completed in time. Try again.',
  headers: { 'Retry-After': '1' },
};

// The authorizer fails when the user pool throttles it or does not answer. Nobody is let in on old knowledge then.
const notChecked: GatewayProblem = {
  code: 'unavailable',
  detail: 'The access token cannot be checked right now. Try again.',
  headers: { 'Retry-After': '1' },
};

const gatewayProblems: Readonly<Record<string, GatewayProblem>> = {
  // The authorizer denies tokens that are not valid, and nothing else: roles are checked by the routes.
  ACCESS_DENIED: noToken,
  EXPIRED_TOKEN: noToken,
  INVALID_SIGNATURE: noToken,
  UNAUTHORIZED: noToken,
  // This is how the gateway calls a path that it does not have.
  MISSING_AUTHENTICATION_TOKEN: nothingHere,
  RESOURCE_NOT_FOUND: nothingHere,
  INVALID_API_KEY: {
    code: 'unknown_consumer',
    detail: 'The client of this token is not registered in a usage plan of this API.',
  },
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  WAF_FILTERED: { code: 'forbidden', detail: 'The firewall refused the request.' },
  REQUEST_TOO_LARGE: { code: 'payload_too_large', detail: 'The request is larger than the gateway takes.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'The body must be application/json.' },
  BAD_REQUEST_BODY: notReadable,
  BAD_REQUEST_PARAMETERS: notReadable,
  DEFAULT_4XX: notReadable,
  API_CONFIGURATION_ERROR: ourFault,
  AUTHORIZER_CONFIGURATION_ERROR: ourFault,
  AUTHORIZER_FAILURE: notChecked,
  INTEGRATION_FAILURE: ourFault,
  INTEGRATION_TIMEOUT: tooSlow,
  DEFAULT_5XX: ourFault,
};

/** The value of `x-amazon-apigateway-gateway-responses`. */
export function gatewayResponses(allowedOrigin: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(gatewayProblems).map(([type, problem]) => [type, gatewayResponse(problem, allowedOrigin)]),
  );
}

function gatewayResponse({ code, detail, headers = {} }: GatewayProblem, allowedOrigin: string) {
  const { status } = errors[code];
  const fixed: Record<keyof typeof commonResponseHeaders | string, string> = {
    'Content-Type': problemContentType,
    'X-RateLimit-Limit': String(rateLimits.general.limit),
    'X-RateLimit-Remaining': status === 429 ? '0' : String(rateLimits.general.limit),
    'X-RateLimit-Reset': '0',
    ...fixedResponseHeaders,
    Vary: 'Origin',
    'Access-Control-Allow-Origin': allowedOrigin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
    ...headers,
  };
  const quoted = Object.entries(fixed).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  return {
    statusCode: String(status),
    responseParameters: { ...Object.fromEntries(quoted), 'gatewayresponse.header.X-Request-Id': 'context.requestId' },
    responseTemplates: { 'application/json': JSON.stringify(problemOf(code, detail, '$context.requestId')) },
  };
}
