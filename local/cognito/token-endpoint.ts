// POST /oauth2/token and /oauth2/revoke. A client proves itself here, in the form or by HTTP Basic as Cognito takes
// both; client credentials are answered here too, codes and refresh tokens by the authorization server.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import type { ClientStore } from './client-store.ts';
import { isForm, readForm, rewritten, sendJson } from './http-exchange.ts';
import type { OidcStore } from './oidc-store.ts';
import { type Tokens, visibleAttributes } from './tokens.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface TokenParts {
  pool: UserPool;
  clients: ClientStore;
  oidc: OidcStore;
  tokens: Tokens;
  authorizationServer: () => Promise<AuthorizationServer>;
}

type Answer = { client: Client } | { error: string; status: 400 | 401 };

export async function answerToken(
  parts: TokenParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (error: string) => sendJson(response, 400, { error });
  if (!isForm(request)) return refuse('invalid_request');
  const form = await readForm(request);
  const grant = form.get('grant_type');
  if (!grant || hasRepeats(form)) return refuse('invalid_request');
  if (grant !== 'client_credentials' && grant !== 'authorization_code' && grant !== 'refresh_token') {
    return refuse('unsupported_grant_type');
  }
  const answer = authenticate(parts, request, form);
  if ('error' in answer) return sendRefusal(response, answer);
  const { client } = answer;
  if (grant === 'client_credentials') return answerClientCredentials(parts, response, client, form.get('scope'));
  const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, CallbackURLs } = client.settings;
  if (!AllowedOAuthFlowsUserPoolClient || !AllowedOAuthFlows.includes('code')) return refuse('unauthorized_client');
  const redirectUri = form.get('redirect_uri');
  if (grant === 'authorization_code' && redirectUri !== null && !CallbackURLs.includes(redirectUri)) {
    return refuse('unauthorized_client');
  }
  form.delete('client_secret');
  form.set('client_id', client.clientId);
  const server = await parts.authorizationServer();
  await server.answer(rewritten(request, '/oauth2/token', form), response);
}

/** Only refresh tokens can be revoked; with one go all tokens of its sign-in. */
export async function answerRevoke(
  parts: TokenParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (error: string) => sendJson(response, 400, { error });
  if (!isForm(request)) return refuse('invalid_request');
  const form = await readForm(request);
  const answer = authenticate(parts, request, form);
  if ('error' in answer) return sendRefusal(response, answer);
  const token = form.get('token');
  if (!token || hasRepeats(form)) return refuse('invalid_request');
  if (token.includes('.')) return refuse('unsupported_token_type');
  const stored = parts.oidc.find('RefreshToken', token);
  if (stored && stored.clientId !== answer.client.clientId) return refuse('unauthorized_client');
  if (stored?.grantId) await parts.oidc.revokeByGrantId(stored.grantId);
  response.writeHead(200, { 'content-length': 0, 'cache-control': 'no-store' });
  response.end();
}

async function answerClientCredentials(
  { tokens }: TokenParts,
  response: ServerResponse,
  client: Client,
  scope: string | null,
): Promise<void> {
  const refuse = (error: string) => sendJson(response, 400, { error });
  const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, AllowedOAuthScopes } = client.settings;
  if (!AllowedOAuthFlowsUserPoolClient) return refuse('invalid_grant');
  if (!AllowedOAuthFlows.includes('client_credentials')) return refuse('unauthorized_client');
  const wanted = [...new Set((scope ?? '').split(' ').filter((name) => name !== ''))];
  if (wanted.some((name) => !AllowedOAuthScopes.includes(name))) return refuse('invalid_scope');
  sendJson(response, 200, await tokens.forClient(client, wanted.length > 0 ? wanted : AllowedOAuthScopes));
}

function authenticate({ clients, pool }: TokenParts, request: IncomingMessage, form: URLSearchParams): Answer {
  const header = request.headers.authorization;
  const basic = header === undefined ? undefined : readBasic(header);
  if (header !== undefined && !basic) return { error: 'invalid_request', status: 400 };
  const inForm = form.get('client_id');
  if (basic && inForm !== null && inForm !== basic.id) return { error: 'invalid_request', status: 400 };
  const id = basic?.id ?? inForm;
  if (!id) return { error: 'invalid_request', status: 400 };
  const secret = basic?.secret ?? form.get('client_secret') ?? undefined;
  const client = clients.get(pool.id, id);
  if (!client || !sameSecret(client.secret, secret)) return { error: 'invalid_client', status: basic ? 401 : 400 };
  return { client };
}

function sendRefusal(response: ServerResponse, { error, status }: { error: string; status: 400 | 401 }): void {
  sendJson(response, status, { error }, status === 401 ? { 'www-authenticate': 'Basic realm="Cognito"' } : {});
}

function readBasic(header: string): { id: string; secret: string } | undefined {
  const found = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header);
  const text = found ? Buffer.from(found[1] ?? '', 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** A client without a secret must not be given one either. */
function sameSecret(expected: string | undefined, given: string | undefined): boolean {
  if (expected === undefined || given === undefined) return expected === given;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

function hasRepeats(form: URLSearchParams): boolean {
  return new Set(form.keys()).size !== [...form.keys()].length;
}

// GET /oauth2/userInfo: who the bearer of an access token is.

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

type UserInfoResponse = { claims: Record<string, string> } | { status: 401 | 403; error: string };

const invalidToken = { status: 401, error: 'invalid_token' } as const;

function describeBearer({ pool, clients, users, oidc, tokens }: UserInfoParts, token: string): UserInfoResponse {
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
