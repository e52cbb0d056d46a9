// A company with an OpenID provider: the package oidc-provider, which signs in the person that the test chooses.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider/lib/provider.js';

export interface Employee {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  groups: string[];
}

export interface OpenIdCompany {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Signs in next. */
  employee: Employee;
  /** Stops the provider, or starts it on the same port. */
  setReachable(isReachable: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startOpenIdCompany(port: number, redirectUri: string): Promise<OpenIdCompany> {
  const issuer = `http://localhost:${port}`;
  const client = { clientId: 'incidents', clientSecret: 'a-secret-of-the-company' };
  const employees = new Map<string, Employee>();
  const { createMemoryAdapter } = await import('oidc-provider/lib/adapters/memory_adapter.js' as string);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const hour = 3600;
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    ttl: { AccessToken: hour, AuthorizationCode: hour, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    scopes: ['openid', 'email', 'profile'],
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['only for tests'] },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => employees.get(sub) }),
    loadExistingGrant: async ({ oidc }: { oidc: { account: { accountId: string }; params: { scope: string } } }) => {
      const grant = new provider.Grant({ accountId: oidc.account.accountId, clientId: client.clientId });
      grant.addOIDCScope(oidc.params.scope);
      await grant.save();
      return grant;
    },
  });
  provider.silent = true;
  const callback = provider.callback();
  const listen = async (): Promise<Server> => {
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/sign-in/')) return void callback(request, response);
      const { sub } = company.employee;
      employees.set(sub, company.employee);
      void provider.interactionFinished(request, response, { login: { accountId: sub, remember: false } });
    }).listen(port, 'localhost');
    await once(server, 'listening');
    return server;
  };
  let server: Server | undefined = await listen();
  const company: OpenIdCompany = {
    issuer,
    ...client,
    employee: { sub: '', email: '', email_verified: false, name: '', groups: [] },
    async setReachable(isReachable) {
      if (isReachable) server ??= await listen();
      else await company.stop();
    },
    async stop() {
      server?.closeAllConnections();
      server?.close();
      server = undefined;
    },
  };
  return company;
}
