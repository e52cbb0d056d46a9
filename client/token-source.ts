import { type Credentials, type ParsedCredentials, parseCredentials, type TokenCredentials } from './credentials.ts';
import { requestTokens, type TokenEndpoint } from './token-endpoint.ts';

/** Provides the bearer tokens of requests. */
export interface TokenSource {
  current(): Promise<string>;
  /** Returns a token other than the rejected one. */
  replace(rejected: string): Promise<string>;
}

export function createTokenSource(credentials: Credentials, endpoint: TokenEndpoint): TokenSource {
  if ('token' in credentials) return createGivenTokens(credentials);
  return createExchangedTokens(parseCredentials(credentials), endpoint);
}

function createGivenTokens(credentials: TokenCredentials): TokenSource {
  return {
    current: async () => credentials.token({}),
    replace: async (rejected) => credentials.token({ rejected }),
  };
}

interface IssuedToken {
  value: string;
  renewAt: number;
}

/** Concurrent calls share one request; its token is used until shortly before it expires. */
function createExchangedTokens(credentials: ParsedCredentials, endpoint: TokenEndpoint): TokenSource {
  let issued: IssuedToken | undefined;
  let pending: Promise<string> | undefined;

  const renew = (): Promise<string> => {
    pending ??= requestToken(credentials, endpoint)
      .then((token) => {
        issued = token;
        return token.value;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
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

/** A token is renewed a minute before it expires, or when a tenth of a short lifetime is left. */
const maxMarginMs = 60_000;

async function requestToken(credentials: ParsedCredentials, endpoint: TokenEndpoint): Promise<IssuedToken> {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const { access_token: value, expires_in: seconds } = await requestTokens(form, 'idempotent', endpoint);
  const lifeMs = seconds * 1000;
  return { value, renewAt: endpoint.environment.now() + lifeMs - Math.min(maxMarginMs, lifeMs / 10) };
}
