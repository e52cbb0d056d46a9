// Routes HTTP requests to the endpoints of a pool, with Cognito's methods and CORS headers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import { authorize, logOut } from './authorize.ts';
import type { FederatedSignIns } from './federated-sign-in.ts';
import { BodyTooLarge, redirect, sendJson } from './http-exchange.ts';
import { type PoolKeys, toJwk } from './keys.ts';
import type { SignInPages } from './sign-in.ts';
import {
  handleRevokeRequest,
  handleTokenRequest,
  handleUserInfoRequest,
  type TokenParts,
  type UserInfoParts,
} from './token-endpoint.ts';
import type { UserPool } from './user-pool.ts';

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

type Endpoint = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

interface Route {
  methods: readonly string[];
  /** Any origin may call endpoints for programs; pages for people are same-origin. */
  audience: 'programs' | 'people';
  endpoint: Endpoint;
}

export interface EndpointParts {
  pool: UserPool;
  keys: PoolKeys;
  token: TokenParts;
  userInfo: UserInfoParts;
  federation: FederatedSignIns;
  pages: SignInPages;
  publicUrl: string;
  log: Log;
}

/** The handler resolves with false for paths that are not Cognito's and leaves the response untouched. */
export function createEndpoints(parts: EndpointParts): Handle {
  const routes = new Map<string, Route>([
    ...buildDiscoveryRoutes(parts),
    ...(parts.pool.domain ? buildHostedRoutes(parts) : []),
  ]);
  const { host, protocol } = new URL(parts.publicUrl);
  return async (request, response) => {
    // Cookies and redirects use the public address, not the headers of a client or proxy.
    Object.assign(request.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = routes.get(url.pathname) ?? (parts.pool.domain ? findSignInRoute(parts, url.pathname) : undefined);
    if (!route) return false;
    if (route.audience === 'programs') allowAnyOrigin(response);
    const method = request.method ?? 'GET';
    if (method === 'OPTIONS' && route.audience === 'programs') {
      sendPreflight(response, route);
    } else if (!route.methods.includes(method)) {
      response.setHeader('allow', route.methods.join(', '));
      sendJson(response, 405, { error: 'invalid_request' });
    } else {
      await run(route.endpoint, request, response, url, parts.log);
    }
    return true;
  };
}

async function run(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  log: Log,
): Promise<void> {
  try {
    await endpoint(request, response, url);
  } catch (error) {
    if (response.headersSent) throw error;
    if (error instanceof BodyTooLarge)
      return sendJson(response, 413, { error: 'invalid_request' }, { connection: 'close' });
    if (toStorageError(error) instanceof StorageUnavailable)
      return sendJson(response, 503, { error: 'temporarily_unavailable' }, { 'retry-after': '1' });
    log.error('A Cognito endpoint failed', {
      path: url.pathname,
      error: error instanceof Error ? error.stack : String(error),
    });
    sendJson(response, 500, { error: 'server_error' });
  }
}

function buildDiscoveryRoutes({ pool, keys, publicUrl }: EndpointParts): [string, Route][] {
  const keySet = { keys: [toJwk(keys.id), toJwk(keys.access)] };
  const cached = { 'cache-control': 'public, max-age=86400' };
  const hosted = {
    authorization_endpoint: `${publicUrl}/oauth2/authorize`,
    end_session_endpoint: `${publicUrl}/logout`,
    revocation_endpoint: `${publicUrl}/oauth2/revoke`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    userinfo_endpoint: `${publicUrl}/oauth2/userInfo`,
  };
  const configuration = {
    ...(pool.domain ? hosted : {}),
    issuer: pool.issuer,
    jwks_uri: `${pool.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
  const serve = (body: unknown): Route => ({
    methods: ['GET', 'HEAD'],
    audience: 'programs',
    endpoint: (_request, response) => sendJson(response, 200, body, cached),
  });
  return [
    [`/${pool.id}/.well-known/jwks.json`, serve(keySet)],
    [`/${pool.id}/.well-known/openid-configuration`, serve(configuration)],
  ];
}

function buildHostedRoutes({ token, userInfo, federation }: EndpointParts): [string, Route][] {
  const programs = (methods: string[], endpoint: Endpoint): Route => ({ methods, audience: 'programs', endpoint });
  const people = (methods: string[], endpoint: Endpoint): Route => ({ methods, audience: 'people', endpoint });
  return [
    ['/oauth2/token', programs(['POST'], (request, response) => handleTokenRequest(token, request, response))],
    ['/oauth2/revoke', programs(['POST'], (request, response) => handleRevokeRequest(token, request, response))],
    [
      '/oauth2/userInfo',
      programs(['GET', 'POST'], (request, response) => handleUserInfoRequest(userInfo, request, response)),
    ],
    [
      '/oauth2/authorize',
      people(['GET'], (request, response, url) => authorize(token, { request, response }, url.searchParams)),
    ],
    [
      '/oauth2/idpresponse',
      people(['GET'], (request, response, url) => federation.receiveRedirect({ request, response }, url.searchParams)),
    ],
    ['/saml2/idpresponse', people(['POST'], (request, response) => federation.receiveForm({ request, response }))],
    ['/login', people(['GET'], (_request, response, url) => redirect(response, `/oauth2/authorize${url.search}`))],
    ['/logout', people(['GET'], (request, response, url) => logOut(token, { request, response }, url.searchParams))],
  ];
}

/** /login/<id> is the login page of one sign-in; /oauth2/authorize/<id> completes it. */
function findSignInRoute({ pages, token }: EndpointParts, path: string): Route | undefined {
  const found = /^\/(login|oauth2\/authorize)\/([\w-]{1,100})$/.exec(path);
  if (!found) return undefined;
  const [, page, uid = ''] = found;
  if (page === 'login') {
    return {
      methods: ['GET', 'POST'],
      audience: 'people',
      endpoint: (request, response, url) =>
        request.method === 'POST'
          ? pages.submit({ request, response }, uid)
          : pages.show({ request, response }, uid, url.searchParams),
    };
  }
  return {
    methods: ['GET'],
    audience: 'people',
    endpoint: async (request, response) => (await token.authorizationServer()).handle(request, response),
  };
}

function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
}

function sendPreflight(response: ServerResponse, { methods }: Route): void {
  response.writeHead(204, {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '3600',
  });
  response.end();
}
