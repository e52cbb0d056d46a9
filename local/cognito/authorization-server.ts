// Configures oidc-provider as one Cognito pool: authorization codes with PKCE, sessions, refresh tokens. It decides who
// gets tokens; tokens.ts issues them, because Cognito's tokens have their own claims. The package is imported on first use,
// because client credentials and keys do not need it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Interaction, Provider } from 'oidc-provider/lib/provider.js';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import { getLifetimeSeconds } from './client.ts';
import type { ClientStore } from './client-store.ts';
import type { PoolKeys } from './keys.ts';
import type { OidcPayload, OidcStore } from './oidc-store.ts';
import { buildPageHeaders, renderErrorPage } from './pages.ts';
import type { Tokens } from './tokens.ts';
import type { Triggers } from './triggers.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface AuthorizationServer {
  /** Handles /oauth2/authorize, the return from the login page, and the code and refresh grants of /oauth2/token. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The browser's current sign-in with this id; undefined when it has ended. */
  findInteraction(request: IncomingMessage, response: ServerResponse, uid: string): Promise<Interaction | undefined>;
  /** Completes the sign-in as this user. */
  finish(request: IncomingMessage, response: ServerResponse, interaction: Interaction, sub: string): Promise<void>;
  /** Ends the browser's session and clears its cookie; the caller sends the response. */
  signOut(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface Parts {
  pool: UserPool;
  keys: PoolKeys;
  clients: ClientStore;
  users: UserStore;
  oidc: OidcStore;
  tokens: Tokens;
  triggers: Triggers;
  log: Log;
}

const sessionSeconds = 3600;
const codeSeconds = 300;

export async function loadAuthorizationServer(parts: Parts): Promise<AuthorizationServer> {
  // The package's main module only adds a warning about the Node version to these.
  const [{ Provider }, { base, Check }, { InvalidGrant, SessionNotFound }, { default: contexts }] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('oidc-provider/lib/helpers/interaction_policy/index.js'),
    import('oidc-provider/lib/helpers/errors.js'),
    import('oidc-provider/lib/helpers/als.js'),
  ]);
  const policy = base();
  policy.remove('consent');
  policy
    .get('login')
    .checks.add(
      new Check('no_account', 'the user of this session is deleted or disabled', ({ oidc }) =>
        Boolean(oidc.session?.accountId && !oidc.account),
      ),
    );
  const adapter = (model: string) => createAdapter(parts, model, () => new InvalidGrant('already used'));
  const provider = new Provider(
    parts.pool.issuer,
    buildConfiguration(parts, policy, adapter, () => provider),
  );
  provider.silent = true;
  // Trust the forwarding headers: endpoints.ts overwrites them.
  provider.proxy = true;
  provider.on('server_error', (_context, error) => parts.log.error('Sign-in failed', { error: error.stack }));
  provider.on('error', (error) => parts.log.error('Sign-in failed', { error: error.stack }));
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/oauth2/token') await toCognitoTokens(parts, context);
    else removeIssuer(context);
  });
  const callback = provider.callback();
  let runningRequests = 0;
  return {
    async handle(request, response) {
      runningRequests++;
      try {
        await callback(request, response);
      } finally {
        runningRequests--;
        // oidc-provider leaves its AsyncLocalStorage enabled, which would track every promise of this process.
        if (runningRequests === 0) contexts.disable();
      }
    },
    async findInteraction(request, response, uid) {
      try {
        const interaction = await provider.interactionDetails(request, response);
        return interaction.uid === uid ? interaction : undefined;
      } catch (error) {
        if (error instanceof SessionNotFound) return undefined;
        throw error;
      }
    },
    async finish(request, response, interaction, sub) {
      const { session } = interaction;
      if (session && session.accountId !== sub) await endSession(provider, interaction, session.uid);
      await provider.interactionFinished(request, response, { login: { accountId: sub } });
    },
    async signOut(request, response) {
      const context = provider.createContext(request, response);
      const session = await provider.Session.get(context);
      await session.destroy();
      context.cookies.set(provider.cookieName('session'), null, { path: '/', signed: true });
    },
  };
}

/** Ends the browser's session of another user before this sign-in continues. */
async function endSession(provider: Provider, interaction: Interaction, sessionUid: string): Promise<void> {
  await (await provider.Session.findByUid(sessionUid))?.destroy();
  interaction.session = undefined;
  await interaction.persist();
}

function buildConfiguration(
  { pool, keys, clients, users }: Parts,
  policy: unknown,
  adapter: (model: string) => object,
  provider: () => Provider,
): object {
  const lifetime =
    (kind: 'AccessToken' | 'IdToken' | 'RefreshToken') =>
    (_context: Context, _token: unknown, { clientId }: { clientId: string }) =>
      getLifetimeSeconds(requireValue(clients.get(pool.id, clientId)).settings, kind);
  const grantSeconds = ({ oidc }: Context) => {
    const { settings } = requireValue(clients.get(pool.id, requireValue(oidc.client).clientId));
    return getLifetimeSeconds(settings, 'RefreshToken') + codeSeconds;
  };
  const disabled = { enabled: false };
  const cookie = { httpOnly: true, overwrite: true, sameSite: 'lax', signed: true };
  return {
    adapter,
    jwks: { keys: [{ ...keys.id.privateKey.export({ format: 'jwk' }), kid: keys.id.kid, alg: 'RS256', use: 'sig' }] },
    routes: { authorization: '/oauth2/authorize', token: '/oauth2/token' },
    scopes: [...pool.scopes],
    extraParams: ['identity_provider'],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    // token-endpoint.ts authenticates clients first.
    clientAuthMethods: ['none'],
    features: {
      devInteractions: disabled,
      userinfo: disabled,
      rpInitiatedLogout: disabled,
      resourceIndicators: disabled,
      dPoP: disabled,
      pushedAuthorizationRequests: disabled,
    },
    // A client without a secret proves with PKCE that the code is its own. Cognito leaves this to the client.
    pkce: {
      required: (_context: Context, { clientId }: { clientId: string }) => !clients.get(pool.id, clientId)?.secret,
    },
    clockTolerance: 0,
    findAccount: (_context: unknown, sub: string) =>
      users.findBySub(pool, sub)?.enabled ? { accountId: sub, claims: () => ({ sub }) } : undefined,
    loadExistingGrant: async ({ oidc }: Context) => {
      const { accountId } = requireValue(oidc.account);
      const { clientId } = requireValue(oidc.client);
      const grant = new (provider().Grant)({ accountId, clientId });
      grant.addOIDCScope(requireValue(oidc.params?.scope));
      await grant.save();
      return grant;
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: false,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: lifetime('AccessToken'),
      IdToken: lifetime('IdToken'),
      RefreshToken: lifetime('RefreshToken'),
      Grant: grantSeconds,
      AuthorizationCode: codeSeconds,
      Interaction: sessionSeconds,
      Session: (_context: Context, { loginTs }: { loginTs?: number }) =>
        loginTs === undefined ? sessionSeconds : Math.max(1, loginTs + sessionSeconds - Math.floor(Date.now() / 1000)),
    },
    interactions: { policy, url: (_context: Context, { uid }: { uid: string }) => `/login/${uid}` },
    cookies: {
      keys: [keys.secret],
      names: { session: 'cognito', interaction: 'cognito-sign-in', resume: 'cognito-resume' },
      long: cookie,
      short: cookie,
    },
    renderError: (context: Context, { error, error_description: detail }: Record<string, string>) => {
      context.set(buildPageHeaders());
      context.type = 'html';
      context.body = renderErrorPage(pool.name, error ?? 'server_error', detail);
    },
  };
}

function createAdapter({ oidc, clients, pool }: Parts, model: string, createUsedError: () => Error): object {
  const client = (id: string) => {
    const found = clients.get(pool.id, id);
    return found?.settings.AllowedOAuthFlows.includes('code') ? toClientMetadata(id, found.settings) : undefined;
  };
  return {
    find: async (id: string) => (model === 'Client' ? client(id) : oidc.find(model, id)),
    findByUid: async (uid: string) => oidc.findByUid(model, uid),
    upsert: (id: string, payload: OidcPayload, seconds: number) => oidc.upsert(model, id, payload, seconds),
    destroy: (id: string) => oidc.destroy(model, id),
    revokeByGrantId: (grantId: string) => oidc.revokeByGrantId(grantId),
    consume: async (id: string) => {
      if (!(await oidc.consume(model, id))) throw createUsedError();
    },
  };
}

function toClientMetadata(
  clientId: string,
  { CallbackURLs, AllowedOAuthScopes }: { CallbackURLs: string[]; AllowedOAuthScopes: string[] },
): object {
  return {
    client_id: clientId,
    application_type: CallbackURLs.every((url) => /^https?:/.test(url)) ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: CallbackURLs,
    scope: AllowedOAuthScopes.join(' '),
  };
}

/** Replaces oidc-provider's tokens by Cognito's, and its error descriptions by Cognito's bare error codes. */
async function toCognitoTokens(parts: Parts, context: Context): Promise<void> {
  const { pool, clients, users, tokens, triggers, oidc } = parts;
  if (context.status !== 200) {
    const { error } = context.body as { error: string };
    context.body = { error };
    return;
  }
  const { AccessToken, AuthorizationCode, RefreshToken } = context.oidc.entities;
  const source = requireValue(AuthorizationCode ?? RefreshToken);
  const user = requireValue(users.findBySub(pool, requireValue(source.accountId)));
  const grantId = requireValue(source.grantId);
  const kind = AuthorizationCode ? 'HostedAuth' : 'RefreshTokens';
  const rejection = await triggers.runTokenGeneration(user, users.listGroups(pool, user), source.clientId ?? '', kind);
  if (rejection !== undefined) {
    if (AuthorizationCode) await oidc.revokeByGrantId(grantId);
    context.status = 400;
    context.body = { error: 'invalid_grant', error_description: rejection };
    return;
  }
  const issued = await tokens.issueUserTokens({
    user,
    // The trigger may have changed them.
    groups: users.listGroups(pool, user),
    identities: users.listIdentities(user),
    client: requireValue(clients.get(pool.id, source.clientId)),
    scopes: AccessToken?.scope?.split(' ') ?? [],
    grantId,
    authTimeSeconds: requireValue(source.authTime),
    nonce: AuthorizationCode?.nonce,
  });
  const refreshToken = (context.body as { refresh_token?: string }).refresh_token;
  // The response to a refresh contains no refresh token: the current one stays valid.
  context.body = AuthorizationCode ? { ...issued, refresh_token: refreshToken } : issued;
}

/** Cognito's redirects have no issuer parameter. */
function removeIssuer(context: Context): void {
  const location = context.response.get('location');
  if (!/[?&]iss=/.test(location)) return;
  const url = new URL(location);
  url.searchParams.delete('iss');
  context.redirect(url.href);
}
