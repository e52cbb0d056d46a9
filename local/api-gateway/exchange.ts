// One request inside the gateway: its input and its $context values.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { requireValue } from '../require-value.ts';
import type { Match } from './router.ts';

type EventRequestContext = APIGatewayProxyEvent['requestContext'];

export interface GatewayIdentity {
  apiId: string;
  stage: string;
  accountId: string;
  /** The scheme of the public URL. */
  scheme: string;
}

export interface Exchange {
  requestId: string;
  extendedRequestId: string;
  traceId: string;
  httpMethod: string;
  /** Without the stage, as sent. */
  path: string;
  rawQuery: string;
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
  sourceIp: string;
  startedAtMs: number;
  gateway: GatewayIdentity;
  match: Match | undefined;
  authorizerContext: Record<string, unknown> | undefined;
  apiKey: { id: string; value: string } | undefined;
}

export function createExchange(
  request: Pick<IncomingMessage, 'rawHeaders' | 'method' | 'socket'>,
  sourceIp: string,
  path: string,
  rawQuery: string,
  gateway: GatewayIdentity,
  nowMs: number,
): Exchange {
  const { headers, multiValueHeaders } = parseHeaders(request.rawHeaders);
  const peer = (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  const requestId = randomUUID();
  const random = randomUUID().replaceAll('-', '');
  const traceId = `Root=1-${Math.floor(nowMs / 1000).toString(16)}-${random.slice(0, 24)}`;
  const added = {
    'X-Amzn-Trace-Id': traceId,
    'X-Forwarded-For': [findHeader(multiValueHeaders, 'x-forwarded-for'), peer].filter(Boolean).join(', '),
    'X-Forwarded-Port': String(request.socket.localPort ?? ''),
    'X-Forwarded-Proto': gateway.scheme,
  };
  for (const name of Object.keys(added) as (keyof typeof added)[]) {
    headers[name] = added[name];
    multiValueHeaders[name] = [added[name]];
  }
  return {
    requestId,
    extendedRequestId: `${random.slice(20)}=`,
    traceId,
    httpMethod: request.method ?? 'GET',
    path,
    rawQuery,
    headers,
    multiValueHeaders,
    sourceIp,
    startedAtMs: nowMs,
    gateway,
    match: undefined,
    authorizerContext: undefined,
    apiKey: undefined,
  };
}

/** The header's last value; names are case-insensitive. */
export function findHeader(headers: Record<string, string[]>, name: string): string | undefined {
  for (const each in headers) {
    if (each.length === name.length && each.toLowerCase() === name) return headers[each]?.at(-1);
  }
  return undefined;
}

/** The event of a Lambda proxy integration, field by field as API Gateway sends it. */
export function toProxyEvent(exchange: Exchange, body: Buffer): APIGatewayProxyEvent {
  const query = parseQuery(exchange.rawQuery);
  return {
    resource: requireValue(exchange.match).method.resourcePath,
    path: exchange.path,
    httpMethod: exchange.httpMethod,
    headers: exchange.headers,
    multiValueHeaders: exchange.multiValueHeaders,
    queryStringParameters: query.single,
    multiValueQueryStringParameters: query.multi,
    pathParameters: requireValue(exchange.match).pathParameters,
    stageVariables: null,
    requestContext: buildRequestContext(exchange),
    body: body.length > 0 ? body.toString('utf8') : null,
    isBase64Encoded: false,
  };
}

export function buildRequestContext(exchange: Exchange): EventRequestContext {
  const { gateway, match } = exchange;
  return {
    resourceId: 'local',
    resourcePath: requireValue(match).method.resourcePath,
    httpMethod: exchange.httpMethod,
    extendedRequestId: exchange.extendedRequestId,
    requestTime: formatCommonLogTime(exchange.startedAtMs),
    path: `/${gateway.stage}${exchange.path}`,
    accountId: gateway.accountId,
    protocol: 'HTTP/1.1',
    stage: gateway.stage,
    domainPrefix: gateway.apiId,
    requestTimeEpoch: exchange.startedAtMs,
    requestId: exchange.requestId,
    identity: {
      ...anonymousIdentity,
      sourceIp: exchange.sourceIp,
      userAgent: findHeader(exchange.multiValueHeaders, 'user-agent') ?? null,
      apiKey: exchange.apiKey?.value ?? null,
      apiKeyId: exchange.apiKey?.id ?? null,
    },
    domainName: findHeader(exchange.multiValueHeaders, 'host') ?? 'localhost',
    apiId: gateway.apiId,
    ...(exchange.authorizerContext ? { authorizer: exchange.authorizerContext } : {}),
  } as EventRequestContext;
}

const anonymousIdentity = {
  cognitoIdentityPoolId: null,
  accountId: null,
  cognitoIdentityId: null,
  caller: null,
  principalOrgId: null,
  accessKey: null,
  cognitoAuthenticationType: null,
  cognitoAuthenticationProvider: null,
  clientCert: null,
  userArn: null,
  user: null,
};

function parseHeaders(raw: readonly string[]): Pick<Exchange, 'headers' | 'multiValueHeaders'> {
  const headers = createEmptyMap<string>();
  const multiValueHeaders = createEmptyMap<string[]>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    headers[name] = value;
    multiValueHeaders[name] ??= [];
    multiValueHeaders[name].push(value);
  }
  return { headers, multiValueHeaders };
}

function parseQuery(rawQuery: string): {
  single: Record<string, string> | null;
  multi: Record<string, string[]> | null;
} {
  if (rawQuery === '') return { single: null, multi: null };
  const single = createEmptyMap<string>();
  const multi = createEmptyMap<string[]>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    single[name] = value;
    multi[name] ??= [];
    multi[name].push(value);
  }
  return { single, multi };
}

/** A map without a prototype: clients choose the names, and may send `toString` or `__proto__`. */
function createEmptyMap<Value>(): Record<string, Value> {
  return Object.create(null);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function formatCommonLogTime(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(8, 10)}/${months[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
