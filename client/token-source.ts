import { type ClientCredentials, type Credentials, parseApiKey, type TokenCredentials } from './credentials.ts';
import { requestTokens, type TokenEndpoint } from './token-endpoint.ts';

/** Where the bearer tokens of the requests come from. */
export interface TokenSource {
  current(): Promise<string>;
  /** A token other than the refused one. */
  replace(rejected: string): Promise<string>;
}

export function createTokenSource(credentials: Credentials, endpoint: TokenEndpoint): TokenSource {
  if ('token' in credentials) return createGivenTokens(credentials);
  return createExchangedTokens('apiKey' in credentials ? parseApiKey(credentials) : credentials, endpoint);
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

/** Concurrent calls share one exchange; its result serves until shortly before it expires. */
function createExchangedTokens(credentials: ClientCredentials, endpoint: TokenEndpoint): TokenSource {
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
const maxMarginMs = 60_000;

async function requestToken(credentials: ClientCredentials, endpoint: TokenEndpoint): Promise<IssuedToken> {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const { access_token: value, expires_in: seconds } = await requestTokens(form, 'repeatable', endpoint);
  const lifeMs = seconds * 1000;
  return { value, renewAt: endpoint.environment.now() + lifeMs - Math.min(maxMarginMs, lifeMs / 10) };
}
