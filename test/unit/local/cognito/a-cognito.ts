// A started Cognito around a small template, behind a real HTTP server, with a browser that keeps cookies.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Input } from '../../../../local/aws/service.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { installShiftedDate } from '../../../../local/clock/shifted-date.ts';
import { type Cognito, createCognito } from '../../../../local/cognito/cognito.ts';
import { resourceTypes } from '../../../../local/cognito/resource-types.ts';
import { TrustedProxies } from '../../../../local/forwarded-headers.ts';
import { createJsonLog } from '../../../../local/log.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import type { Properties, Resource, StackEnvironment } from '../../../../local/template/resource-type.ts';

const realDate = Date;

export interface RunningCognito {
  cognito: Cognito;
  clock: Clock;
  url: string;
  poolId: string;
  machine: string;
  web: string;
  callback: string;
  lines: Record<string, unknown>[];
  /** Events on the event bus. */
  published: Input[];
  /** Events that triggers were invoked with. */
  invoked: Input[];
  /** Triggers that fail. */
  failing: Set<string>;
  /** Calls the API as the operator. */
  call(operation: string, input?: Input): Promise<Input>;
  /** Creates a person with a password, in these groups. */
  person(email: string, password: string, groups?: string[]): Promise<void>;
  /** Restarts on the same data folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const password = 'Correct-Horse-1';

export async function aCognito(
  change: (resources: Record<string, [string, Properties]>) => void = () => {},
): Promise<RunningCognito> {
  const folder = mkdtempSync(join(tmpdir(), 'cognito-'));
  const clock = new Clock();
  installShiftedDate(clock.shared);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    stackName: 'service',
    region: 'eu-west-1',
    accountId: '111122223333',
    publicUrl: url,
    awsUrl: url,
  };
  const lines: Record<string, unknown>[] = [];
  const log = createJsonLog((line) => lines.push(JSON.parse(line)));
  const published: Input[] = [];
  const publish = async (event: Input) => void published.push(event);
  const invoked: Input[] = [];
  const failing = new Set<string>();
  const invoke = async (_arn: string, payload: Input) => {
    invoked.push(payload);
    if (!failing.has(payload.triggerSource)) return { payload };
    return { payload: { errorMessage: 'not today' }, functionError: 'Unhandled' as const };
  };
  const callback = `${url}/callback`;
  const template = aTemplate(environment, callback);
  change(template);
  const resources = resolve(template, environment);
  let storage = new Storage(folder);
  let cognito = await startCognito(storage).catch(async (error) => {
    storage.close();
    rmSync(folder, { recursive: true });
    await closeServer(server);
    throw error;
  });
  server.on('request', (request, response) => {
    cognito.handle(request, response).then((done) => done || response.writeHead(404).end('not cognito'));
  });
  const id = (logicalId: string) => resources.find((resource) => resource.logicalId === logicalId)?.physicalId ?? '';
  const call = (operation: string, input: Input = {}) =>
    cognito.service.call(operation, { UserPoolId: id('People'), ...input }, () => {});

  return {
    get cognito() {
      return cognito;
    },
    clock,
    url,
    poolId: id('People'),
    machine: id('Machine'),
    web: id('Web'),
    callback,
    lines,
    published,
    invoked,
    failing,
    call,
    async person(email, secret, groups = []) {
      await call('AdminCreateUser', { Username: email, MessageAction: 'SUPPRESS' });
      await call('AdminSetUserPassword', { Username: email, Password: secret, Permanent: true });
      for (const GroupName of groups) await call('AdminAddUserToGroup', { Username: email, GroupName });
    },
    async restart() {
      await cognito.stop();
      storage.close();
      storage = new Storage(folder);
      cognito = await startCognito(storage);
    },
    async stop() {
      await closeServer(server);
      await cognito.stop();
      clock.stop();
      storage.close();
      rmSync(folder, { recursive: true });
      globalThis.Date = realDate;
    },
  };

  async function startCognito(open: Storage): Promise<Cognito> {
    const made = createCognito({
      storage: open,
      clock,
      environment,
      log,
      invoke,
      publish,
      proxies: new TrustedProxies(),
    });
    made.load(resources);
    await made.start();
    return made;
  }
}

function aTemplate(environment: StackEnvironment, callback: string): Record<string, [string, Properties]> {
  const UserPoolId = resourceTypes['AWS::Cognito::UserPool']!.ref('People', {}, environment);
  return {
    People: [
      'UserPool',
      {
        UserPoolName: 'Service Desk',
        UsernameAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: false },
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        Schema: [{ Name: 'team', AttributeDataType: 'String', Mutable: true }],
      },
    ],
    Domain: ['UserPoolDomain', { Domain: 'service-desk', UserPoolId }],
    Scopes: [
      'UserPoolResourceServer',
      {
        Identifier: 'itsm',
        Name: 'itsm',
        UserPoolId,
        Scopes: [{ ScopeName: 'viewer' }, { ScopeName: 'agent' }, { ScopeName: 'admin' }],
      },
    ],
    Viewers: ['UserPoolGroup', { GroupName: 'viewer', UserPoolId, Precedence: 2 }],
    Agents: ['UserPoolGroup', { GroupName: 'agent', UserPoolId, Precedence: 1 }],
    Machine: [
      'UserPoolClient',
      {
        UserPoolId,
        ClientName: 'machine',
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['itsm/viewer', 'itsm/agent'],
      },
    ],
    Web: [
      'UserPoolClient',
      {
        UserPoolId,
        ClientName: 'console',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid', 'email', 'profile', 'itsm/viewer'],
        CallbackURLs: [callback],
        LogoutURLs: [`${environment.publicUrl}/bye`],
        SupportedIdentityProviders: ['COGNITO'],
      },
    ],
  };
}

function resolve(template: Record<string, [string, Properties]>, environment: StackEnvironment): Resource[] {
  return Object.entries(template).map(([logicalId, [type, properties]]) => {
    const resourceType = resourceTypes[`AWS::Cognito::${type}`]!;
    return {
      logicalId,
      type: `AWS::Cognito::${type}`,
      properties,
      physicalId: resourceType.ref(logicalId, properties, environment),
      attributes: resourceType.attributes?.(logicalId, properties, environment) ?? {},
      metadata: {},
    };
  });
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Follows redirects by hand and keeps cookies by path, as a browser does. */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  async fetch(url: string, options: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
    const response = await fetch(url, { ...options, redirect: 'manual', headers: { ...options.headers, cookie } });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** Follows redirects until a page, or an address outside of this server. */
  async follow(url: string, options: RequestInit = {}): Promise<{ url: string; response: Response }> {
    let at = url;
    let response = await this.fetch(at, options);
    for (let hop = 0; hop < 10; hop++) {
      const location = response.headers.get('location');
      if (location === null) return { url: at, response };
      at = new URL(location, at).href;
      if (!/^\/(login|oauth2|logout)/.test(new URL(at).pathname)) return { url: at, response };
      response = await this.fetch(at);
    }
    throw new Error('too many redirects');
  }

  /** Fills in the form of a page and sends it. */
  async submit(
    page: { url: string; html: string },
    fields: Record<string, string>,
  ): Promise<{ url: string; response: Response }> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.html)?.[1];
    if (action === undefined) throw new Error(`no form in ${page.html}`);
    const hidden = [...page.html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]): [string, string] => [name!, value!],
    );
    return this.follow(new URL(action, page.url).href, {
      method: 'POST',
      body: new URLSearchParams([...hidden, ...Object.entries(fields)]),
    });
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((text) => text.startsWith('path='))?.slice(5) ?? '/';
    const key = `${name} ${path}`;
    if (value === '') this.cookies.delete(key);
    else this.cookies.set(key, { value, path });
  }
}

export interface Pkce {
  verifier: string;
  challenge: string;
}

export function aPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizeUrl(running: RunningCognito, pkce: Pkce, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: running.web,
    redirect_uri: running.callback,
    scope: 'openid email itsm/viewer',
    state: 'abc',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...more,
  });
  return `${running.url}/oauth2/authorize?${query}`;
}

/** Signs a person in through the login page and returns the final address, which contains the code. */
export async function signIn(
  running: RunningCognito,
  browser: Browser,
  pkce: Pkce,
  email: string,
  more: Record<string, string> = {},
): Promise<URL> {
  const login = await browser.follow(authorizeUrl(running, pkce, more));
  const page = { url: login.url, html: await login.response.text() };
  const { url } = await browser.submit(page, { username: email, password });
  return new URL(url);
}

export async function postForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as Input),
  };
}

export function exchangeCode(
  running: RunningCognito,
  code: string | null,
  pkce: Pkce,
  more: Record<string, string> = {},
) {
  return postForm(`${running.url}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: running.web,
    redirect_uri: running.callback,
    code: code ?? '',
    code_verifier: pkce.verifier,
    ...more,
  });
}

export function parseClaims(token: string): Input {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'));
}
