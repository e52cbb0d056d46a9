// Issues and verifies all tokens: Cognito's claims, signed with RS256, the kid in the header.
import { createHash, randomUUID, sign, verify } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import { type Client, getLifetimeSeconds } from './client.ts';
import type { PoolKeys, SigningKey } from './keys.ts';
import type { UserPool } from './user-pool.ts';
import type { User } from './user-store.ts';

export interface AccessClaims {
  sub: string;
  client_id: string;
  scope: string;
  iat: number;
  exp: number;
  token_use: string;
  iss: string;
  origin_jti?: string;
  username?: string;
}

/** One sign-in of a user with one client; refreshed tokens belong to the same sign-in. */
export interface SignIn {
  user: User;
  groups: readonly string[];
  /** Of external providers. */
  identities: readonly { provider: string; subject: string }[];
  client: Client;
  scopes: readonly string[];
  /** Shared by all tokens of this sign-in. */
  grantId: string;
  authTimeSeconds: number;
  nonce?: string | undefined;
}

export class Tokens {
  private readonly pool: UserPool;
  private readonly keys: PoolKeys;
  private readonly clock: Clock;

  constructor(pool: UserPool, keys: PoolKeys, clock: Clock) {
    this.pool = pool;
    this.keys = keys;
    this.clock = clock;
  }

  async issueClientToken(
    client: Client,
    scopes: readonly string[],
  ): Promise<{ access_token: string; expires_in: number; token_type: 'Bearer' }> {
    const now = this.nowSeconds();
    const lifetime = getLifetimeSeconds(client.settings, 'AccessToken');
    const token = await signToken(this.keys.access, {
      sub: client.clientId,
      token_use: 'access',
      scope: scopes.join(' '),
      auth_time: now,
      iss: this.pool.issuer,
      exp: now + lifetime,
      iat: now,
      version: 2,
      jti: randomUUID(),
      client_id: client.clientId,
    });
    return { access_token: token, expires_in: lifetime, token_type: 'Bearer' };
  }

  async issueUserTokens(
    signIn: SignIn,
  ): Promise<{ id_token?: string; access_token: string; expires_in: number; token_type: 'Bearer' }> {
    const lifetime = getLifetimeSeconds(signIn.client.settings, 'AccessToken');
    const access = await signToken(this.keys.access, this.buildAccessClaims(signIn, lifetime));
    const withId = signIn.scopes.includes('openid');
    return {
      ...(withId ? { id_token: await signToken(this.keys.id, this.buildIdClaims(signIn, access)) } : {}),
      access_token: access,
      expires_in: lifetime,
      token_type: 'Bearer',
    };
  }

  /** The claims of a valid access token of this pool, or undefined. */
  verifyAccessToken(token: string): AccessClaims | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || parseJson(header)?.kid !== this.keys.access.kid || parseJson(header)?.alg !== 'RS256')
      return undefined;
    const isGenuine = verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${payload}`),
      this.keys.access.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const claims = isGenuine ? (parseJson(payload) as AccessClaims | undefined) : undefined;
    if (claims?.token_use !== 'access' || claims.iss !== this.pool.issuer) return undefined;
    return claims.exp > this.nowSeconds() ? claims : undefined;
  }

  private buildAccessClaims(signIn: SignIn, lifetime: number): Record<string, unknown> {
    const { user, client, groups, scopes, grantId, authTimeSeconds } = signIn;
    const now = this.nowSeconds();
    return {
      sub: user.sub,
      ...(groups.length > 0 ? { 'cognito:groups': groups } : {}),
      iss: this.pool.issuer,
      version: 2,
      client_id: client.clientId,
      origin_jti: toOriginJti(grantId),
      event_id: toUuid(`event/${grantId}`),
      token_use: 'access',
      scope: scopes.join(' '),
      auth_time: authTimeSeconds,
      exp: now + lifetime,
      iat: now,
      jti: randomUUID(),
      username: user.username,
    };
  }

  private buildIdClaims(signIn: SignIn, accessToken: string): Record<string, unknown> {
    const { user, client, groups, identities, grantId, authTimeSeconds, nonce } = signIn;
    const now = this.nowSeconds();
    return {
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      sub: user.sub,
      ...(groups.length > 0 ? { 'cognito:groups': groups } : {}),
      ...(identities.length > 0 ? { identities: identities.map(toIdentityClaim) } : {}),
      ...toClaims(selectVisibleAttributes(signIn)),
      iss: this.pool.issuer,
      'cognito:username': user.username,
      ...(nonce === undefined ? {} : { nonce }),
      origin_jti: toOriginJti(grantId),
      aud: client.clientId,
      event_id: toUuid(`event/${grantId}`),
      token_use: 'id',
      auth_time: authTimeSeconds,
      exp: now + getLifetimeSeconds(client.settings, 'IdToken'),
      iat: now,
      jti: randomUUID(),
    };
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

/**
 * Selects the attributes for a token. With openid alone, Cognito includes all attributes. The scopes email and phone limit
 * them to their own attributes, unless profile is granted too.
 */
export function selectVisibleAttributes({ user, scopes }: Pick<SignIn, 'user' | 'scopes'>): Record<string, string> {
  const isLimited = !scopes.includes('profile') && (scopes.includes('email') || scopes.includes('phone'));
  return Object.fromEntries(
    Object.entries(user.attributes).filter(([name]) => {
      if (!isLimited) return true;
      return name.startsWith('email')
        ? scopes.includes('email')
        : name.startsWith('phone_number') && scopes.includes('phone');
    }),
  );
}

function toIdentityClaim({ provider, subject }: SignIn['identities'][number]): object {
  return { providerName: provider, userId: subject, primary: 'false' };
}

export function toOriginJti(grantId: string): string {
  return toUuid(`origin/${grantId}`);
}

/** Cognito stores attributes as text but writes these two into tokens as booleans. */
function toClaims(attributes: Record<string, string>): Record<string, unknown> {
  const claims: Record<string, unknown> = { ...attributes };
  for (const name of ['email_verified', 'phone_number_verified']) {
    if (name in claims) claims[name] = claims[name] === 'true';
  }
  return claims;
}

function signToken(key: SigningKey, claims: Record<string, unknown>): Promise<string> {
  const header = { kid: key.kid, alg: 'RS256' };
  const body = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return new Promise((resolve, reject) => {
    sign('RSA-SHA256', Buffer.from(body), key.privateKey, (error, signature) =>
      error ? reject(error) : resolve(`${body}.${signature.toString('base64url')}`),
    );
  });
}

function parseJson(part: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
