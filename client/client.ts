import type { Api } from './api-types.ts';
import { createCall, type HeaderHook } from './call.ts';
import type { ApiTypes, Operations, OperationTable } from './call-types.ts';
import type { Credentials } from './credentials.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { apiRoot, operationTable } from './operation-table.ts';
import type { RateLimitState } from './rate-limit.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { createTokenSource } from './token-source.ts';

export interface ClientOptions {
  /**
   * The address of the service, such as `http://localhost:3000`: `base_url` in credentials.json, or `ApiUrl` of the stack.
   */
  baseUrl: string;
  /** Where tokens are issued: `AuthUrl` of the stack. The default is the address of the service. */
  authUrl?: string;
  credentials: Credentials;
  /** Time limit of one attempt, including the body of the response. The default is 30 seconds. */
  timeoutMs?: number;
  /** `{ retries: 0 }` turns retries off. */
  retry?: Partial<RetryPolicy>;
  /** Called after every response that contains the caller's rate limit. */
  onRateLimit?(state: RateLimitState): void;
  /** Ends all calls of this client. */
  signal?: AbortSignal | undefined;
  /** Takes the place of the global fetch, for a proxy, logs or tests. */
  fetch?: typeof fetch | undefined;
  /** Headers for every request, such as a trace id. */
  headers?: HeaderHook | undefined;
  environment?: Partial<Environment>;
}

export type Client<Types extends ApiTypes<Types>> = Operations<Types> & {
  /** The rate limit in the latest response. */
  readonly rateLimit: RateLimitState | undefined;
};

export type ServiceClient = Client<Api> & { readonly jobs: Jobs };

export function createClient(options: ClientOptions): ServiceClient {
  const client = createClientFor<Api>(operationTable, options);
  return Object.defineProperty(client, 'jobs', {
    value: createJobs(client.getJob, createEnvironment(toEnvironment(options)), options.signal),
  }) as ServiceClient;
}

/** A client for any API of this form. */
export function createClientFor<Types extends ApiTypes<Types>>(
  table: OperationTable<Types>,
  options: ClientOptions,
): Client<Types> {
  const environment = createEnvironment(toEnvironment(options));
  const timeoutMs = options.timeoutMs ?? 30_000;
  const retry = { ...defaultRetryPolicy, ...options.retry };
  const baseUrl = parseAddress(options.baseUrl, 'baseUrl');
  const authUrl = parseAddress(options.authUrl ?? baseUrl, 'authUrl');
  let rateLimit: RateLimitState | undefined;
  const connection = {
    apiUrl: `${baseUrl}${apiRoot}`,
    tokens: createTokenSource(options.credentials, createTokenEndpoint(authUrl, { timeoutMs, retry, environment })),
    timeoutMs,
    retry,
    environment,
    signal: options.signal,
    headers: options.headers,
    noteRateLimit: (state: RateLimitState) => {
      rateLimit = state;
      options.onRateLimit?.(state);
    },
  };
  const calls = Object.entries<OperationTable<Types>[keyof Types]>(table).map(([name, operation]) => [
    name,
    createCall(operation, connection),
  ]);
  return Object.defineProperty(Object.fromEntries(calls), 'rateLimit', { get: () => rateLimit, enumerable: true });
}

function toEnvironment({ environment, fetch }: ClientOptions): Partial<Environment> {
  return { ...environment, ...(fetch ? { fetch } : {}) };
}

/** Also accepts the address of the API itself, which is what a deployment prints. */
function parseAddress(text: string, option: string): string {
  if (!/^https?:\/\/[^/]/.test(text)) throw new TypeError(`${option} must be an http or https address, not "${text}".`);
  const address = text.replace(/\/+$/, '');
  const [stage = '', api = '', version = ''] = apiRoot.slice(1).split('/');
  const suffix = [`/${stage}/${api}/${version}`, `/${stage}/${api}`, `/${stage}`].find((end) => address.endsWith(end));
  return suffix ? address.slice(0, -suffix.length) : address;
}
