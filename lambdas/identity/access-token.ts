import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import { isRole, type Role, scopePrefix } from '../../contract/roles.ts';
import type { Clock } from '../platform/clock.ts';

// What an access token of the user pool says. Programs carry their roles as scopes of the resource server; only a
// person's token has a user name.

export interface TokenHolder {
  kind: 'user' | 'client';
  id: string;
  clientId: string;
  /** The pool's name of a person; absent for a client. */
  username?: string;
  /** The roles in the scopes of a client's token. A person's roles are looked up, because a token keeps old groups. */
  roles: readonly Role[];
  /** Whether the user pool's userInfo endpoint accepts the token. */
  hasUserInfo: boolean;
  expiresAt: number;
}

/** The token is not one of ours, or not an access token. The reason goes to the log, never to the caller. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

export function holderOf(claims: unknown): TokenHolder {
  const parsed = accessTokenClaims.safeParse(claims);
  if (!parsed.success) throw new InvalidToken(`unexpected claims: ${parsed.error.issues[0]?.path.join('.')}`);
  const { sub, client_id, username, exp, scope } = parsed.data;
  const scopes = scope.split(' ');
  const holder = { id: sub, clientId: client_id, expiresAt: exp };
  if (username !== undefined) {
    return { ...holder, kind: 'user', username, roles: [], hasUserInfo: scopes.includes('openid') };
  }
  return { ...holder, kind: 'client', roles: rolesOfScopes(scopes), hasUserInfo: false };
}

/** The `Authorization` header's token. */
export function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (!token) throw new InvalidToken('the Authorization header holds no bearer token');
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

/** Programs have their roles as scopes: `itsm/viewer` and so on. */
export function rolesOfScopes(scopes: readonly string[]): Role[] {
  const prefix = `${scopePrefix}/`;
  const names = scopes.filter((one) => one.startsWith(prefix));
  return names.map((one) => one.slice(prefix.length)).filter(isRole);
}

/** Resolves to the claims of a token that the user pool signed and that has not expired; rejects with InvalidToken. */
export type TokenVerifier = (token: string) => Promise<unknown>;

export function tokenVerifier(keys: JWTVerifyGetKey, issuer: string, clock: Clock): TokenVerifier {
  return async (token) => {
    try {
      const options = { issuer, algorithms: ['RS256'], currentDate: new Date(clock.now()) };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (isTokensFault(error)) throw new InvalidToken(error.message, { cause: error });
      throw error;
    }
  };
}

/** The pool's public keys, fetched when an unknown key id turns up and at most every 30 seconds. */
export function remoteKeys(jwksUrl: string): JWTVerifyGetKey {
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

/** Everything jose finds wrong with the token itself, as opposed to trouble with getting the keys. */
function isTokensFault(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false;
  return error.code !== 'ERR_JWKS_TIMEOUT' && error.code !== 'ERR_JWKS_INVALID' && error.code !== 'ERR_JOSE_GENERIC';
}

// A token is valid by its signature until it expires, also after its holder signed out. Only the user pool knows of
// revoked sessions, and its userInfo endpoint is the one place that tells: it refuses the token of a revoked session, of
// a person who was signed out everywhere, disabled or deleted.

/** False when the session that a person's token belongs to has ended. Throws when the user pool does not answer. */
export type SessionCheck = (token: string) => Promise<boolean>;

export function userInfoCheck(url: string): SessionCheck {
  return async (token) => {
    const status = await ask(url, token);
    if (status === 200 || status === 401) return status === 200;
    throw new Error(`the userInfo endpoint answered ${status}`);
  };
}

const maxAttempts = 2;
const timeoutMs = 3_000;

async function ask(url: string, token: string): Promise<number | string> {
  let outcome: number | string = 'nothing';
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    outcome = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      (error: unknown) => String(error),
    );
    if (outcome === 200 || outcome === 401) break;
  }
  return outcome;
}
