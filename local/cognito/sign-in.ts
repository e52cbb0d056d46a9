// What people meet: /oauth2/authorize (its checks in Cognito's words), the login page, /logout and userInfo.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction } from 'oidc-provider/lib/provider.js';
import type { Clock } from '../clock/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientStore } from './client-store.ts';
import { readForm, redirect, rewritten } from './http-exchange.ts';
import type { PoolKeys } from './keys.ts';
import { errorPage, newPasswordPage, pageHeaders, signInPage } from './pages.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.ts';
import type { Triggers } from './triggers.ts';
import type { UserPool } from './user-pool.ts';
import type { User, UserStore } from './user-store.ts';

interface SignInParts {
  pool: UserPool;
  keys: PoolKeys;
  clients: ClientStore;
  users: UserStore;
  clock: Clock;
  triggers: Triggers;
  authorizationServer: () => Promise<AuthorizationServer>;
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

const challengeMs = 15 * 60_000;
const nameWords = { username: 'e-mail address', alias: 'name', attribute: 'user name' };

export class SignInPages {
  private readonly parts: SignInParts;
  private readonly attempts: Attempts;

  constructor(parts: SignInParts) {
    this.parts = parts;
    this.attempts = new Attempts(parts.clock);
  }

  /** Refuses as Cognito does what it would refuse; the rest is for the authorization server. */
  async authorize({ request, response }: Exchange, query: URLSearchParams): Promise<void> {
    const { pool, clients } = this.parts;
    const client = clients.get(pool.id, query.get('client_id'));
    const redirectUri = query.get('redirect_uri');
    if (!client) return this.fail(response, 'invalid_client', 'The application is not known here.');
    if (redirectUri === null) return this.fail(response, 'invalid_request', 'The redirect_uri is missing.');
    if (!client.settings.CallbackURLs.includes(redirectUri)) {
      return this.fail(
        response,
        'redirect_mismatch',
        'The application asked to be called back at an address that is not registered.',
      );
    }
    const refuse = (error: string) => {
      const target = new URL(redirectUri);
      target.searchParams.set('error', error);
      const state = query.get('state');
      if (state !== null) target.searchParams.set('state', state);
      redirect(response, target.href);
    };
    const { AllowedOAuthFlowsUserPoolClient, AllowedOAuthFlows, AllowedOAuthScopes } = client.settings;
    if (!query.get('response_type')) return refuse('invalid_request');
    if (!AllowedOAuthFlowsUserPoolClient || !AllowedOAuthFlows.includes('code')) return refuse('unauthorized_client');
    if (query.get('response_type') !== 'code') return refuse('unauthorized_client');
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    if (scopes.some((scope) => !AllowedOAuthScopes.includes(scope))) return refuse('invalid_scope');
    const granted = scopes.length > 0 ? scopes : AllowedOAuthScopes;
    query.set('scope', granted.join(' '));
    // A nonce belongs to an id token; Cognito ignores it without one.
    if (!granted.includes('openid')) query.delete('nonce');
    const server = await this.parts.authorizationServer();
    await server.answer(rewritten(request, `/oauth2/authorize?${query}`), response);
  }

  async show(exchange: Exchange, uid: string): Promise<void> {
    const interaction = await this.interaction(exchange, uid);
    if (interaction) this.showForm(exchange.response, interaction, interaction.params.login_hint ?? '', undefined);
  }

  async submit(exchange: Exchange, uid: string): Promise<void> {
    const { request, response } = exchange;
    const form = await readForm(request);
    const interaction = await this.interaction(exchange, uid);
    if (!interaction) return;
    if (isForeign(request) || !sameText(form.get('_csrf') ?? '', this.csrf(uid))) {
      return this.fail(response, 'invalid_request', 'The form was not sent from this page.', 403);
    }
    if (form.has('challenge')) return this.submitNewPassword(exchange, interaction, form);
    const name = (form.get('username') ?? '').trim();
    const again = (error: string) => this.showForm(response, interaction, name, error);
    const account = name.toLowerCase();
    if (this.attempts.isBlocked(account)) return again('Password attempts exceeded. Wait a moment and try again.');
    const user = this.parts.users.find(this.parts.pool, name);
    const refusal = await this.beforeSignIn(interaction, name, user);
    if (refusal !== undefined) return again(refusal);
    const right = await verifyPassword(form.get('password') ?? '', user?.passwordHash);
    if (!user || !right) {
      this.attempts.failed(account);
      return again(`Incorrect ${nameWords[this.parts.pool.email]} or password.`);
    }
    this.attempts.succeeded(account);
    if (!user.enabled) return again('User is disabled.');
    if (user.status === 'CONFIRMED') return this.finish(exchange, interaction, user);
    if (this.isTemporaryPasswordOver(user)) {
      return again('Temporary password has expired and must be reset by an administrator.');
    }
    this.showNewPassword(response, interaction, user, undefined);
  }

  /** Ends the session; then on to the client's address, or back to the login page. */
  async logout({ request, response }: Exchange, query: URLSearchParams): Promise<void> {
    const { pool, clients } = this.parts;
    const client = clients.get(pool.id, query.get('client_id'));
    if (!client) return this.fail(response, 'invalid_client', 'The application is not known here.');
    const { LogoutURLs, CallbackURLs } = client.settings;
    const logoutUri = query.get('logout_uri');
    const redirectUri = query.get('redirect_uri');
    const destination = logoutUri ?? redirectUri;
    const allowed =
      logoutUri !== null
        ? LogoutURLs.includes(logoutUri)
        : redirectUri !== null && [...LogoutURLs, ...CallbackURLs].includes(redirectUri);
    if (destination === null || !allowed) {
      return this.fail(
        response,
        'redirect_mismatch',
        'The application asked to go on at an address that is not registered.',
      );
    }
    const server = await this.parts.authorizationServer();
    await server.signOut(request, response);
    if (logoutUri === null && query.has('response_type')) return redirect(response, `/oauth2/authorize?${query}`);
    const target = new URL(destination);
    const state = query.get('state');
    if (state !== null) target.searchParams.set('state', state);
    redirect(response, state === null ? destination : target.href);
  }

  fail(response: ServerResponse, code: string, detail: string, status = 400): void {
    response.writeHead(status, pageHeaders());
    response.end(errorPage(this.parts.pool.name, code, detail));
  }

  private async interaction({ request, response }: Exchange, uid: string): Promise<Interaction | undefined> {
    const server = await this.parts.authorizationServer();
    const interaction = await server.interaction(request, response, uid);
    if (!interaction) this.fail(response, 'invalid_request', 'This sign-in has expired or was already completed.');
    return interaction;
  }

  private showForm(
    response: ServerResponse,
    interaction: Interaction,
    username: string,
    error: string | undefined,
  ): void {
    const { pool } = this.parts;
    const names = { username: 'email', alias: 'either', attribute: 'username' } as const;
    this.send(
      response,
      interaction,
      signInPage({
        service: pool.name,
        action: `/login/${interaction.uid}`,
        csrf: this.csrf(interaction.uid),
        names: names[pool.email],
        username,
        error,
      }),
    );
  }

  private showNewPassword(
    response: ServerResponse,
    interaction: Interaction,
    user: User,
    error: string | undefined,
  ): void {
    const { pool, clock } = this.parts;
    this.send(
      response,
      interaction,
      newPasswordPage({
        service: pool.name,
        action: `/login/${interaction.uid}`,
        csrf: this.csrf(interaction.uid),
        challenge: this.challenge(interaction.uid, user.sub, clock.now() + challengeMs),
        rules: describePasswordRules(pool),
        error,
      }),
    );
  }

  private async submitNewPassword(exchange: Exchange, interaction: Interaction, form: URLSearchParams): Promise<void> {
    const { pool, users, clock } = this.parts;
    const { response } = exchange;
    const [sub = '', until = ''] = (form.get('challenge') ?? '').split('.');
    const user = users.bySub(pool, sub);
    const genuine = sameText(form.get('challenge') ?? '', this.challenge(interaction.uid, sub, Number(until)));
    if (!genuine || Number(until) < clock.now() || user?.status !== 'FORCE_CHANGE_PASSWORD' || !user.enabled) {
      return this.showForm(response, interaction, '', 'Sign in again with your temporary password.');
    }
    const password = form.get('new_password') ?? '';
    const problem =
      passwordProblem(pool.passwordPolicy, password) ??
      (password === form.get('repeated_password') ? undefined : 'The two passwords differ');
    if (problem) return this.showNewPassword(response, interaction, user, `${problem}.`);
    await users.setPassword(user, await hashPassword(password), 'CONFIRMED');
    return this.finish(exchange, interaction, user);
  }

  /** Where clients must not learn who exists, Cognito makes the call for strangers, too. */
  private async beforeSignIn({ params }: Interaction, name: string, user: User | undefined) {
    const { pool, clients, triggers } = this.parts;
    const clientId = params.client_id ?? '';
    const hidesExistence = clients.get(pool.id, clientId)?.settings.PreventUserExistenceErrors === 'ENABLED';
    return user || hidesExistence ? triggers.before(name, user, clientId) : undefined;
  }

  private async finish({ request, response }: Exchange, interaction: Interaction, user: User): Promise<void> {
    const refusal = await this.parts.triggers.after(user, interaction.params.client_id ?? '');
    if (refusal !== undefined) return this.showForm(response, interaction, '', refusal);
    const server = await this.parts.authorizationServer();
    await server.finish(request, response, interaction, user.sub);
  }

  private isTemporaryPasswordOver(user: User): boolean {
    const { clock, pool } = this.parts;
    return clock.now() > user.passwordSetMs + pool.passwordPolicy.temporaryDays * 86_400_000;
  }

  private send(response: ServerResponse, interaction: Interaction, html: string): void {
    const target = new URL(interaction.params.redirect_uri ?? this.parts.pool.issuer);
    response.writeHead(200, pageHeaders(target.origin === 'null' ? target.protocol : target.origin));
    response.end(html);
  }

  private csrf(uid: string): string {
    return this.signature(`form/${uid}`);
  }

  private challenge(uid: string, sub: string, untilMs: number): string {
    return `${sub}.${untilMs}.${this.signature(`challenge/${uid}/${sub}/${untilMs}`)}`;
  }

  private signature(text: string): string {
    return createHmac('sha256', this.parts.keys.secret).update(text).digest('base64url');
  }
}

/** A browser says where a form comes from; other programs need not. */
function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = headers.origin;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== headers.host);
}

function sameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function describePasswordRules({ passwordPolicy: policy }: UserPool): string {
  const kinds = [
    policy.lowercase && 'a lower-case letter',
    policy.uppercase && 'an upper-case letter',
    policy.numbers && 'a digit',
    policy.symbols && 'a symbol',
  ].filter((kind) => kind !== false);
  const list = new Intl.ListFormat('en').format(kinds);
  return `At least ${policy.minimumLength} characters${list === '' ? '' : `, with ${list}`}.`;
}

// Wrong passwords cost time: after five in a row an account waits a second, and twice as long after each further one,
// up to a quarter of an hour, as in Cognito.

const freeAttempts = 5;
const maxWaitMs = 15 * 60_000;
const accountLimit = 10_000;

export class Attempts {
  private readonly clock: Clock;
  private readonly failures = new Map<string, { count: number; blockedUntilMs: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isBlocked(account: string): boolean {
    return (this.failures.get(account)?.blockedUntilMs ?? 0) > this.clock.now();
  }

  failed(account: string): void {
    if (this.failures.size >= accountLimit) this.failures.clear();
    const count = (this.failures.get(account)?.count ?? 0) + 1;
    const waitMs = count < freeAttempts ? 0 : Math.min(1000 * 2 ** (count - freeAttempts), maxWaitMs);
    this.failures.set(account, { count, blockedUntilMs: this.clock.now() + waitMs });
  }

  succeeded(account: string): void {
    this.failures.delete(account);
  }
}
