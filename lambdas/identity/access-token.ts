import * as z from 'zod';
import { isRole, type Role, scopePrefix } from '../../contract/roles.ts';

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
