// oidc-provider, set up as one Cognito pool: authorization codes with PKCE, sessions, refresh tokens. It decides who
// gets tokens; the tokens themselves are made in tokens.ts, because Cognito's have claims and a shape of their own.
// It is imported on first use: client credentials and keys are served without it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Interaction, Provider } from 'oidc-provider/lib/provider.js';
import type { Log } from '../log.ts';
import { lifetimeSeconds } from './client.ts';
import type { ClientStore } from './client-store.ts';
import type { PoolKeys } from './keys.ts';
import type { OidcPayload, OidcStore } from './oidc-store.ts';
import { errorPage, pageHeaders } from './pages.ts';
import type { Tokens } from './tokens.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface AuthorizationServer {
  /** Answers /oauth2/authorize, its way back after the login, and the code and refresh grants of /oauth2/token. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The sign-in under way in this browser with this id, or undefined when there is none (any more). */
  interaction(request: IncomingMessage, response: ServerResponse, uid: string): Promise<Interaction | undefined>;
  /** Goes on with the sign-in as this person. */
  finish(request: IncomingMessage, response: ServerResponse, interaction: Interaction, sub: string): Promise<void>;
  /** Ends the browser's session and clears its cookie; the answer itself is the caller's. */
  signOut(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface Parts {
  pool: UserPool;
  keys: PoolKeys;
  clients: ClientStore;
  users: UserStore;
  oidc: OidcStore;
  tokens: Tokens;
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
      new Check('no_account', 'the person of this session is gone or disabled', ({ oidc }) =>
        Boolean(oidc.session?.accountId && !oidc.account),
      ),
    );
  const adapter = (model: string) => storeAdapter(parts, model, () => new InvalidGrant('already used'));
  const provider = new Provider(
    parts.pool.issuer,
    configuration(parts, policy, adapter, () => provider),
  );
  provider.silent = true;
  // endpoints.ts sets these headers itself, so nobody else's are believed.
  provider.proxy = true;
  provider.on('server_error', (_context, error) => parts.log.error('sign-in failed', { error: error.stack }));
  provider.on('error', (error) => parts.log.error('sign-in failed', { error: error.stack }));
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/oauth2/token') await shapeTokenAnswer(parts, context);
    else dropIssuer(context);
  });
  const callback = provider.callback();
  let underWay = 0;
  return {
    async answer(request, response) {
      underWay++;
      try {
        await callback(request, response);
      } finally {
        underWay--;
        // Left on, which is its way, it would watch every promise of this process until the end.
        if (underWay === 0) contexts.disable();
      }
    },
    async interaction(request, response, uid) {
      try {
        const interaction = await provider.interactionDetails(request, response);
        return interaction.uid === uid ? interaction : undefined;
      } catch (error) {
        if (error instanceof SessionNotFound) return undefined;
        throw error;
      }
    },
    async finish(request, response, interaction, sub) {
      if (interaction.session && interaction.session.accountId !== sub) await leaveSession(provider, interaction);
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

/** Somebody else signs in where a session is open: the old one ends, and the sign-in goes on without it. */
async function leaveSession(provider: Provider, interaction: Interaction): Promise<void> {
  await (await provider.Session.findByUid(interaction.session!.uid))?.destroy();
  interaction.session = undefined;
  await interaction.persist();
}

function configuration(
  { pool, keys, clients, users }: Parts,
  policy: unknown,
  adapter: (model: string) => object,
  provider: () => Provider,
): object {
  const lifetime =
    (kind: 'AccessToken' | 'IdToken' | 'RefreshToken') =>
    (_context: Context, _token: unknown, { clientId }: { clientId: string }) =>
      lifetimeSeconds(clients.get(pool.id, clientId)!.settings, kind);
  const grantSeconds = ({ oidc }: Context) =>
    lifetimeSeconds(clients.get(pool.id, oidc.client!.clientId)!.settings, 'RefreshToken') + codeSeconds;
  const disabled = { enabled: false };
  const cookie = { httpOnly: true, overwrite: true, sameSite: 'lax', signed: true };
  return {
    adapter,
    jwks: { keys: [{ ...keys.id.privateKey.export({ format: 'jwk' }), kid: keys.id.kid, alg: 'RS256', use: 'sig' }] },
    routes: { authorization: '/oauth2/authorize', token: '/oauth2/token' },
    scopes: [...pool.scopes],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    // Clients prove themselves before a request gets here, see token-endpoint.ts.
    clientAuthMethods: ['none'],
    features: {
      devInteractions: disabled,
      userinfo: disabled,
      rpInitiatedLogout: disabled,
      resourceIndicators: disabled,
      dPoP: disabled,
      pushedAuthorizationRequests: disabled,
    },
    pkce: { required: () => false },
    clockTolerance: 0,
    findAccount: (_context: unknown, sub: string) =>
      users.bySub(pool, sub)?.enabled ? { accountId: sub, claims: () => ({ sub }) } : undefined,
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new (provider().Grant)({ accountId: oidc.account!.accountId, clientId: oidc.client!.clientId });
      grant.addOIDCScope(oidc.params!.scope!);
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
      context.set(pageHeaders());
      context.type = 'html';
      context.body = errorPage(pool.name, error ?? 'server_error', detail);
    },
  };
}

function storeAdapter({ oidc, clients, pool }: Parts, model: string, alreadyUsed: () => Error): object {
  const client = (id: string) => {
    const found = clients.get(pool.id, id);
    return found?.settings.AllowedOAuthFlows.includes('code') ? clientMetadata(id, found.settings) : undefined;
  };
  return {
    find: async (id: string) => (model === 'Client' ? client(id) : oidc.find(model, id)),
    findByUid: async (uid: string) => oidc.findByUid(model, uid),
    upsert: (id: string, payload: OidcPayload, seconds: number) => oidc.upsert(model, id, payload, seconds),
    destroy: (id: string) => oidc.destroy(model, id),
    revokeByGrantId: (grantId: string) => oidc.revokeByGrantId(grantId),
    consume: async (id: string) => {
      if (!(await oidc.consume(model, id))) throw alreadyUsed();
    },
  };
}

function clientMetadata(
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

/** Puts Cognito's tokens in place of oidc-provider's, and Cognito's bare error code in place of its explanations. */
async function shapeTokenAnswer({ pool, clients, users, tokens }: Parts, context: Context): Promise<void> {
  if (context.status !== 200) {
    const { error } = context.body as { error: string };
    context.body = { error };
    return;
  }
  const { AccessToken, AuthorizationCode, RefreshToken } = context.oidc.entities;
  const source = AuthorizationCode ?? RefreshToken!;
  const user = users.bySub(pool, source.accountId!)!;
  const made = await tokens.forPerson({
    user,
    groups: users.groupsOf(pool, user),
    client: clients.get(pool.id, source.clientId)!,
    scopes: AccessToken!.scope?.split(' ') ?? [],
    grantId: source.grantId!,
    authTimeSeconds: source.authTime!,
    nonce: AuthorizationCode?.nonce,
  });
  const refreshToken = (context.body as { refresh_token?: string }).refresh_token;
  // A refresh answers without a refresh token: the one in use stays good.
  context.body = AuthorizationCode ? { ...made, refresh_token: refreshToken } : made;
}

/** Cognito's redirects carry no issuer. */
function dropIssuer(context: Context): void {
  const location = context.response.get('location');
  if (!/[?&]iss=/.test(location)) return;
  const url = new URL(location);
  url.searchParams.delete('iss');
  context.redirect(url.href);
}
