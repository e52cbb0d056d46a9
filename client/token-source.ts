import {
  type ClientCredentials,
  type Credentials,
  clientCredentialsFrom,
  type TokenCredentials,
} from './credentials.ts';
import type { Environment } from './environment.ts';
import { exchange } from './exchange.ts';
import { problemFrom, unreadableAnswer } from './problem.ts';
import { type RetryPolicy, withRetries } from './retry.ts';

/** Where the bearer tokens of the requests come from. */
export interface TokenSource {
  current(): Promise<string>;
  /** A token other than the refused one. */
  replace(rejected: string): Promise<string>;
}

export interface TokenEndpoint {
  authUrl: string;
  timeoutMs: number;
  retry: RetryPolicy;
  environment: Environment;
}

export function tokenSource(credentials: Credentials, endpoint: TokenEndpoint): TokenSource {
  if ('token' in credentials) return givenTokens(credentials);
  return exchangedTokens('apiKey' in credentials ? clientCredentialsFrom(credentials) : credentials, endpoint);
}

function givenTokens(credentials: TokenCredentials): TokenSource {
  return {
    current: async () => credentials.token({}),
    replace: async (rejected) => credentials.token({ rejected }),
  };
}

interface IssuedToken {
  value: string;
  renewAt: number;
}

/** Concurrent calls share one exchange; its result serves until shortly before it expires. */
function exchangedTokens(credentials: ClientCredentials, endpoint: TokenEndpoint): TokenSource {
  let issued: IssuedToken | undefined;
  let underWay: Promise<string> | undefined;

  const renew = (): Promise<string> => {
    underWay ??= requestToken(credentials, endpoint)
      .then((token) => {
        issued = token;
        return token.value;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };

  return {
    current: async () => (issued && endpoint.environment.now() < issued.renewAt ? issued.value : renew()),
    replace: async (rejected) => {
      if (issued && issued.value !== rejected) return issued.value;
      issued = undefined;
      return renew();
    },
  };
}

/** A token is renewed a minute before it ends; a short-lived one when a tenth of its life is left. */
const longestMarginMs = 60_000;

async function requestToken(credentials: ClientCredentials, endpoint: TokenEndpoint): Promise<IssuedToken> {
  const { authUrl, timeoutMs, retry, environment } = endpoint;
  const request = {
    method: 'POST',
    url: `${authUrl}/oauth2/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }).toString(),
  };
  const attempt = async () => {
    const answer = await exchange(request, { timeoutMs }, environment);
    if (answer.status !== 200) throw problemFrom(answer.status, answer.headers, answer.text);
    return answer;
  };
  const { status, headers, text } = await withRetries(attempt, 'repeatable', retry, environment);
  try {
    const { access_token: value, expires_in: seconds = 3600 } = JSON.parse(text);
    if (typeof value !== 'string' || typeof seconds !== 'number') throw new TypeError('There is no access_token.');
    const lifeMs = seconds * 1000;
    return { value, renewAt: environment.now() + lifeMs - Math.min(longestMarginMs, lifeMs / 10) };
  } catch (error) {
    throw unreadableAnswer(status, headers, error);
  }
}
