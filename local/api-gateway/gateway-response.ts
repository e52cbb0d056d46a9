// Builds the gateway's own responses, from the template's gateway responses or AWS's defaults, and converts the
// responses of proxy integrations.
import { type Exchange, findHeader } from './exchange.ts';
import type { GatewayResponseDefinition } from './openapi-body.ts';

export interface GatewayResponse {
  status: number;
  headers: Record<string, string | readonly string[]>;
  body: string | Buffer;
}

const defaults = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  BAD_REQUEST_PARAMETERS: [400, 'Bad Request'],
  INTEGRATION_FAILURE: [504, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  MALFORMED_PROXY_RESPONSE: [502, 'Internal server error'],
  INVALID_API_KEY: [403, 'Forbidden'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
} as const satisfies Record<string, readonly [number, string]>;

export type GatewayResponseType = keyof typeof defaults;

export function buildGatewayResponse(
  type: GatewayResponseType,
  exchange: Exchange,
  definitions: Record<string, GatewayResponseDefinition>,
): GatewayResponse {
  const [defaultStatus, message] = defaults[type];
  const fallback = definitions[defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
  const definition = definitions[type] ?? fallback ?? {};
  const status = Number(definition.statusCode ?? defaultStatus);
  const read = (variable: string) => readContextValue(variable, exchange, { type, message, status });
  const [contentType, template] = chooseTemplate(definition.responseTemplates, exchange);
  const headers: Record<string, string> = {
    'Content-Type': contentType,
    'x-amzn-ErrorType': errorTypes[type] ?? 'InternalServerErrorException',
  };
  for (const [target, source] of Object.entries(definition.responseParameters ?? {})) {
    const name = target.replace(/^gatewayresponse\.header\./, '');
    const value = readParameter(source, exchange, read);
    if (value === undefined) continue;
    for (const existing of Object.keys(headers))
      if (existing.toLowerCase() === name.toLowerCase()) delete headers[existing];
    headers[name] = value;
  }
  return { status, headers, body: fillTemplate(template, read) };
}

const errorTypes: Partial<Record<GatewayResponseType, string>> = {
  ACCESS_DENIED: 'AccessDeniedException',
  UNAUTHORIZED: 'UnauthorizedException',
  MISSING_AUTHENTICATION_TOKEN: 'MissingAuthenticationTokenException',
  THROTTLED: 'TooManyRequestsException',
  INVALID_API_KEY: 'ForbiddenException',
  REQUEST_TOO_LARGE: 'RequestTooLargeException',
};

/** Replaces $context variables, as gateway responses and access-log formats do. Other template logic is not supported. */
export function fillTemplate(template: string, read: (variable: string) => string): string {
  return template.replace(/\$context\.([A-Za-z0-9_.-]*[A-Za-z0-9_])/g, (_match, variable: string) => read(variable));
}

export interface Outcome {
  type?: string;
  message?: string;
  status?: number;
  responseLength?: number;
  latencyMs?: number;
}

export function readContextValue(variable: string, exchange: Exchange, outcome: Outcome): string {
  if (variable.startsWith('authorizer.')) {
    const value = exchange.authorizerContext?.[variable.slice('authorizer.'.length)];
    return value === undefined ? '-' : String(value);
  }
  return String(contextVariables[variable]?.(exchange, outcome) ?? '-');
}

const contextVariables: Record<string, (exchange: Exchange, outcome: Outcome) => string | number | undefined> = {
  requestId: ({ requestId }) => requestId,
  extendedRequestId: ({ extendedRequestId }) => extendedRequestId,
  httpMethod: ({ httpMethod }) => httpMethod,
  path: ({ gateway, path }) => `/${gateway.stage}${path}`,
  resourcePath: ({ match }) => match?.method.resourcePath,
  stage: ({ gateway }) => gateway.stage,
  apiId: ({ gateway }) => gateway.apiId,
  accountId: ({ gateway }) => gateway.accountId,
  protocol: () => 'HTTP/1.1',
  requestTimeEpoch: ({ startedAtMs }) => startedAtMs,
  requestTime: ({ startedAtMs }) => new Date(startedAtMs).toISOString(),
  'identity.sourceIp': ({ sourceIp }) => sourceIp,
  'identity.userAgent': ({ multiValueHeaders }) => findHeader(multiValueHeaders, 'user-agent'),
  'identity.apiKeyId': ({ apiKey }) => apiKey?.id,
  'error.message': (_exchange, { message }) => message,
  'error.messageString': (_exchange, { message }) => (message === undefined ? undefined : JSON.stringify(message)),
  'error.responseType': (_exchange, { type }) => type,
  status: (_exchange, { status }) => status,
  responseLength: (_exchange, { responseLength }) => responseLength,
  responseLatency: (_exchange, { latencyMs }) => latencyMs,
  integrationLatency: (_exchange, { latencyMs }) => latencyMs,
  xrayTraceId: ({ traceId }) => traceId,
};

function readParameter(source: string, exchange: Exchange, read: (variable: string) => string): string | undefined {
  const literal = /^'(.*)'$/s.exec(source)?.[1];
  if (literal !== undefined) return literal;
  if (source.startsWith('context.')) return read(source.slice('context.'.length));
  const header = /^method\.request\.header\.(.+)$/.exec(source)?.[1];
  if (header) return findHeader(exchange.multiValueHeaders, header.toLowerCase());
  throw new Error(`Gateway responses do not support the header source ${source}`);
}

function chooseTemplate(templates: Record<string, string> | undefined, exchange: Exchange): [string, string] {
  const known = Object.entries(templates ?? {});
  const accepted = findHeader(exchange.multiValueHeaders, 'accept') ?? '*/*';
  const chosen = known.find(([contentType]) => accepted.includes(contentType)) ?? known[0];
  return chosen ?? ['application/json', '{"message":$context.error.messageString}'];
}

// Headers that API Gateway reserves: it renames or drops a function's value.
const remapped = new Set([
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'user-agent',
  'www-authenticate',
]);
const dropped = new Set(['te', 'trailer', 'transfer-encoding', 'upgrade', 'via']);

interface ProxyResult {
  statusCode?: unknown;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  body?: unknown;
  isBase64Encoded?: boolean;
}

/** Returns undefined for a malformed function result; API Gateway then responds with 502. */
export function toGatewayResponse(payload: unknown): GatewayResponse | undefined {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return undefined;
  const result = payload as ProxyResult;
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (result.body !== undefined && result.body !== null && typeof result.body !== 'string') return undefined;
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(result.headers ?? {})) setHeader(headers, name, String(value));
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {}))
    setHeader(headers, name, values.map(String));
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type'))
    headers['Content-Type'] = 'application/json';
  const text = (result.body as string | null | undefined) ?? '';
  return { status, headers, body: result.isBase64Encoded ? Buffer.from(text, 'base64') : text };
}

function setHeader(
  headers: Record<string, string | readonly string[]>,
  name: string,
  value: string | readonly string[],
): void {
  const lower = name.toLowerCase();
  if (dropped.has(lower)) return;
  headers[remapped.has(lower) ? `x-amzn-Remapped-${name}` : name] = value;
}
