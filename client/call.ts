import type { CallOptions, OperationEntry, ResponseInfo } from './call-types.ts';
import { combineSignals, type Environment, raceAbort } from './environment.ts';
import { exchange, type ReceivedResponse } from './exchange.ts';
import { createUnreadableProblem, ServiceProblem, toProblem } from './problem.ts';
import { parseRateLimit, type RateLimitState } from './rate-limit.ts';
import { type CallInput, type PreparedRequest, parseArguments, prepare } from './request.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { TokenSource } from './token-source.ts';

export interface Connection {
  apiUrl: string;
  tokens: TokenSource;
  timeoutMs: number;
  retry: RetryPolicy;
  environment: Environment;
  signal?: AbortSignal | undefined;
  headers?: HeaderHook | undefined;
  noteRateLimit(state: RateLimitState): void;
}

/** Headers for every request, or a function that returns them. The client's own headers take precedence. */
export type HeaderHook =
  | Readonly<Record<string, string>>
  | ((request: {
      method: string;
      url: string;
    }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

interface UntypedResponse extends ResponseInfo {
  notModified: boolean;
  data: unknown;
}

interface UntypedPage {
  data: unknown[];
  next_cursor?: string;
  next_after?: number;
  next_before?: number;
  latest?: number;
}

/** One method of the client, with its variants as properties; call-types.ts gives it its types. */
export function createCall(operation: OperationEntry, connection: Connection) {
  const withResponse = async (...args: unknown[]) => perform(operation, parseArguments(operation, args), connection);
  const call = async (...args: unknown[]) => {
    const { data, notModified, ...info } = await withResponse(...args);
    if (notModified) throw createUnchangedProblem(info);
    return data;
  };
  const all = (...args: unknown[]) => iterate(operation, parseArguments(operation, args), connection);
  const autoPagingToArray = async (...args: unknown[]) => {
    const input = parseArguments(operation, args);
    return collect(iterate(operation, input, connection), input.options.maxItems);
  };
  return Object.assign(call, operation.paging ? { withResponse, all, autoPagingToArray } : { withResponse });
}

async function perform(operation: OperationEntry, input: CallInput, connection: Connection): Promise<UntypedResponse> {
  const request = prepare(operation, connection.apiUrl, input);
  const { environment } = connection;
  const { retries = connection.retry.retries } = input.options;
  const signal = combineSignals(connection.signal, input.options.signal);
  const attempt = () => exchangeWithToken(request, { ...input.options, signal }, connection);
  return withRetries(attempt, request.idempotency, { ...connection.retry, retries }, environment, signal);
}

/** A rejected token is replaced once: it may have been revoked, or the clocks may differ. */
async function exchangeWithToken(
  request: PreparedRequest,
  options: CallOptions,
  connection: Connection,
): Promise<UntypedResponse> {
  const { tokens } = connection;
  const token = await raceAbort(tokens.current(), options.signal);
  const response = await send(request, token, options, connection);
  if (response.status !== 401) return read(response);
  const another = await raceAbort(tokens.replace(token), options.signal);
  return read(another === token ? response : await send(request, another, options, connection));
}

async function send(
  { idempotency: _, ...request }: PreparedRequest,
  token: string,
  { signal, timeoutMs }: CallOptions,
  connection: Connection,
): Promise<ReceivedResponse> {
  const { headers: hook } = connection;
  const added = typeof hook === 'function' ? await hook({ method: request.method, url: request.url }) : hook;
  const headers = Object.fromEntries(new Headers(added));
  Object.assign(headers, request.headers, { authorization: `Bearer ${token}` });
  const limits = { timeoutMs: timeoutMs ?? connection.timeoutMs, signal };
  const response = await exchange({ ...request, headers }, limits, connection.environment);
  const rateLimit = parseRateLimit(response.headers);
  if (rateLimit) connection.noteRateLimit(rateLimit);
  return response;
}

function read({ status, headers, text }: ReceivedResponse): UntypedResponse {
  const notModified = status === 304;
  if (!notModified && (status < 200 || status > 299)) throw toProblem(status, headers, text);
  const info = toResponseInfo(status, headers);
  if (text === '') return { ...info, notModified, data: undefined };
  if (isTextual(headers)) return { ...info, notModified, data: text };
  try {
    return { ...info, notModified, data: JSON.parse(text) };
  } catch (error) {
    throw createUnreadableProblem(status, headers, error);
  }
}

/** The only responses that are not JSON; anything else is a mistake of a proxy. */
function isTextual(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/calendar') === true;
}

function toResponseInfo(status: number, headers: Headers): ResponseInfo {
  const etag = headers.get('etag');
  const location = headers.get('location');
  const requestId = headers.get('x-request-id');
  const rateLimit = parseRateLimit(headers);
  return {
    status,
    headers,
    ...(etag ? { etag } : {}),
    ...(location ? { location } : {}),
    ...(requestId ? { requestId } : {}),
    ...(rateLimit ? { rateLimit } : {}),
  };
}

const defaultMaxItems = 10_000;

async function collect(items: AsyncIterable<unknown>, maxItems: unknown = defaultMaxItems): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) {
    if (found.push(item) >= Number(maxItems)) break;
  }
  return found;
}

/** Reads all pages. A cursor that is returned twice would never end, so it is an error. */
async function* iterate(operation: OperationEntry, input: CallInput, connection: Connection) {
  const seen = new Set<unknown>();
  let query = input.query;
  for (;;) {
    const { data: page } = await perform(operation, { ...input, query }, connection);
    if (!isPage(page)) throw new TypeError(`${operation.method} ${operation.path} does not return a list.`);
    yield* page.data;
    const next = findNext(operation, page);
    if (!next) return;
    const [position] = Object.values(next);
    if (seen.has(position)) throw new Error(`${operation.path} returned the cursor ${position} twice.`);
    seen.add(position);
    query = { ...query, ...next };
  }
}

/** The query of the next page, if there is one. A filtered page of the feed can be empty before the end of the feed. */
function findNext({ paging }: OperationEntry, page: UntypedPage): Record<string, string | number> | undefined {
  if (paging === 'sequence') {
    const { next_after = 0, next_before, latest = 0 } = page;
    if (next_before !== undefined) return { before: next_before };
    return next_after < latest ? { after: next_after } : undefined;
  }
  return page.next_cursor === undefined ? undefined : { cursor: page.next_cursor };
}

function isPage(value: unknown): value is UntypedPage {
  return typeof value === 'object' && value !== null && Array.isArray((value as UntypedPage).data);
}

function createUnchangedProblem({ status, requestId }: ResponseInfo): ServiceProblem {
  const detail = 'Use withResponse to handle records that have not changed.';
  return new ServiceProblem({ status, code: 'not_modified', title: 'The record has not changed', detail, requestId });
}
