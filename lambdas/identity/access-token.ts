import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import { isRole, type Role, scopePrefix } from '../../contract/roles.ts';
import type { Clock } from '../platform/clock.ts';
import { noBackoff, retry } from '../platform/retry.ts';

// Claims of an access token. A client's token carries its roles as scopes of the resource server; only a user's token
// has a user name.

export interface TokenPrincipal {
  kind: 'user' | 'client';
  id: string;
  clientId: string;
  /** User name in the pool; absent for a client. */
  username?: string;
  /** The roles in a client's scopes. A user's roles are looked up, because a token keeps outdated groups. */
  roles: readonly Role[];
  /** Whether the userInfo endpoint accepts the token. */
  hasUserInfo: boolean;
  expiresAt: number;
}

/** The token is not a valid access token of our pool. The reason is logged, never returned to the caller. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

export function parsePrincipal(claims: unknown): TokenPrincipal {
  const parsed = accessTokenClaims.safeParse(claims);
  if (!parsed.success) throw new InvalidToken(`unexpected claims: ${parsed.error.issues[0]?.path.join('.')}`);
  const { sub, client_id, username, exp, scope } = parsed.data;
  const scopes = scope.split(' ');
  const principal = { id: sub, clientId: client_id, expiresAt: exp };
  if (username !== undefined) {
    return { ...principal, kind: 'user', username, roles: [], hasUserInfo: scopes.includes('openid') };
  }
  return { ...principal, kind: 'client', roles: toRoles(scopes), hasUserInfo: false };
}

export function parseBearerToken(authorization: string | undefined): string {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (!token) throw new InvalidToken('the Authorization header contains no bearer token');
  return token;
}

const accessTokenClaims = z.object({
  sub: z.string().min(1),
  client_id: z.string().min(1),
  token_use: z.literal('access'),
  exp: z.number().int(),
  username: z.string().min(1).optional(),
  scope: z.string().default(''),
});

/** Maps scopes such as `itsm/viewer` to roles. */
export function toRoles(scopes: readonly string[]): Role[] {
  const prefix = `${scopePrefix}/`;
  const names = scopes.filter((one) => one.startsWith(prefix));
  return names.map((one) => one.slice(prefix.length)).filter(isRole);
}

/** Resolves to the claims of a valid token; rejects with InvalidToken. */
export type TokenVerifier = (token: string) => Promise<unknown>;

export function createTokenVerifier(keys: JWTVerifyGetKey, issuer: string, clock: Clock): TokenVerifier {
  return async (token) => {
    try {
      const options = { issuer, algorithms: ['RS256'], currentDate: new Date(clock.now()) };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (isTokenError(error)) throw new InvalidToken(error.message, { cause: error });
      throw error;
    }
  };
}

/** The pool's public keys. They are fetched when a key id is unknown, at most every 30 seconds. */
export function createRemoteKeys(jwksUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: 3_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: fetchTwice,
  });
}

const fetchTwice: typeof fetch = async (...request) => {
  const first = await fetch(...request).catch(() => undefined);
  if (first?.ok) return first;
  await first?.body?.cancel();
  return fetch(...request);
};

/** Errors of the token itself, as opposed to failures to fetch the keys. */
function isTokenError(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false;
  return error.code !== 'ERR_JWKS_TIMEOUT' && error.code !== 'ERR_JWKS_INVALID' && error.code !== 'ERR_JOSE_GENERIC';
}

// A token's signature stays valid until it expires, even after sign-out. Only the user pool knows revoked sessions, and
// only its userInfo endpoint reveals them: it rejects tokens of revoked sessions and of users who were signed out
// everywhere, disabled or deleted.

/** False when the session of a user's token has ended. Throws when the user pool does not respond. */
export type SessionCheck = (token: string) => Promise<boolean>;

export function createSessionCheck(url: string): SessionCheck {
  return async (token) => {
    let status: number | string;
    const attempt = async () => {
      status = await fetchStatus(url, token);
      return status === 200 || status === 401 ? status === 200 : undefined;
    };
    const exhausted = () => new Error(`the userInfo endpoint returned ${status}`);
    return retry(attempt, { maxAttempts, wait: noBackoff, exhausted });
  };
}

const maxAttempts = 2;
const timeoutMs = 3_000;

async function fetchStatus(url: string, token: string): Promise<number | string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request = fetch(url, { headers: { authorization: `Bearer ${token}` }, signal });
  return request.then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    (error: unknown) => String(error),
  );
}
