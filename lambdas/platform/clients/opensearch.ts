import type { Client, errors } from '@opensearch-project/opensearch';
import { env, readOptional } from '../env.ts';
import { ServiceError } from '../service-error.ts';
import { dynamodbClient } from './dynamodb.ts';

// Requests to OpenSearch. SEARCH_ENDPOINT is its URL, and SEARCH_PREFIX separates the indexes of several instances.

export interface SearchClient {
  /** Joins the names with the prefix of this instance. */
  toIndexName(...names: readonly string[]): string;
  request(method: string, path: string, body?: object, options?: RequestOptions): Promise<Json>;
  /** Sends lines of JSON. */
  bulk(lines: readonly object[], path?: string): Promise<Json>;
}

export interface RequestOptions {
  querystring?: Readonly<Record<string, string>>;
  timeoutMs?: number;
  /** Statuses that are results rather than errors. */
  accept?: readonly number[];
}

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request.
export type Json = any;

/** Undefined when the service searches in memory. */
export function createSearchClient(): SearchClient | undefined {
  const endpoint = readOptional('SEARCH_ENDPOINT');
  return endpoint ? connectSearch(endpoint, env('SEARCH_PREFIX').SEARCH_PREFIX) : undefined;
}

const defaultTimeoutMs = 5_000;

/** A request with a thousand documents takes longer than a search; shorter than the functions that index may run. */
const bulkTimeoutMs = 20_000;

export function connectSearch(endpoint: string, prefix: string): SearchClient {
  let client: Promise<Client> | undefined;
  const send = async (params: { method: string; path: string }, options: RequestOptions): Promise<Json> => {
    const { timeoutMs = defaultTimeoutMs, accept = [], querystring } = options;
    client ??= connect(endpoint);
    try {
      const { transport } = await client;
      const sent = { ...params, ...(querystring && { querystring: { ...querystring } }) };
      const { body } = await transport.request(sent, { requestTimeout: timeoutMs, ignore: [...accept] });
      return body;
    } catch (error) {
      throw toServiceError(error);
    }
  };
  return {
    toIndexName: (...names) => [prefix, ...names].join('-').toLowerCase(),
    request: (method, path, body, options = {}) => send({ method, path, ...(body && { body }) }, options),
    bulk: (lines, path = '/_bulk') =>
      send({ method: 'POST', path, bulkBody: [...lines] } as { method: string; path: string }, {
        timeoutMs: bulkTimeoutMs,
      }),
  };
}

/** Loaded on first use, because most instances search in memory. */
async function connect(endpoint: string): Promise<Client> {
  const { Client } = await import('@opensearch-project/opensearch');
  // A retry repeats the timeout, and callers of a list retry anyway.
  const options = { node: endpoint, maxRetries: 0 };
  if (!new URL(endpoint).hostname.endsWith('.amazonaws.com')) return new Client(options);
  const { AwsSigv4Signer } = await import('@opensearch-project/opensearch/aws');
  const { region, credentials } = dynamodbClient().config;
  return new Client({
    ...options,
    ...AwsSigv4Signer({ region: await region(), service: 'es', getCredentials: () => credentials() }),
  });
}

/** Callers retry what may pass. The text names the setting, because only an operator can fix the rest. */
function toServiceError(error: unknown): unknown {
  const { name, statusCode, message } = error as errors.ResponseError & { statusCode?: number };
  const retryAfter = (seconds: number) => ({ headers: { 'Retry-After': String(seconds) }, cause: error });
  if (unreachable.has(name))
    return new ServiceError('unavailable', 'The search engine of SEARCH_ENDPOINT cannot be reached.', retryAfter(5));
  if (statusCode === 429 || (statusCode !== undefined && statusCode >= 500))
    return new ServiceError('unavailable', 'The search engine is busy. Try again.', retryAfter(2));
  if (statusCode === 401 || statusCode === 403)
    return new ServiceError('unavailable', 'SEARCH_ENDPOINT does not permit the request.', retryAfter(30));
  if (statusCode === 404 && /index_not_found|alias|missing/.test(message))
    return new ServiceError(
      'unavailable',
      'An index of SEARCH_ENDPOINT is missing. Run `npm run reindex`.',
      retryAfter(30),
    );
  return error;
}

const unreachable = new Set(['ConnectionError', 'TimeoutError', 'NoLivingConnectionsError', 'RequestAbortedError']);
