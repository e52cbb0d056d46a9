// Signs people in with an OpenID provider: authorization code with PKCE and nonce. The package is imported on first use.
import type { Configuration } from 'openid-client';
import { systemNow } from '../clock/shifted-date.ts';
import { type Identity, type ProviderConnection, ProviderUnreachable, toText } from './identity-provider.ts';

const timeoutSeconds = 5;

export function createOidcProvider(details: Readonly<Record<string, string>>, redirectUri: string): ProviderConnection {
  const {
    oidc_issuer: issuer = '',
    client_id: clientId = '',
    client_secret: secret,
    authorize_scopes: scope = '',
  } = details;
  let latest: Configuration | undefined;
  const discover = async () => {
    const { discovery, allowInsecureRequests, clockSkew } = await import('openid-client');
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    // The provider's clock is not the runtime's, which may have been moved.
    const skewSeconds = Math.round((systemNow() - Date.now()) / 1000);
    const metadata = { ...(secret && { client_secret: secret }), [clockSkew]: skewSeconds };
    latest = await discovery(new URL(issuer), clientId, metadata, undefined, { timeout: timeoutSeconds, execute });
    return latest;
  };
  const unreachable = (cause: unknown) => new ProviderUnreachable(`${issuer} cannot be reached`, { cause });

  return {
    async begin(state) {
      // At every sign-in: if the provider is down, people get a page that says so instead of an error of the browser.
      const configuration = await discover().catch((error: unknown) => {
        throw unreachable(error);
      });
      const client = await import('openid-client');
      const secrets = { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets };
    },
    async finish(state, { nonce = '', verifier = '' }, response): Promise<Identity> {
      const client = await import('openid-client');
      try {
        const configuration = latest ?? (await discover());
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await client.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${response}`),
          checks,
        );
        const idToken = toTexts(tokens.claims() ?? {});
        const subject = idToken.sub ?? '';
        const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const userInfo = hasUserInfo
          ? toTexts(await client.fetchUserInfo(configuration, tokens.access_token, subject))
          : {};
        return {
          subject,
          attributes: { tokenResponse: toTexts(tokens), idToken, userInfo },
          claims: { ...idToken, ...userInfo },
        };
      } catch (error) {
        // fetch reports a connection that fails as a TypeError, and openid-client wraps it.
        const isNetwork = error instanceof TypeError || (error as Error)?.cause instanceof TypeError;
        throw isNetwork || (error as Error)?.name === 'TimeoutError' ? unreachable(error) : error;
      }
    },
  };
}

function toTexts(claims: object): Record<string, string> {
  const entries = Object.entries(claims).filter(([, value]) => value !== undefined && typeof value !== 'function');
  return Object.fromEntries(entries.map(([name, value]) => [name, toText(value)]));
}
