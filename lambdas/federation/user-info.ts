import { memoize } from '../platform/memoize.ts';
import { type Claims, readClaims } from './provider-claims.ts';

/** Asks the OpenID provider what it says about a person now. `rejected`: the access token is no longer valid. */
export type AskProvider = (accessToken: string, subject: string) => Promise<Claims | 'rejected' | 'unreachable'>;

/** Two requests must fit into the five seconds that Cognito waits. */
const timeoutMs = 1_500;
const discoveryTtlMs = 60 * 60_000;

export function createUserInfoClient(issuer: string): AskProvider {
  const findEndpoint = memoize(discoverUserInfo, discoveryTtlMs);
  return async (accessToken, subject) => {
    try {
      const endpoint = await findEndpoint(issuer);
      if (!endpoint) return 'rejected';
      const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
      const response = await fetch(endpoint, { headers, signal: AbortSignal.timeout(timeoutMs) });
      if (response.status >= 500 || response.status === 429) return 'unreachable';
      if (!response.ok) return 'rejected';
      const claims = (await response.json()) as Record<string, unknown>;
      return claims.sub === subject ? readClaims(claims, subject) : 'rejected';
    } catch {
      return 'unreachable';
    }
  };
}

async function discoverUserInfo(issuer: string): Promise<string | undefined> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the discovery document has the status ${response.status}`);
  return ((await response.json()) as { userinfo_endpoint?: string }).userinfo_endpoint;
}
