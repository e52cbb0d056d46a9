// People sign in as in a browser: authorize, the login form, the code, the token.
import { createHash, randomBytes } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { getToken, requestToken } from './http.ts';
import type { Service } from './service.ts';

export interface Person {
  email: string;
  password: string;
}

/** A person, without any role unless one is given. */
export async function createPerson(service: Service, email: string, role?: string): Promise<Person> {
  const person = { email, password: 'Some-long-Passw0rd!' };
  await administer(service, async (client, UserPoolId) => {
    const target = { UserPoolId, Username: email };
    const attributes = [{ Name: 'email', Value: email }];
    await client.send(new AdminCreateUserCommand({ ...target, UserAttributes: attributes, MessageAction: 'SUPPRESS' }));
    await client.send(new AdminSetUserPasswordCommand({ ...target, Password: person.password, Permanent: true }));
    if (role) await client.send(new AdminAddUserToGroupCommand({ ...target, GroupName: role }));
  });
  return person;
}

/** Replaces a person's role. */
export async function replaceRole(service: Service, Username: string, before: string, after?: string): Promise<void> {
  await administer(service, async (client, UserPoolId) => {
    await client.send(new AdminRemoveUserFromGroupCommand({ UserPoolId, Username, GroupName: before }));
    if (after) await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: after }));
  });
}

/** Calls the user pool as the operator. */
export async function administer(
  service: Service,
  work: (client: CognitoIdentityProviderClient, userPoolId: string) => Promise<void>,
): Promise<void> {
  const client = new CognitoIdentityProviderClient({
    endpoint: service.awsUrl,
    region: 'us-east-1',
    credentials: service.awsCredentials,
  });
  await work(client, await findUserPoolId(service));
  client.destroy();
}

export async function signIn(
  service: Service,
  person: Person,
  kind: 'access_token' | 'id_token' = 'access_token',
): Promise<string> {
  return (await getTokens(service, person))[kind]!;
}

/** Exchanges a person's code at the token endpoint. */
export function getTokens(service: Service, person: Person): Promise<Record<string, string>> {
  return redeemCode(service, { scope: 'openid email' }, (page, stopAt) => submitSignIn(page, person, stopAt));
}

/** Signs in the person that the company's identity provider knows. */
export function getFederatedTokens(service: Service, identityProvider: string): Promise<Record<string, string>> {
  const query = { scope: 'openid email profile', identity_provider: identityProvider };
  return redeemCode(service, query, (page, stopAt) => new Browser().open(page, undefined, stopAt));
}

async function redeemCode(
  service: Service,
  given: Record<string, string>,
  authorize: (page: string, stopAt: string) => Promise<{ url: string }>,
): Promise<Record<string, string>> {
  const { client_id } = await consoleConfig(service);
  const redirectUri = `${service.baseUrl}/console/`;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...given,
  });
  const landed = await authorize(`${service.authUrl}/oauth2/authorize?${query}`, redirectUri);
  const code = new URL(landed.url).searchParams.get('code');
  if (!code) throw new Error(`signing in ended at ${landed.url}`);
  const grant = {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return (await requestToken(service, grant)).body;
}

/** Signs in at an authorization page and follows its redirects up to an address that starts with `stopAt`. */
export async function submitSignIn(
  page: string,
  { email, password }: Person,
  stopAt?: string,
): Promise<{ url: string; text: string }> {
  const browser = new Browser();
  const form = await browser.open(page);
  const fields = { username: email, password, _csrf: /name="_csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '' };
  const action = new URL(/<form method="post" action="([^"]+)"/.exec(form.text)?.[1] ?? '', form.url).href;
  return browser.open(action, fields, stopAt);
}

export async function consoleConfig(service: Service): Promise<{ client_id: string }> {
  return (await (await fetch(`${service.baseUrl}/console/config.json`)).json()) as { client_id: string };
}

export async function findUserPoolId(service: Service): Promise<string> {
  const claims = (await getToken(service, 'viewer')).split('.')[1]!;
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).iss.split('/').pop();
}

const maxRedirects = 12;

/** Follows redirects and keeps cookies; stops at an address that belongs to the application. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>, stopAt?: string): Promise<{ url: string; text: string }> {
    let method = form ? 'POST' : 'GET';
    let next = url;
    for (let hop = 0; hop < maxRedirects; hop++) {
      if (stopAt && next.startsWith(stopAt)) return { url: next, text: '' };
      const headers = { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
      const body = method === 'POST' ? { body: new URLSearchParams(form) } : {};
      const response = await fetch(next, { method, headers, redirect: 'manual', ...body });
      for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
      const location = response.headers.get('location');
      if (!location) return { url: next, text: await response.text() };
      next = new URL(location, next).href;
      method = 'GET';
    }
    throw new Error(`more than ${maxRedirects} redirects from ${url}`);
  }

  private keep(cookie: string): void {
    const [pair] = cookie.split(';');
    const mark = pair!.indexOf('=');
    this.cookies.set(pair!.slice(0, mark), pair!.slice(mark + 1));
  }
}
