import type { CallOptions, OperationEntry, ResponseFacts } from './call-types.ts';
import { type Environment, orAborted } from './environment.ts';
import { exchange, type IncomingAnswer } from './exchange.ts';
import { problemFrom, ServiceProblem, unreadableAnswer } from './problem.ts';
import { type RateLimitState, rateLimitFrom } from './rate-limit.ts';
import { type CallInput, inputOf, type PreparedRequest, prepare } from './request.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { TokenSource } from './token-source.ts';

export interface Connection {
  apiUrl: string;
  tokens: TokenSource;
  timeoutMs: number;
  retry: RetryPolicy;
  environment: Environment;
  noteRateLimit(state: RateLimitState): void;
}

interface UntypedAnswer extends ResponseFacts {
  notModified: boolean;
  data: unknown;
}

interface UntypedPage {
  data: unknown[];
  next_cursor?: string;
}

/** One method of the client, with its variants as properties; call-types.ts gives it its types. */
export function callOf(operation: OperationEntry, connection: Connection) {
  const withResponse = async (...args: unknown[]) => perform(operation, inputOf(operation, args), connection);
  const call = async (...args: unknown[]) => {
    const { data, notModified, ...facts } = await withResponse(...args);
    if (notModified) throw unchanged(facts);
    return data;
  };
  const all = (...args: unknown[]) => records(operation, inputOf(operation, args), connection);
  return Object.assign(call, { withResponse, all });
}

async function perform(operation: OperationEntry, input: CallInput, connection: Connection): Promise<UntypedAnswer> {
  const request = prepare(operation, connection.apiUrl, input);
  const { environment } = connection;
  const { signal, retries = connection.retry.retries } = input.options;
  const attempt = () => authorizedExchange(request, input.options, connection);
  return withRetries(attempt, request.repeatability, { ...connection.retry, retries }, environment, signal);
}

/** A refused token is replaced once: it may have been revoked, or the clocks may differ. */
async function authorizedExchange(
  request: PreparedRequest,
  options: CallOptions,
  connection: Connection,
): Promise<UntypedAnswer> {
  const { tokens } = connection;
  const token = await orAborted(tokens.current(), options.signal);
  const answer = await send(request, token, options, connection);
  if (answer.status !== 401) return read(answer);
  const another = await orAborted(tokens.replace(token), options.signal);
  return read(another === token ? answer : await send(request, another, options, connection));
}

async function send(
  { repeatability: _, ...request }: PreparedRequest,
  token: string,
  { signal, timeoutMs }: CallOptions,
  connection: Connection,
): Promise<IncomingAnswer> {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const patience = { timeoutMs: timeoutMs ?? connection.timeoutMs, signal };
  const answer = await exchange({ ...request, headers }, patience, connection.environment);
  const rateLimit = rateLimitFrom(answer.headers);
  if (rateLimit) connection.noteRateLimit(rateLimit);
  return answer;
}

function read({ status, headers, text }: IncomingAnswer): UntypedAnswer {
  const notModified = status === 304;
  if (!notModified && (status < 200 || status > 299)) throw problemFrom(status, headers, text);
  const facts = factsOf(status, headers);
  if (text === '') return { ...facts, notModified, data: undefined };
  try {
    return { ...facts, notModified, data: JSON.parse(text) };
  } catch (error) {
    throw unreadableAnswer(status, headers, error);
  }
}

function factsOf(status: number, headers: Headers): ResponseFacts {
  const etag = headers.get('etag');
  const location = headers.get('location');
  const requestId = headers.get('x-request-id');
  const rateLimit = rateLimitFrom(headers);
  return {
    status,
    headers,
    ...(etag ? { etag } : {}),
    ...(location ? { location } : {}),
    ...(requestId ? { requestId } : {}),
    ...(rateLimit ? { rateLimit } : {}),
  };
}

/** Follows the cursors to the last page. A cursor that comes back would never end, so it is an error. */
async function* records(operation: OperationEntry, input: CallInput, connection: Connection) {
  const seen = new Set<string>();
  let query = input.query;
  for (;;) {
    const { data: page } = await perform(operation, { ...input, query }, connection);
    if (!isPage(page)) throw new TypeError(`${operation.method} ${operation.path} does not answer with a list.`);
    yield* page.data;
    const cursor = page.next_cursor;
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw new Error(`${operation.path} gave the cursor ${cursor} twice.`);
    seen.add(cursor);
    query = { ...query, cursor };
  }
}

function isPage(value: unknown): value is UntypedPage {
  return typeof value === 'object' && value !== null && Array.isArray((value as UntypedPage).data);
}

function unchanged({ status, requestId }: ResponseFacts): ServiceProblem {
  const detail = 'Ask with withResponse to handle records that have not changed.';
  return new ServiceProblem({ status, code: 'not_modified', title: 'The record has not changed', detail, requestId });
}
