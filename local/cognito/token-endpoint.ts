// The token, revoke and userInfo endpoints. They authenticate the client, by form fields or HTTP Basic, and issue tokens for
// client credentials. The authorization server handles codes and refresh tokens.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import type { ClientStore } from './client-store.ts';
import { isForm, readForm, rewriteRequest, sendJson } from './http-exchange.ts';
import type { OidcStore } from './oidc-store.ts';
import { selectVisibleAttributes, type Tokens } from './tokens.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface TokenParts {
  pool: UserPool;
  clients: ClientStore;
  oidc: OidcStore;
  tokens: Tokens;
  authorizationServer: () => Promise<AuthorizationServer>;
}

type Authentication = { client: Client } | { error: string; status: 400 | 401 };

export async function handleTokenRequest(
  parts: TokenParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reject = (error: string) => sendJson(response, 400, { error });
  if (!isForm(request)) return reject('invalid_request');
  const form = await readForm(request);
  const grant = form.get('grant_type');
  if (!grant || hasDuplicates(form)) return reject('invalid_request');
  if (grant !== 'client_credentials' && grant !== 'authorization_code' && grant !== 'refresh_token') {
    return reject('unsupported_grant_type');
  }
  const authentication = authenticate(parts, request, form);
  if ('error' in authentication) return sendAuthenticationError(response, authentication);
  const { client } = authentication;
  if (grant === 'client_credentials') return issueClientCredentials(parts, response, client, form.get('scope'));
  const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, CallbackURLs } = client.settings;
  if (!AllowedOAuthFlowsUserPoolClient || !AllowedOAuthFlows.includes('code')) return reject('unauthorized_client');
  const redirectUri = form.get('redirect_uri');
  if (grant === 'authorization_code' && redirectUri !== null && !CallbackURLs.includes(redirectUri)) {
    return reject('unauthorized_client');
  }
  form.delete('client_secret');
  form.set('client_id', client.clientId);
  const server = await parts.authorizationServer();
  await server.handle(rewriteRequest(request, '/oauth2/token', form), response);
}

/** Accepts refresh tokens only; revoking one revokes all tokens of its sign-in. */
export async function handleRevokeRequest(
  parts: TokenParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reject = (error: string) => sendJson(response, 400, { error });
  if (!isForm(request)) return reject('invalid_request');
  const form = await readForm(request);
  const authentication = authenticate(parts, request, form);
  if ('error' in authentication) return sendAuthenticationError(response, authentication);
  const token = form.get('token');
  if (!token || hasDuplicates(form)) return reject('invalid_request');
  if (token.includes('.')) return reject('unsupported_token_type');
  const stored = parts.oidc.find('RefreshToken', token);
  if (stored && stored.clientId !== authentication.client.clientId) return reject('unauthorized_client');
  if (stored?.grantId) await parts.oidc.revokeByGrantId(stored.grantId);
  response.writeHead(200, { 'content-length': 0, 'cache-control': 'no-store' });
  response.end();
}

async function issueClientCredentials(
  { tokens }: TokenParts,
  response: ServerResponse,
  client: Client,
  scope: string | null,
): Promise<void> {
  const reject = (error: string) => sendJson(response, 400, { error });
  const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, AllowedOAuthScopes } = client.settings;
  if (!AllowedOAuthFlowsUserPoolClient) return reject('invalid_grant');
  if (!AllowedOAuthFlows.includes('client_credentials')) return reject('unauthorized_client');
  const requested = [...new Set((scope ?? '').split(' ').filter((name) => name !== ''))];
  if (requested.some((name) => !AllowedOAuthScopes.includes(name))) return reject('invalid_scope');
  sendJson(response, 200, await tokens.issueClientToken(client, requested.length > 0 ? requested : AllowedOAuthScopes));
}

function authenticate({ clients, pool }: TokenParts, request: IncomingMessage, form: URLSearchParams): Authentication {
  const header = request.headers.authorization;
  const basic = header === undefined ? undefined : parseBasic(header);
  if (header !== undefined && !basic) return { error: 'invalid_request', status: 400 };
  const inForm = form.get('client_id');
  if (basic && inForm !== null && inForm !== basic.id) return { error: 'invalid_request', status: 400 };
  const id = basic?.id ?? inForm;
  if (!id) return { error: 'invalid_request', status: 400 };
  const secret = basic?.secret ?? form.get('client_secret') ?? undefined;
  const client = clients.get(pool.id, id);
  if (!client || !isSameSecret(client.secret, secret)) return { error: 'invalid_client', status: basic ? 401 : 400 };
  return { client };
}

function sendAuthenticationError(
  response: ServerResponse,
  { error, status }: { error: string; status: 400 | 401 },
): void {
  sendJson(response, status, { error }, status === 401 ? { 'www-authenticate': 'Basic realm="Cognito"' } : {});
}

function parseBasic(header: string): { id: string; secret: string } | undefined {
  const found = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header);
  const text = found ? Buffer.from(found[1] ?? '', 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** A client without a secret must not send one. */
function isSameSecret(expected: string | undefined, given: string | undefined): boolean {
  if (expected === undefined || given === undefined) return expected === given;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

function hasDuplicates(form: URLSearchParams): boolean {
  return new Set(form.keys()).size !== [...form.keys()].length;
}

export interface UserInfoParts {
  pool: UserPool;
  clients: ClientStore;
  users: UserStore;
  oidc: OidcStore;
  tokens: Tokens;
}

export function handleUserInfoRequest(parts: UserInfoParts, request: IncomingMessage, response: ServerResponse): void {
  const token = /^Bearer +([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const result = token === undefined ? invalidToken : getUserInfo(parts, token);
  if ('error' in result) {
    const { status, error } = result;
    sendJson(response, status, { error }, { 'www-authenticate': `Bearer error="${error}"` });
  } else sendJson(response, 200, result.claims);
}

type UserInfoResponse = { claims: Record<string, string> } | { status: 401 | 403; error: string };

const invalidToken = { status: 401, error: 'invalid_token' } as const;

function getUserInfo({ pool, clients, users, oidc, tokens }: UserInfoParts, token: string): UserInfoResponse {
  const claims = tokens.verifyAccessToken(token);
  const user = claims && users.findBySub(pool, claims.sub);
  const client = claims && clients.get(pool.id, claims.client_id);
  if (!claims || !user?.enabled || !client) return invalidToken;
  const isSignedOut = claims.iat <= Math.floor(user.signedOutMs / 1000);
  if (isSignedOut || (claims.origin_jti !== undefined && oidc.isRevoked(claims.origin_jti))) return invalidToken;
  const scopes = claims.scope.split(' ');
  if (!scopes.includes('openid')) return { status: 403, error: 'insufficient_scope' };
  return { claims: { sub: user.sub, ...selectVisibleAttributes({ user, scopes }), username: user.username } };
}
