// The login page: external identity providers, user name and password, and a new password after a temporary one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction } from 'oidc-provider/lib/provider.js';
import type { Clock } from '../clock/clock.ts';
import type { TrustedProxies } from '../forwarded-headers.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientStore } from './client-store.ts';
import type { FederatedSignIns, Outcome } from './federated-sign-in.ts';
import { type Exchange, readForm, redirect } from './http-exchange.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { PoolKeys } from './keys.ts';
import { buildPageHeaders, renderNewPasswordPage, renderSignInPage, sendErrorPage } from './pages.ts';
import { findPasswordProblem, hashPassword, PasswordAttempts, verifyPassword } from './password.ts';
import type { SignInAttempt, Triggers } from './triggers.ts';
import type { UserPool } from './user-pool.ts';
import type { User, UserStore } from './user-store.ts';

interface SignInParts {
  pool: UserPool;
  keys: PoolKeys;
  clients: ClientStore;
  users: UserStore;
  clock: Clock;
  triggers: Triggers;
  proxies: TrustedProxies;
  federation: FederatedSignIns;
  authorizationServer: () => Promise<AuthorizationServer>;
}

const challengeMs = 15 * 60_000;

export class SignInPages {
  private readonly parts: SignInParts;
  private readonly attempts: PasswordAttempts;

  constructor(parts: SignInParts) {
    this.parts = parts;
    this.attempts = new PasswordAttempts(parts.clock);
  }

  async show(exchange: Exchange, uid: string, query: URLSearchParams): Promise<void> {
    const interaction = await this.findInteraction(exchange, uid);
    if (!interaction) return;
    const { federation } = this.parts;
    const { identity_provider, login_hint = '' } = interaction.params;
    const key = query.get('outcome');
    if (key !== null) {
      const outcome = await federation.takeOutcome(key, interaction);
      if (outcome) return this.finishFederated(exchange, interaction, outcome);
    }
    const wanted = query.get('provider') ?? identity_provider;
    const provider = this.listProviders(interaction).find(({ name }) => name === wanted);
    const error = provider && (await federation.begin(exchange, interaction, provider));
    if (!provider || error) this.showForm(exchange.response, interaction, login_hint, error);
  }

  /** The application shows why a sign-in with a provider failed. */
  private async finishFederated(exchange: Exchange, interaction: Interaction, outcome: Outcome): Promise<void> {
    const { request, response } = exchange;
    if ('sub' in outcome) {
      const server = await this.parts.authorizationServer();
      return server.finish(request, response, interaction, outcome.sub);
    }
    const { redirect_uri, state } = interaction.params;
    const target = new URL(redirect_uri ?? this.parts.pool.issuer);
    target.searchParams.set('error', 'invalid_request');
    target.searchParams.set('error_description', outcome.error);
    if (state !== undefined) target.searchParams.set('state', state);
    redirect(response, target.href);
  }

  private listProviders({ params }: Interaction): IdentityProvider[] {
    const { pool, clients } = this.parts;
    const offered = clients.get(pool.id, params.client_id)?.settings.SupportedIdentityProviders ?? [];
    return pool.identityProviders.filter(({ name }) => offered.includes(name));
  }

  async submit(exchange: Exchange, uid: string): Promise<void> {
    const { request, response } = exchange;
    const form = await readForm(request);
    const interaction = await this.findInteraction(exchange, uid);
    if (!interaction) return;
    if (isCrossOrigin(request) || !isSameText(form.get('_csrf') ?? '', this.createCsrfToken(uid))) {
      return this.reject(response, 'The form was not sent from this page.', 403);
    }
    if (form.has('challenge')) return this.submitNewPassword(exchange, interaction, form);
    const name = (form.get('username') ?? '').trim();
    const retry = (error: string) => this.showForm(response, interaction, name, error);
    const account = name.toLowerCase();
    const user = this.parts.users.find(this.parts.pool, name);
    const attempt = this.attempts.begin(account);
    try {
      const outcome = attempt ? 'checked' : 'blocked';
      const rejection = await this.runPreAuthentication(exchange, interaction, name, user, outcome);
      if (!attempt) return retry('Password attempts exceeded. Wait a moment and try again.');
      if (rejection !== undefined) return retry(rejection);
      const isCorrect = await verifyPassword(form.get('password') ?? '', user?.passwordHash);
      if (!user || !isCorrect) return retry('Incorrect e-mail address or password.');
      attempt.succeed();
    } finally {
      attempt?.end();
    }
    if (!user.enabled) return retry('User is disabled.');
    if (user.status === 'CONFIRMED') return this.finish(exchange, interaction, user);
    if (this.isTemporaryPasswordExpired(user)) {
      return retry('Temporary password has expired and must be reset by an administrator.');
    }
    this.showNewPassword(response, interaction, user, undefined);
  }

  private async findInteraction({ request, response }: Exchange, uid: string): Promise<Interaction | undefined> {
    const server = await this.parts.authorizationServer();
    const interaction = await server.findInteraction(request, response, uid);
    if (!interaction) this.reject(response, 'This sign-in has expired or was already completed.');
    return interaction;
  }

  private reject(response: ServerResponse, detail: string, status = 400): void {
    sendErrorPage(response, this.parts.pool.name, 'invalid_request', detail, status);
  }

  private showForm(
    response: ServerResponse,
    interaction: Interaction,
    username: string,
    error: string | undefined,
  ): void {
    const { pool } = this.parts;
    this.send(
      response,
      interaction,
      renderSignInPage({
        service: pool.name,
        action: `/login/${interaction.uid}`,
        csrf: this.createCsrfToken(interaction.uid),
        providers: this.listProviders(interaction).map(({ name }) => name),
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
      renderNewPasswordPage({
        service: pool.name,
        action: `/login/${interaction.uid}`,
        csrf: this.createCsrfToken(interaction.uid),
        challenge: this.createChallenge(interaction.uid, user.sub, clock.now() + challengeMs),
        rules: describePasswordRules(pool),
        error,
      }),
    );
  }

  private async submitNewPassword(exchange: Exchange, interaction: Interaction, form: URLSearchParams): Promise<void> {
    const { pool, users, clock } = this.parts;
    const { response } = exchange;
    const [sub = '', expiresMs = ''] = (form.get('challenge') ?? '').split('.');
    const user = users.findBySub(pool, sub);
    const isGenuine = isSameText(
      form.get('challenge') ?? '',
      this.createChallenge(interaction.uid, sub, Number(expiresMs)),
    );
    if (!isGenuine || Number(expiresMs) < clock.now() || user?.status !== 'FORCE_CHANGE_PASSWORD' || !user.enabled) {
      return this.showForm(response, interaction, '', 'Sign in again with your temporary password.');
    }
    const password = form.get('new_password') ?? '';
    const problem =
      findPasswordProblem(pool.passwordPolicy, password) ??
      (password === form.get('repeated_password') ? undefined : 'The two passwords differ');
    if (problem) return this.showNewPassword(response, interaction, user, `${problem}.`);
    await users.setPassword(user, await hashPassword(password), 'CONFIRMED');
    return this.finish(exchange, interaction, user);
  }

  /** If the client hides which users exist, Cognito calls the function for unknown users, too. */
  private async runPreAuthentication(
    { request }: Exchange,
    { params }: Interaction,
    name: string,
    user: User | undefined,
    outcome: SignInAttempt['outcome'],
  ): Promise<string | undefined> {
    const { pool, clients, triggers, proxies } = this.parts;
    const attempt = { source_ip: proxies.findClient(request), outcome };
    const clientId = params.client_id ?? '';
    const hidesExistence = clients.get(pool.id, clientId)?.settings.PreventUserExistenceErrors === 'ENABLED';
    return user || hidesExistence ? triggers.runPreAuthentication(name, user, clientId, attempt) : undefined;
  }

  private async finish({ request, response }: Exchange, interaction: Interaction, user: User): Promise<void> {
    const { triggers, proxies } = this.parts;
    const attempt = { source_ip: proxies.findClient(request), outcome: 'checked' } as const;
    const rejection = await triggers.runPostAuthentication(user, interaction.params.client_id ?? '', attempt);
    if (rejection !== undefined) return this.showForm(response, interaction, '', rejection);
    const server = await this.parts.authorizationServer();
    await server.finish(request, response, interaction, user.sub);
  }

  private isTemporaryPasswordExpired(user: User): boolean {
    const { clock, pool } = this.parts;
    return clock.now() > user.passwordSetMs + pool.passwordPolicy.temporaryDays * 86_400_000;
  }

  private send(response: ServerResponse, interaction: Interaction, html: string): void {
    const target = new URL(interaction.params.redirect_uri ?? this.parts.pool.issuer);
    response.writeHead(200, buildPageHeaders(target.origin === 'null' ? target.protocol : target.origin));
    response.end(html);
  }

  private createCsrfToken(uid: string): string {
    return this.sign(`form/${uid}`);
  }

  private createChallenge(uid: string, sub: string, expiresMs: number): string {
    return `${sub}.${expiresMs}.${this.sign(`challenge/${uid}/${sub}/${expiresMs}`)}`;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.parts.keys.secret).update(text).digest('base64url');
  }
}

/** Browsers send the origin of a form; other programs may omit it. */
function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = headers.origin;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== headers.host);
}

function isSameText(a: string, b: string): boolean {
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
  return `At least ${policy.minLength} characters${list === '' ? '' : `, with ${list}`}.`;
}
