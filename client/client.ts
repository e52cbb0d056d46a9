import type { routes } from '../contract/routes.ts';
import { callOf } from './call.ts';
import type { Operations, OperationTable, Routes } from './call-types.ts';
import type { Credentials } from './credentials.ts';
import { type Environment, environmentOf } from './environment.ts';
import { apiRoot, operationTable } from './operation-table.ts';
import type { RateLimitState } from './rate-limit.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { tokenSource } from './token-source.ts';

export interface ClientOptions {
  /** The address of the service instance, such as `http://localhost:3000`. */
  baseUrl: string;
  /** Where tokens are issued; the same address as the service unless told otherwise. */
  authUrl?: string;
  credentials: Credentials;
  /** For one attempt of a request, its answer included; 30 seconds unless told otherwise. */
  timeoutMs?: number;
  /** `{ retries: 0 }` turns repeating off. */
  retry?: Partial<RetryPolicy>;
  /** Called after every answer that names the caller's limit. */
  onRateLimit?(state: RateLimitState): void;
  environment?: Partial<Environment>;
}

export type Client<R extends Routes> = Operations<R> & {
  /** What the latest answer said. */
  readonly rateLimit: RateLimitState | undefined;
};

export type ServiceClient = Client<typeof routes>;

export function createClient(options: ClientOptions): ServiceClient {
  return clientOf<typeof routes>(operationTable, options);
}

/** A client for any contract of this form. */
export function clientOf<const R extends Routes>(table: OperationTable<R>, options: ClientOptions): Client<R> {
  const environment = environmentOf(options.environment);
  const timeoutMs = options.timeoutMs ?? 30_000;
  const retry = { ...defaultRetryPolicy, ...options.retry };
  const baseUrl = addressOf(options.baseUrl, 'baseUrl');
  const authUrl = addressOf(options.authUrl ?? options.baseUrl, 'authUrl');
  let rateLimit: RateLimitState | undefined;
  const connection = {
    apiUrl: `${baseUrl}${apiRoot}`,
    tokens: tokenSource(options.credentials, tokenEndpoint(authUrl, { timeoutMs, retry, environment })),
    timeoutMs,
    retry,
    environment,
    noteRateLimit: (state: RateLimitState) => {
      rateLimit = state;
      options.onRateLimit?.(state);
    },
  };
  const calls = Object.entries(table).map(([name, operation]) => [name, callOf(operation, connection)]);
  return Object.defineProperty(Object.fromEntries(calls), 'rateLimit', { get: () => rateLimit, enumerable: true });
}

function addressOf(text: string, option: string): string {
  if (!/^https?:\/\/[^/]/.test(text)) throw new TypeError(`${option} must be an http or https address, not "${text}".`);
  return text.replace(/\/+$/, '');
}
