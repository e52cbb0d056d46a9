import { createEnvironment, type Environment } from './environment.ts';
import { exchange } from './exchange.ts';
import { createUnreadableProblem, toProblem } from './problem.ts';
import { defaultRetryPolicy, type Idempotency, type RetryPolicy, withRetries } from './retry.ts';

export interface TokenEndpoint {
  authUrl: string;
  timeoutMs: number;
  retry: RetryPolicy;
  environment: Environment;
}

/** The response of the token endpoint. */
export interface TokenSet {
  access_token: string;
  expires_in: number;
  refresh_token?: string;
  id_token?: string;
}

export function createTokenEndpoint(authUrl: string, given: Partial<TokenEndpoint> = {}): TokenEndpoint {
  return { timeoutMs: 30_000, retry: defaultRetryPolicy, environment: createEnvironment(), ...given, authUrl };
}

/** Requests tokens with any OAuth grant. A grant that can be used only once, such as a code, is `once`. */
export async function requestTokens(
  form: Readonly<Record<string, string>>,
  idempotency: Idempotency,
  { authUrl, timeoutMs, retry, environment }: TokenEndpoint,
): Promise<TokenSet> {
  const request = {
    method: 'POST',
    url: `${authUrl}/oauth2/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  };
  const attempt = async () => {
    const response = await exchange(request, { timeoutMs }, environment);
    if (response.status !== 200) throw toProblem(response.status, response.headers, response.text);
    return response;
  };
  const { status, headers, text } = await withRetries(attempt, idempotency, retry, environment);
  try {
    return parseTokenSet(JSON.parse(text));
  } catch (error) {
    throw createUnreadableProblem(status, headers, error);
  }
}

/** Ends the session of a refresh token: it and the access tokens that came from it are no longer accepted. */
export async function revokeRefreshToken(
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
  { authUrl, timeoutMs, environment }: TokenEndpoint,
): Promise<void> {
  const request = {
    method: 'POST',
    url: `${authUrl}/oauth2/revoke`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, token: refreshToken }).toString(),
  };
  const response = await exchange(request, { timeoutMs }, environment);
  if (response.status !== 200) throw toProblem(response.status, response.headers, response.text);
}

function parseTokenSet(response: Partial<TokenSet> | null): TokenSet {
  const { access_token, expires_in = 3600, ...more } = response ?? {};
  if (typeof access_token !== 'string' || typeof expires_in !== 'number')
    throw new TypeError('the response contains no access token');
  return { ...more, access_token, expires_in };
}
