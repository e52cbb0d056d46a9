// Sign-ins with external identity providers: to the provider, back with its response, through the pool's trigger, and to the
// account that the identity is linked to.
import { randomBytes } from 'node:crypto';
import type { Interaction } from 'oidc-provider/lib/provider.js';
import type { Log } from '../log.ts';
import { type Exchange, readForm, redirect } from './http-exchange.ts';
import { type IdentityProvider, type ProviderConnection, ProviderUnreachable } from './identity-provider.ts';
import { createOidcProvider } from './oidc-relying-party.ts';
import type { OidcPayload, OidcStore } from './oidc-store.ts';
import { sendErrorPage } from './pages.ts';
import { createSamlProvider } from './saml-service-provider.ts';
import type { Triggers } from './triggers.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export interface FederationParts {
  pool: UserPool;
  users: UserStore;
  oidc: OidcStore;
  triggers: Triggers;
  publicUrl: string;
  log: Log;
}

/** The account of a completed sign-in, or why there is none. */
export type Outcome = { sub: string } | { error: string };

const pendingModel = 'FederatedSignIn';
const outcomeModel = 'FederatedOutcome';
const pendingSeconds = 600;
const outcomeSeconds = 60;
/** A provider may send hundreds of groups. */
const maxResponseBytes = 256 * 1024;

export class FederatedSignIns {
  private readonly parts: FederationParts;
  private readonly connections = new Map<string, ProviderConnection>();

  constructor(parts: FederationParts) {
    this.parts = parts;
  }

  /** Sends the browser to the provider, or returns why that is not possible. */
  async begin(
    { response }: Exchange,
    interaction: Interaction,
    provider: IdentityProvider,
  ): Promise<string | undefined> {
    const { oidc, log } = this.parts;
    const state = randomBytes(24).toString('hex');
    try {
      const { url, secrets } = await this.connect(provider).begin(state);
      const { uid, params } = interaction;
      const pending = { uid, provider: provider.name, clientId: params.client_id ?? '', secrets };
      await oidc.upsert(pendingModel, state, pending, pendingSeconds);
      redirect(response, url);
      return undefined;
    } catch (error) {
      log.error('An identity provider cannot be used', { provider: provider.name, error: describeError(error) });
      return `${provider.name} cannot be reached at the moment. Try again later, or sign in with a password.`;
    }
  }

  async receiveRedirect(exchange: Exchange, query: URLSearchParams): Promise<void> {
    return this.receive(exchange, query.get('state'), query, 'OIDC');
  }

  async receiveForm(exchange: Exchange): Promise<void> {
    const form = await readForm(exchange.request, maxResponseBytes);
    return this.receive(exchange, form.get('RelayState'), form, 'SAML');
  }

  /** The outcome of this browser's sign-in, once. */
  async takeOutcome(key: string, { uid }: Interaction): Promise<Outcome | undefined> {
    const found = await this.parts.oidc.take(outcomeModel, key);
    return found?.uid === uid ? (found.outcome as Outcome) : undefined;
  }

  /** The browser continues on its login page, whose cookie shows that it began this sign-in. */
  private async receive(
    { response }: Exchange,
    state: string | null,
    message: URLSearchParams,
    type: IdentityProvider['type'],
  ): Promise<void> {
    const { pool, oidc } = this.parts;
    const pending = state ? await oidc.take(pendingModel, state) : undefined;
    const provider = pool.identityProviders.find(({ name }) => name === pending?.provider);
    if (!state || !pending || provider?.type !== type)
      return sendErrorPage(
        response,
        pool.name,
        'invalid_request',
        'This sign-in has expired or was already completed.',
      );
    const outcome = await this.complete(state, pending, provider, message);
    await oidc.upsert(outcomeModel, state, { uid: pending.uid ?? '', outcome }, outcomeSeconds);
    redirect(response, `/login/${pending.uid}?outcome=${state}`, 303);
  }

  private async complete(
    state: string,
    pending: OidcPayload,
    provider: IdentityProvider,
    message: URLSearchParams,
  ): Promise<Outcome> {
    const { pool, users, triggers, log } = this.parts;
    try {
      const secrets = pending.secrets as Record<string, string>;
      const { subject, attributes, claims } = await this.connect(provider).finish(state, secrets, message);
      const result = await triggers.runInboundFederation(provider, subject, pending.clientId ?? '', attributes);
      if ('error' in result) return result;
      const sub = users.findSubByIdentity(pool, provider.name, subject);
      const user = sub === undefined ? undefined : users.findBySub(pool, sub);
      // Cognito would create a user of the provider here.
      if (!user) return { error: 'The identity is linked to no user, and unlinked users are not supported here.' };
      if (!user.enabled) return { error: 'User is disabled.' };
      await users.setAttributes(pool, user, {
        ...user.attributes,
        ...mapAttributes(provider, claims, result.attributes),
      });
      return { sub: user.sub };
    } catch (error) {
      log.warn('A response of an identity provider was rejected', {
        provider: provider.name,
        error: describeError(error),
      });
      if (error instanceof ProviderUnreachable) return { error: `${provider.name} cannot be reached at the moment.` };
      return { error: `The response of ${provider.name} was rejected. Sign in again.` };
    }
  }

  private connect(provider: IdentityProvider): ProviderConnection {
    const { pool, publicUrl } = this.parts;
    const connection = this.connections.get(provider.name) ?? connectProvider(pool, provider, publicUrl);
    this.connections.set(provider.name, connection);
    return connection;
  }
}

function connectProvider(pool: UserPool, { type, details }: IdentityProvider, publicUrl: string): ProviderConnection {
  return type === 'OIDC'
    ? createOidcProvider(details, `${publicUrl}/oauth2/idpresponse`)
    : createSamlProvider(details, `${publicUrl}/saml2/idpresponse`, `urn:amazon:cognito:sp:${pool.id}`);
}

/** The trigger's attributes replace those of the provider, unless it returns none. */
function mapAttributes(
  { attributeMapping }: IdentityProvider,
  claims: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string>>,
): Record<string, string> {
  const source = Object.keys(changed).length > 0 ? changed : claims;
  const mapped = Object.entries(attributeMapping).map(([attribute, claim]) => [attribute, source[claim]] as const);
  return Object.fromEntries(mapped.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function describeError(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : String(message);
}
