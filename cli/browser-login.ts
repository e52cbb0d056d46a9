import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createEnvironment } from '../client/environment.ts';
import { exchange } from '../client/exchange.ts';
import { createTokenEndpoint, requestTokens, ServiceProblem } from '../client/index.ts';
import { parseSignInError, toProblem } from '../client/problem.ts';
import { toSavedSession } from './session.ts';
import type { Settings } from './settings.ts';

// Signs a person in with the browser: authorization code with PKCE, received on a loopback address (RFC 8252). The program
// never sees the password. Cognito compares redirect addresses exactly, so the installation registers a few ports and lists
// them in its public configuration (docs/decisions/0067-sdk-and-command-line.md).

export interface BrowserLogin {
  baseUrl: string;
  /** Shows the sign-in page to the person. */
  show(page: string): void;
  /** Where the person may paste the last address of a browser that runs on another machine. */
  pasted?: Readable | undefined;
  signal: AbortSignal;
}

interface LoginConfig {
  authUrl: string;
  clientId: string;
  redirectUris: readonly string[];
  /** The identity provider of the company, if people must use it. */
  provider: string | undefined;
}

const maxWaitMs = 5 * 60_000;
const configTimeoutMs = 10_000;

export async function signInWithBrowser({ baseUrl, show, pasted, signal }: BrowserLogin): Promise<Settings> {
  const { authUrl, clientId, redirectUris, provider } = await loadConfig(baseUrl, signal);
  const { server, redirectUri } = await listen(redirectUris);
  try {
    const [state, verifier] = [createSecret(), createSecret()];
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(provider && { identity_provider: provider }),
    });
    const code = waitForCode(server, state, pasted, signal);
    show(`${authUrl}/oauth2/authorize?${query}`);
    const form = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: await code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const tokens = await requestTokens(form, 'once', createTokenEndpoint(authUrl));
    return { baseUrl, authUrl, session: toSavedSession(clientId, tokens) };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The console's public configuration names the sign-in page and the app client of the command line. */
async function loadConfig(baseUrl: string, signal: AbortSignal): Promise<LoginConfig> {
  const url = new URL('/console/config.json', baseUrl).href;
  const request = { method: 'GET', url, headers: { accept: 'application/json' } };
  const { status, headers, text } = await exchange(
    request,
    { timeoutMs: configTimeoutMs, signal },
    createEnvironment(),
  );
  if (status !== 200) throw toProblem(status, headers, text);
  const config = parseConfig(text);
  if (config) return config;
  throw new Error(`${url} has no sign-in for the command line. Use itsm login --key <key> instead.`);
}

function parseConfig(text: string): LoginConfig | undefined {
  try {
    const { auth_url, command_line_client_id, command_line_redirect_uris, ...sso } = JSON.parse(text);
    const redirectUris = String(command_line_redirect_uris ?? '')
      .split(' ')
      .filter(isLoopback);
    const isComplete = URL.canParse(auth_url) && typeof command_line_client_id === 'string' && redirectUris.length > 0;
    const provider = sso.local_passwords === 'hidden' ? sso.identity_provider || undefined : undefined;
    return isComplete ? { authUrl: auth_url, clientId: command_line_client_id, redirectUris, provider } : undefined;
  } catch {
    return undefined;
  }
}

/** The code must not leave this machine. */
function isLoopback(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).protocol === 'http:' && new URL(uri).hostname === '127.0.0.1';
}

async function listen(redirectUris: readonly string[]): Promise<{ server: Server; redirectUri: string }> {
  for (const redirectUri of redirectUris) {
    const { hostname, port } = new URL(redirectUri);
    const server = createServer().listen({ host: hostname, port: Number(port), exclusive: true });
    try {
      await once(server, 'listening');
      return { server, redirectUri };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  const ports = redirectUris.map((uri) => new URL(uri).port).join(', ');
  throw new Error(`The ports ${ports} are in use. Free one, or use itsm login --key <key>.`);
}

/** Only the response to our own request, which has our state, ends the wait. */
async function waitForCode(
  server: Server,
  state: string,
  pasted: Readable | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const lines = pasted && createInterface({ input: pasted, terminal: false });
  const timeout = AbortSignal.timeout(maxWaitMs);
  const stop = AbortSignal.any([signal, timeout]);
  try {
    return await new Promise<string>((resolve, reject) => {
      const receive = (address: string): boolean => {
        const query = URL.canParse(address) ? new URL(address).searchParams : new URLSearchParams();
        if (query.get('state') !== state) return false;
        const code = query.get('code');
        if (code) resolve(code);
        else reject(toSignInProblem(query));
        return true;
      };
      server.on('request', (request, response) => {
        const isOurs = request.method === 'GET' && receive(`http://127.0.0.1:${port}${request.url}`);
        const headers = {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          connection: 'close',
        };
        response.writeHead(isOurs ? 200 : 400, headers);
        response.end(
          isOurs ? 'Return to the terminal. You can close this window.' : 'This is not the expected sign-in.',
        );
      });
      lines?.on('line', (line) => receive(line.trim()));
      stop.addEventListener('abort', () => reject(timeout.aborted ? createTimeout() : signal.reason), { once: true });
    });
  } finally {
    lines?.close();
  }
}

function toSignInProblem(query: URLSearchParams): ServiceProblem {
  const code = query.get('error') ?? 'unknown_error';
  const detail = parseSignInError(query.get('error_description')) ?? `The sign-in page returned ${code}.`;
  return new ServiceProblem({ status: 401, code, title: 'Could not sign in', detail });
}

function createTimeout(): Error {
  return new Error(`Nobody signed in within ${maxWaitMs / 60_000} minutes. Run itsm login again.`);
}

/** 256 random bits. */
function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
