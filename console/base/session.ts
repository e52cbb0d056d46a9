import {
  createTokenEndpoint,
  requestTokens,
  revokeRefreshToken,
  ServiceProblem,
  type TokenSet,
} from '../../client/index.ts';
import { parseSignInError } from '../../client/problem.ts';
import type { Config } from './config.ts';
import { currentAddress, replaceLocation, toUrl } from './router.ts';
import { createStore, type Store } from './store.ts';

// The session of the signed-in user. All tabs share the tokens in local storage (docs/decisions/0080-console.md): a new
// tab is signed in, and signing out ends every tab.

export type SessionState =
  | { status: 'signed_out'; problem?: unknown }
  | { status: 'signed_in'; accessToken: string; renewAt: number };

export interface Session {
  readonly state: Store<SessionState>;
  /** At the hosted login, which offers everything, or at the identity provider of the company. */
  signIn(how?: SignInWay): Promise<void>;
  signOut(): Promise<void>;
  /** Returns a valid token, other than `rejected`, which the service did not accept. */
  accessToken(context?: { rejected?: string }): Promise<string>;
}

/** `default`: as the installation prefers. */
export type SignInWay = 'default' | 'provider' | 'password';

interface StoredTokens extends TokenSet {
  renew_at: number;
}

interface PendingSignIn {
  state: string;
  verifier: string;
  return_to: string;
}

const tokensKey = 'console.tokens';
const pendingKey = 'console.sign-in';
/** Set while the user stays signed out on purpose. */
const leftKey = 'console.signed-out';
const maxMarginMs = 60_000;
const revocationTimeoutMs = 3_000;

/** Completes a sign-in that returns from the hosted login, or resumes the session of this tab. */
export async function openSession(config: Config): Promise<Session> {
  const session = createSession(config);
  const query = new URLSearchParams(window.location.search);
  const isReturning = query.has('code') || query.has('error');
  if (isReturning) await finishSignIn(session, query, config);
  // Without a session there is nothing to show: the hosted login comes next. A failed sign-in is shown first.
  const hasLeft = sessionStorage.getItem(leftKey) !== null;
  if (!isReturning && !hasLeft && session.state.get().status === 'signed_out') {
    await session.signIn();
    await new Promise(() => {});
  }
  return session;
}

interface SessionWithTokens extends Session {
  keep(tokens: TokenSet): string;
  /** Shows why a sign-in failed. An existing session stays: any site can open the console with a made-up code. */
  fail(problem: unknown): void;
}

function createSession(config: Config): SessionWithTokens {
  const state = createStore<SessionState>(toSessionState(read<StoredTokens>(tokensKey)));
  let renewal: Promise<string> | undefined;

  const keep = (tokens: TokenSet): string => {
    const lifeMs = tokens.expires_in * 1000;
    const stored = { ...tokens, renew_at: Date.now() + lifeMs - Math.min(maxMarginMs, lifeMs / 10) };
    localStorage.setItem(tokensKey, JSON.stringify(stored));
    state.set(toSessionState(stored));
    return stored.access_token;
  };
  const end = (problem?: unknown) => {
    localStorage.removeItem(tokensKey);
    state.set({ status: 'signed_out', problem });
  };
  const fail = (problem: unknown) => {
    if (state.get().status === 'signed_out') state.set({ status: 'signed_out', problem });
  };
  const renew = (): Promise<string> => {
    renewal ??= navigator.locks
      .request('console.renewal', () => renewOnce(config, state, keep))
      .catch(async (error: unknown) => {
        if (!isRejected(error)) throw error;
        if (isFederated(read<StoredTokens>(tokensKey))) return renewWithProvider(config, state);
        const problem = signedOut();
        end(problem);
        throw problem;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
  const accessToken = async ({ rejected }: { rejected?: string } = {}): Promise<string> => {
    const current = state.get();
    if (current.status === 'signed_out') throw signedOut();
    const lasts = Date.now() < current.renewAt;
    return lasts && current.accessToken !== rejected ? current.accessToken : renew();
  };
  renewInTime(state, accessToken);
  window.addEventListener('storage', ({ key }) => {
    if (key === tokensKey || key === null) state.set(toSessionState(read<StoredTokens>(tokensKey)));
  });

  return {
    state,
    keep,
    fail,
    accessToken,
    signIn: (how) => startSignIn(config, how),
    signOut: () => leave(config, end),
  };
}

/** Renews the token before it expires. The next request reports a failure. */
function renewInTime(state: Store<SessionState>, accessToken: () => Promise<string>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    const current = state.get();
    if (current.status === 'signed_out') return;
    timer = setTimeout(() => accessToken().catch(() => {}), Math.max(0, current.renewAt - Date.now()));
  };
  state.subscribe(plan);
  plan();
}

async function startSignIn(config: Config, how: SignInWay = 'default'): Promise<void> {
  const { verifier, challenge } = await createPkce();
  const pending: PendingSignIn = { state: randomText(), verifier, return_to: currentAddress() };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  sessionStorage.removeItem(leftKey);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: config.client_id,
    redirect_uri: toUrl(),
    scope: 'openid email profile',
    state: pending.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const { identity_provider: provider, local_passwords } = config;
  const isHidden = local_passwords === 'hidden' && !new URLSearchParams(window.location.search).has('password');
  if (provider && (how === 'provider' || (how === 'default' && isHidden))) query.set('identity_provider', provider);
  // Ends the session of the hosted login first, which would spare the question to the provider.
  const endpoint = how === 'provider' ? 'logout' : 'oauth2/authorize';
  window.location.assign(`${config.auth_url}/${endpoint}?${query}`);
}

/**
 * The identity provider must confirm the person. The browser goes there and comes back to the same page; a hidden tab
 * waits, because another one may do it.
 */
async function renewWithProvider(config: Config, state: Store<SessionState>): Promise<string> {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  const before = state.get();
  const stored = read<StoredTokens>(tokensKey);
  const isNewer = stored && before.status === 'signed_in' && stored.access_token !== before.accessToken;
  if (isNewer && Date.now() < stored.renew_at) {
    state.set(toSessionState(stored));
    return stored.access_token;
  }
  await startSignIn(config, 'provider');
  return new Promise(() => {});
}

/** Cognito names the external identities of a person in the ID token. */
function isFederated(tokens: StoredTokens | undefined): boolean {
  const [, payload = ''] = tokens?.id_token?.split('.') ?? [];
  try {
    return 'identities' in JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return false;
  }
}

/** The code works once, so it is removed from the address first. */
async function finishSignIn(session: SessionWithTokens, query: URLSearchParams, config: Config): Promise<void> {
  const pending = read<PendingSignIn>(pendingKey);
  const isOwn = pending !== undefined && query.get('state') === pending.state;
  replaceLocation(isOwn ? pending.return_to : '/');
  if (!isOwn) return session.fail(createStateMismatch());
  sessionStorage.removeItem(pendingKey);
  try {
    if (query.has('error')) throw createSignInProblem(query);
    const form = {
      grant_type: 'authorization_code',
      client_id: config.client_id,
      code: query.get('code') ?? '',
      redirect_uri: toUrl(),
      code_verifier: pending.verifier,
    };
    session.keep(await requestTokens(form, 'once', createTokenEndpoint(config.auth_url)));
  } catch (error) {
    session.fail(error);
  }
}

/** Tabs renew one after the other; the second finds the tokens of the first. */
async function renewOnce(
  config: Config,
  state: Store<SessionState>,
  keep: (tokens: TokenSet) => string,
): Promise<string> {
  const current = state.get();
  const stored = read<StoredTokens>(tokensKey);
  const isNewer = stored && current.status === 'signed_in' && stored.access_token !== current.accessToken;
  if (isNewer && Date.now() < stored.renew_at) {
    state.set(toSessionState(stored));
    return stored.access_token;
  }
  return keep(await renewTokens(config));
}

/** The identity provider may omit the refresh token; then the old one stays valid. */
async function renewTokens(config: Config): Promise<TokenSet> {
  const refreshToken = read<StoredTokens>(tokensKey)?.refresh_token;
  if (!refreshToken) throw signedOut();
  const form = { grant_type: 'refresh_token', client_id: config.client_id, refresh_token: refreshToken };
  const tokens = await requestTokens(form, 'idempotent', createTokenEndpoint(config.auth_url));
  return { refresh_token: refreshToken, ...tokens };
}

/** Revokes the session. The user is signed out here even if that fails. */
async function leave(config: Config, end: () => void): Promise<void> {
  const refreshToken = read<StoredTokens>(tokensKey)?.refresh_token;
  if (refreshToken) {
    const endpoint = createTokenEndpoint(config.auth_url, { timeoutMs: revocationTimeoutMs });
    await revokeRefreshToken({ clientId: config.client_id, refreshToken }, endpoint).catch(() => {});
  }
  sessionStorage.setItem(leftKey, 'true');
  end();
  const query = new URLSearchParams({ client_id: config.client_id, logout_uri: toUrl() });
  window.location.assign(`${config.auth_url}/logout?${query}`);
}

function toSessionState(tokens: StoredTokens | undefined): SessionState {
  if (!tokens) return { status: 'signed_out' };
  return { status: 'signed_in', accessToken: tokens.access_token, renewAt: tokens.renew_at };
}

function read<T>(key: string): T | undefined {
  const text = (key === tokensKey ? localStorage : sessionStorage).getItem(key);
  return text === null ? undefined : (JSON.parse(text) as T);
}

/** A rejection ends the session; a network failure does not. */
function isRejected(error: unknown): boolean {
  return error instanceof ServiceProblem && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function signedOut(): ServiceProblem {
  const detail = 'Sign in again to continue.';
  return new ServiceProblem({ status: 401, code: 'signed_out', title: 'Your session has ended', detail });
}

function createStateMismatch(): ServiceProblem {
  const detail = 'This sign-in was started in another tab. Try again.';
  return new ServiceProblem({
    status: 400,
    code: 'state_mismatch',
    title: 'Could not sign in',
    detail,
  });
}

function createSignInProblem(query: URLSearchParams): ServiceProblem {
  const code = query.get('error') ?? 'unknown_error';
  const detail = parseSignInError(query.get('error_description')) ?? `The sign-in page returned ${code}.`;
  return new ServiceProblem({ status: 400, code, title: 'Could not sign in', detail });
}

/** Proof that whoever redeems the sign-in code is the page that asked for it (RFC 7636, S256). */
export interface Pkce {
  verifier: string;
  challenge: string;
}

export async function createPkce(): Promise<Pkce> {
  if (!globalThis.crypto?.subtle) throw new Error('Signing in requires HTTPS (or HTTP on localhost).');
  const verifier = randomText();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)) };
}

/** 256 random bits. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
