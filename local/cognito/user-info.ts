// GET /oauth2/userInfo: who the bearer of an access token is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientStore } from './client-store.ts';
import { sendJson } from './http-exchange.ts';
import type { OidcStore } from './oidc-store.ts';
import { type Tokens, visibleAttributes } from './tokens.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface UserInfoParts {
  pool: UserPool;
  clients: ClientStore;
  users: UserStore;
  oidc: OidcStore;
  tokens: Tokens;
}

export function answerUserInfo(parts: UserInfoParts, request: IncomingMessage, response: ServerResponse): void {
  const token = /^Bearer +([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const answer = token === undefined ? invalidToken : describeBearer(parts, token);
  if ('error' in answer) {
    const { status, error } = answer;
    sendJson(response, status, { error }, { 'www-authenticate': `Bearer error="${error}"` });
  } else sendJson(response, 200, answer.claims);
}

type Answer = { claims: Record<string, string> } | { status: 401 | 403; error: string };

const invalidToken = { status: 401, error: 'invalid_token' } as const;

function describeBearer({ pool, clients, users, oidc, tokens }: UserInfoParts, token: string): Answer {
  const claims = tokens.readAccess(token);
  const user = claims && users.bySub(pool, claims.sub);
  const client = claims && clients.get(pool.id, claims.client_id);
  if (!claims || !user?.enabled || !client) return invalidToken;
  const signedOut = claims.iat <= Math.floor(user.signedOutMs / 1000);
  if (signedOut || (claims.origin_jti !== undefined && oidc.isRevoked(claims.origin_jti))) return invalidToken;
  const scopes = claims.scope.split(' ');
  if (!scopes.includes('openid')) return { status: 403, error: 'insufficient_scope' };
  return { claims: { sub: user.sub, ...visibleAttributes({ user, client, scopes }), username: user.username } };
}
