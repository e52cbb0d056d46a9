import { type ErrorCode, errors, problemContentType, toProblem } from '../contract/errors.ts';
import { type commonResponseHeaders, exposedHeaders, fixedResponseHeaders } from '../contract/http.ts';
import { rateLimits } from '../contract/rate-limits.ts';

// Error responses of the gateway itself, in the same format as all others. Gateway templates can only use static text
// and the request context, so X-RateLimit-Reset is 0.

interface GatewayProblem {
  code: ErrorCode;
  detail: string;
  headers?: Readonly<Record<string, string>>;
}

const noToken: GatewayProblem = {
  code: 'unauthorized',
  detail: 'Send a valid access token or an active API key in the header Authorization: Bearer <token>.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const nothingHere: GatewayProblem = { code: 'not_found', detail: 'No resource exists at this URL.' };
const tooMany: GatewayProblem = {
  code: 'rate_limited',
  detail: 'The gateway request limit is exceeded. Try again in 1 s.',
  headers: { 'Retry-After': '1' },
};
const notReadable: GatewayProblem = { code: 'invalid_input', detail: 'The gateway cannot read the request.' };
const ourFault: GatewayProblem = {
  code: 'internal_error',
  detail: 'The request failed. Include the request ID when you report the problem.',
};
// The function could not be invoked: Lambda throttles, or one machine sheds load.
const overloaded: GatewayProblem = {
  code: 'unavailable',
  detail: 'The service is overloaded. Try again in 1 s.',
  headers: { 'Retry-After': '1' },
};
const tooSlow: GatewayProblem = {
  code: 'unavailable',
  detail: 'The request could not be completed in time. Try again.',
  headers: { 'Retry-After': '1' },
};

// The authorizer fails if the user pool throttles it or does not respond. Requests are then rejected.
const notChecked: GatewayProblem = {
  code: 'unavailable',
  detail: 'The access token cannot be checked right now. Try again.',
  headers: { 'Retry-After': '1' },
};

const gatewayProblems: Readonly<Record<string, GatewayProblem>> = {
  // The authorizer denies only invalid tokens; functions check roles.
  ACCESS_DENIED: noToken,
  EXPIRED_TOKEN: noToken,
  INVALID_SIGNATURE: noToken,
  UNAUTHORIZED: noToken,
  // API Gateway uses this type for unknown paths.
  MISSING_AUTHENTICATION_TOKEN: nothingHere,
  RESOURCE_NOT_FOUND: nothingHere,
  // The client was deleted after the gateway cached the authorizer's response, or it was never added to a usage plan.
  INVALID_API_KEY: {
    ...noToken,
    detail:
      'The client or API key of this request was deleted, or it is not in a usage plan. New keys need some seconds.',
  },
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  WAF_FILTERED: { code: 'forbidden', detail: 'The firewall rejected the request.' },
  REQUEST_TOO_LARGE: { code: 'payload_too_large', detail: 'The request exceeds the size limit of the gateway.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'The body must be application/json.' },
  BAD_REQUEST_BODY: notReadable,
  BAD_REQUEST_PARAMETERS: notReadable,
  DEFAULT_4XX: notReadable,
  API_CONFIGURATION_ERROR: ourFault,
  AUTHORIZER_CONFIGURATION_ERROR: ourFault,
  AUTHORIZER_FAILURE: notChecked,
  INTEGRATION_FAILURE: overloaded,
  INTEGRATION_TIMEOUT: tooSlow,
  DEFAULT_5XX: ourFault,
};

/** The value of `x-amazon-apigateway-gateway-responses`. */
export function buildGatewayResponses(allowedOrigin: string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(gatewayProblems).map(([type, problem]) => [type, buildGatewayResponse(problem, allowedOrigin)]),
  );
}

/** The common headers of responses that are made before a caller is counted. */
export function buildStaticHeaders(status: number, limit: number = rateLimits.general.limit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': status === 429 ? '0' : String(limit),
    'X-RateLimit-Reset': '0',
    ...fixedResponseHeaders,
  };
}

function buildGatewayResponse({ code, detail, headers = {} }: GatewayProblem, allowedOrigin: string | undefined) {
  const { status } = errors[code];
  const fixed: Record<keyof typeof commonResponseHeaders | string, string> = {
    'Content-Type': problemContentType,
    ...buildStaticHeaders(status),
    Vary: 'Origin',
    ...(allowedOrigin && {
      'Access-Control-Allow-Origin': allowedOrigin,
      'Access-Control-Expose-Headers': exposedHeaders.join(', '),
    }),
    ...headers,
  };
  const quoted = Object.entries(fixed).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  return {
    statusCode: String(status),
    responseParameters: { ...Object.fromEntries(quoted), 'gatewayresponse.header.X-Request-Id': 'context.requestId' },
    responseTemplates: { 'application/json': JSON.stringify(toProblem(code, detail, '$context.requestId')) },
  };
}
