import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { problemContentType, toProblem } from '../../../contract/errors.ts';
import { exposedHeaders } from '../../../contract/http.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { Caller } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { env } from '../env.ts';
import type { Log } from '../log.ts';
import type { Verdict } from '../rate-limit/limiter.ts';
import { ServiceError } from '../service-error.ts';
import { toValidatedJson } from './json.ts';

// The input and output types of use cases, derived from the operation in the contract. A use case that reads an unknown
// parameter or returns an undeclared status does not compile.

export type Input<O extends Operation> = {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  headers: Parsed<O['headers']>;
  body: Parsed<O['body']>;
};

export type OperationResponse<O extends Operation> = {
  [Status in keyof O['responses'] & number]: {
    status: Status;
    headers?: Readonly<Record<string, string>>;
  } & (O['responses'][Status] extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : unknown);
}[keyof O['responses'] & number];

export interface RequestContext<O extends Operation = Operation> {
  requestId: string;
  caller: O['access'] extends 'public' ? null : Caller;
  clock: Clock;
  log: Log;
}

export type UseCase<O extends Operation> = (
  input: Input<O>,
  context: RequestContext<O>,
) => Promise<OperationResponse<O>>;

/** The state that the steps of the pipeline share for one request. */
export interface Exchange {
  requestId: string;
  startedAtMs: number;
  caller: Caller | null;
  /** Counting runs in parallel with the reads of the use case. The promise never rejects. */
  verdict: Promise<Verdict>;
  input?: Input<Operation>;
}

export type GatewayEvent = APIGatewayProxyEvent;
export type GatewayResult = APIGatewayProxyResult;
export type PipelineContext = Context & { exchange: Exchange };

/** Throws if a response violates the contract: that is a bug, and callers must not get such a response. */
export function toResult(operation: Operation, response: OperationResponse<Operation>): GatewayResult {
  const {
    status,
    headers = {},
    body,
  } = response as { status: number; headers?: Record<string, string>; body?: unknown };
  const spec = operation.responses[status];
  if (!spec) throw new Error(`${operation.name} returned status ${status}, which its contract does not declare`);
  if (!spec.body) return { statusCode: status, headers: { ...headers }, body: '' };
  const json = toValidatedJson(spec.body, body, (why) => {
    throw new Error(`${operation.name} returned a body that violates its contract: ${why}`);
  });
  const { contentType } = spec;
  return {
    statusCode: status,
    headers: { 'Content-Type': contentType ? `${contentType}; charset=utf-8` : 'application/json', ...headers },
    body: contentType ? String(body) : json,
  };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The only place that converts an error to a response. */
export function toProblemResult(error: ServiceError, requestId: string): GatewayResult {
  return {
    statusCode: error.status,
    headers: { ...statusHeaders[error.status], ...error.extra.headers, 'Content-Type': problemContentType },
    body: JSON.stringify({ ...toProblem(error.code, error.message, requestId), ...error.extra.members }),
  };
}

/**
 * Returns the error that the caller may see. A temporary failure can be retried; details of other failures are only
 * logged.
 */
export function toVisibleError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isTransient(error)) {
    return new ServiceError('unavailable', 'The request could not be completed in time. Try again.', { cause: error });
  }
  return new ServiceError('internal_error', 'The request failed. Include the request ID when you report the problem.', {
    cause: error,
  });
}

const statusHeaders: Readonly<Record<number, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: { 'Retry-After': '1' },
};

const transientErrorNames = new Set([
  'InternalServerError',
  'KmsThrottled',
  'OverLimit',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
]);

const transientErrorCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EMFILE', 'ENFILE', 'EPIPE', 'ETIMEDOUT']);

/** Errors of the SDK after its retries, and our own timeout. A 5xx is a failure of AWS. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return transientErrorNames.has(error.name) || transientErrorCodes.has((error as { code?: string }).code ?? '');
}

// The web origins that may call the service: https pages of the service's domain and its subdomains, and the configured
// origins, one of which is the console's.
export interface OriginRule {
  serviceDomain: string;
  allowedOrigins: readonly string[];
}

export function loadOriginRule(): OriginRule {
  const { SERVICE_DOMAIN, CORS_ORIGINS } = env('SERVICE_DOMAIN', 'CORS_ORIGINS');
  return { serviceDomain: SERVICE_DOMAIN, allowedOrigins: CORS_ORIGINS.split(',') };
}

export function isAllowedOrigin(origin: string, { serviceDomain, allowedOrigins }: OriginRule): boolean {
  if (allowedOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'https:' || url.origin !== origin) return false;
  return url.hostname === serviceDomain || url.hostname.endsWith(`.${serviceDomain}`);
}

/** `Vary` is also sent to other origins, so that a cache does not serve their response to an allowed one. */
export function buildCorsHeaders(origin: string | undefined, rule: OriginRule): Record<string, string> {
  const vary = { Vary: 'Origin' };
  if (origin === undefined || !isAllowedOrigin(origin, rule)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}
