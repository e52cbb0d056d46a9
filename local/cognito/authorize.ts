// Validates requests to /oauth2/authorize and /logout with Cognito's errors, before the authorization server handles them.
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientStore } from './client-store.ts';
import { type Exchange, redirect, rewriteRequest } from './http-exchange.ts';
import { buildPageHeaders, renderSignOutPage, sendErrorPage } from './pages.ts';
import type { UserPool } from './user-pool.ts';

export interface AuthorizeParts {
  pool: UserPool;
  clients: ClientStore;
  authorizationServer: () => Promise<AuthorizationServer>;
}

export async function authorize(parts: AuthorizeParts, exchange: Exchange, query: URLSearchParams): Promise<void> {
  const { pool, clients } = parts;
  const { request, response } = exchange;
  const client = clients.get(pool.id, query.get('client_id'));
  const redirectUri = query.get('redirect_uri');
  if (!client) return sendErrorPage(response, pool.name, 'invalid_client', 'The application is not registered.');
  if (redirectUri === null)
    return sendErrorPage(response, pool.name, 'invalid_request', 'The redirect_uri is missing.');
  if (!client.settings.CallbackURLs.includes(redirectUri))
    return sendErrorPage(response, pool.name, 'redirect_mismatch', 'The redirect_uri is not registered.');
  const reject = (error: string) => {
    const target = new URL(redirectUri);
    target.searchParams.set('error', error);
    const state = query.get('state');
    if (state !== null) target.searchParams.set('state', state);
    redirect(response, target.href);
  };
  const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, AllowedOAuthScopes } = client.settings;
  if (!query.get('response_type')) return reject('invalid_request');
  if (!AllowedOAuthFlowsUserPoolClient || !AllowedOAuthFlows.includes('code')) return reject('unauthorized_client');
  if (query.get('response_type') !== 'code') return reject('unauthorized_client');
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.some((scope) => !AllowedOAuthScopes.includes(scope))) return reject('invalid_scope');
  const granted = scopes.length > 0 ? scopes : AllowedOAuthScopes;
  query.set('scope', granted.join(' '));
  // A nonce belongs to an id token; Cognito ignores it without one.
  if (!granted.includes('openid')) query.delete('nonce');
  const server = await parts.authorizationServer();
  await server.handle(rewriteRequest(request, `/oauth2/authorize?${query}`), response);
}

/**
 * Ends the session, then redirects to the client's address or back to the login page. Cognito ends it for a link on any
 * site; here a person must confirm that.
 */
export async function logOut(parts: AuthorizeParts, exchange: Exchange, query: URLSearchParams): Promise<void> {
  const { pool, clients } = parts;
  const { request, response } = exchange;
  const client = clients.get(pool.id, query.get('client_id'));
  if (!client) return sendErrorPage(response, pool.name, 'invalid_client', 'The application is not registered.');
  const { LogoutURLs, CallbackURLs } = client.settings;
  const logoutUri = query.get('logout_uri');
  const redirectUri = query.get('redirect_uri');
  const destination = logoutUri ?? redirectUri;
  const allowed = logoutUri === null ? [...LogoutURLs, ...CallbackURLs] : LogoutURLs;
  if (destination === null || !allowed.includes(destination))
    return sendErrorPage(response, pool.name, 'redirect_mismatch', 'The logout address is not registered.');
  if (!['same-origin', 'none'].includes(String(request.headers['sec-fetch-site']))) {
    response.writeHead(200, buildPageHeaders(new URL(destination).origin));
    response.end(renderSignOutPage(pool.name, query));
    return;
  }
  const server = await parts.authorizationServer();
  await server.signOut(request, response);
  if (logoutUri === null && query.has('response_type')) return redirect(response, `/oauth2/authorize?${query}`);
  const target = new URL(destination);
  const state = query.get('state');
  if (state !== null) target.searchParams.set('state', state);
  redirect(response, state === null ? destination : target.href);
}
