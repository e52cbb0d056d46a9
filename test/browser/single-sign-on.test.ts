import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminDisableUserCommand, AdminUpdateUserAttributesCommand } from '@aws-sdk/client-cognito-identity-provider';
import type { Browser, Page } from 'playwright-core';
import { createCertificate } from '../support/certificates.ts';
import { expectProblem, requestToken } from '../support/http.ts';
import { createApi, getApi } from '../support/incidents.ts';
import { type Employee, type OpenIdCompany, startOpenIdCompany } from '../support/openid-company.ts';
import {
  administer,
  consoleConfig,
  createPerson,
  getFederatedTokens,
  getTokens,
  Browser as HttpBrowser,
} from '../support/people.ts';
import { findFreePort } from '../support/receivers.ts';
import { type SamlCompany, startSamlCompany } from '../support/saml-company.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';
import { signIn } from './in-console.ts';

const executable = findChromium();
const folder = mkdtempSync(join(tmpdir(), 'single-sign-on-'));
let browser: Browser | undefined;

beforeAll(async () => {
  if (executable) browser = await launchChromium(executable);
  else reportMissingChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the console with a new browser profile. Undefined without Chromium. */
async function visit(service: Service, path = ''): Promise<Page | undefined> {
  const page = await browser?.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  page?.setDefaultTimeout(120_000);
  await page?.goto(`${service.baseUrl}/console/${path}`);
  return page;
}

const isSignedIn = (page: Page) => page.getByRole('button', { name: 'Account' }).waitFor();

describe('an OpenID provider', () => {
  let service: Service;
  let company: OpenIdCompany;

  beforeAll(async () => {
    const [port, companyPort] = [await findFreePort(), await findFreePort()];
    company = await startOpenIdCompany(companyPort, `http://localhost:${port}/oauth2/idpresponse`);
    service = await startService({
      environment: {
        PORT: String(port),
        OIDC_ISSUER: company.issuer,
        OIDC_CLIENT_ID: company.clientId,
        OIDC_CLIENT_SECRET: company.clientSecret,
        SSO_NAME: 'Acme',
        ROLE_MAPPING: '{"sre-leads":"itsm_manager","desk":"itsm_agent","owners":"super_admin"}',
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await company?.stop();
  });

  const employ = (name: string, more: Partial<Employee> = {}): Employee => {
    const email = `${name}@acme.org`;
    company.employee = { sub: `id-of-${name}`, email, email_verified: true, name, groups: ['sre-leads'], ...more };
    return company.employee;
  };
  const getRoles = async (token: string) => (await createApi(service, token).get('/me')).body.roles;
  const listAudit = async (query: string) =>
    (await (await getApi(service, 'admin')).get(`/audit?${query}`)).body.data as {
      type: string;
      target: string | null;
      details: Record<string, unknown>;
    }[];

  it('offers the provider first, signs in with the role of a group, and takes it away after the group is left', async () => {
    const employee = employ('ada');
    const page = await visit(service);
    if (!page) return;
    const choices = page.locator('a.button, button');
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    expect(await choices.allTextContents()).toEqual(['Sign in with Acme', 'Sign in']);
    await choices.first().click();
    await isSignedIn(page);
    const readRoles = async () => {
      const stored: string = await page.evaluate('localStorage["console.tokens"]');
      return getRoles(JSON.parse(stored).access_token);
    };
    expect(await readRoles()).toEqual(['itsm_manager']);
    employee.groups = ['desk'];
    await service.advance('5m1s', []);
    const renewed = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'));
    await page.reload();
    await renewed;
    await isSignedIn(page);
    expect(await readRoles()).toEqual(['itsm_agent']);
    expect(await listAudit('type=role.changed')).toMatchObject([
      { target: 'ada@acme.org', details: { from: ['itsm_manager'], to: ['itsm_agent'] } },
      { target: 'ada@acme.org', details: { from: [], to: ['itsm_manager'] } },
    ]);
    await page.context().close();
  });

  it('returns to the same page after the provider must be asked with a redirect', async () => {
    employ('rita');
    const page = await visit(service, 'changes?state=draft');
    if (!page) return;
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await isSignedIn(page);
    // As after a revoked access token at the provider: the refresh is rejected.
    await page.route('**/oauth2/token', (route) => {
      const isRefresh = route.request().postData()?.includes('refresh_token');
      const body = '{"error":"invalid_grant"}';
      return isRefresh ? route.fulfill({ status: 400, contentType: 'application/json', body }) : route.continue();
    });
    await service.advance('5m1s', []);
    const asked = page.waitForRequest((request) => request.url().startsWith(company.issuer));
    await page.reload();
    await asked;
    await isSignedIn(page);
    expect(page.url()).toContain('/console/changes?state=draft');
    await page.context().close();
  });

  it('rejects an unverified address with one sentence', async () => {
    employ('eve', { email_verified: false });
    const page = await visit(service);
    await page?.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page?.getByText('Acme has not verified your e-mail address eve@acme.org.').waitFor();
    expect(await page?.getByRole('button', { name: 'Sign in with Acme' }).count()).toBe(page && 1);
    await page?.context().close();
    if (!page) expect(await enter()).toMatch('has not verified');
    expect(await listAudit('type=federated_sign_in.rejected&actor=eve@acme.org')).toMatchObject([
      { details: { provider: 'Acme', reason: 'unverified_email' } },
    ]);
  });

  it('shows a clear page while the provider is down, where a local administrator signs in with a password', async () => {
    const admin = await createPerson(service, 'root@acme.org', 'super_admin');
    await company.setReachable(false);
    const page = await visit(service);
    if (page) {
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page
        .getByText('Acme cannot be reached at the moment. Try again later, or sign in with a password.')
        .waitFor();
      await page.getByLabel('E-mail address').fill(admin.email);
      await page.getByLabel('Password').fill(admin.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await isSignedIn(page);
      await page.context().close();
    }
    await company.setReachable(true);
    expect(await getRoles((await getTokens(service, admin)).access_token!)).toEqual(['super_admin']);
  });

  it('keeps open sessions for an hour while the provider is down', async () => {
    employ('otto');
    const tokens = await enterWithTokens();
    await company.setReachable(false);
    await service.advance('30m', []);
    expectProblem(await createApi(service, tokens.access_token!).get('/me'), 401, 'unauthorized');
    const renewed = await refresh(tokens.refresh_token!);
    expect(await getRoles(renewed.body.access_token!)).toEqual(['itsm_manager']);
    await service.advance('31m', []);
    expect((await refresh(tokens.refresh_token!)).body).toMatchObject({ error: 'invalid_grant' });
    await company.setReachable(true);
  });

  it('links a person who had a password by the verified address, and the groups decide from then on', async () => {
    const person = await createPerson(service, 'lena@acme.org', 'itsm_manager');
    const employee = employ('lena', { groups: ['desk'] });
    expect(await enter()).toMatch('The address of your existing account is not verified.');
    await setAttribute(person.email, 'email_verified', 'true');
    const before = await getTokens(service, person);
    const tokens = await enterWithTokens();
    expect(decode(tokens.id_token!)).toMatchObject({ sub: decode(before.id_token!).sub, name: 'lena' });
    expect(await getRoles(tokens.access_token!)).toEqual(['itsm_agent']);
    await service.advance('2m', []);
    employee.groups = [];
    const withPassword = await getTokens(service, person);
    expect(await getRoles(withPassword.access_token!)).toEqual(['viewer']);
  });

  it('follows a changed address, and never takes that of another account', async () => {
    employ('maria');
    const { sub } = decode((await enterWithTokens()).id_token!);
    employ('maria', { email: 'maria.new@acme.org' });
    expect(decode((await enterWithTokens()).id_token!)).toMatchObject({ sub, email: 'maria.new@acme.org' });
    await createPerson(service, 'taken@acme.org');
    employ('maria', { email: 'taken@acme.org' });
    expect(await enter()).toMatch('belongs to another account');
  });

  it('gives people without a mapped group the role viewer, whatever their groups are called', async () => {
    employ('vera', { groups: ['super_admin', 'constructor', '__proto__'] });
    expect(await getRoles((await enterWithTokens()).access_token!)).toEqual(['viewer']);
  });

  it('leaves local administrators and disabled people out', async () => {
    await createPerson(service, 'chief@acme.org', 'super_admin');
    await setAttribute('chief@acme.org', 'email_verified', 'true');
    employ('chief');
    expect(await enter()).toMatch('Your address belongs to a local administrator. Sign in with the password.');
    employ('chief', { groups: ['owners'] });
    expect(await getRoles((await enterWithTokens()).access_token!)).toEqual(['super_admin']);
    await administer(service, async (client, UserPoolId) => {
      await client.send(new AdminDisableUserCommand({ UserPoolId, Username: 'chief@acme.org' }));
    });
    expect(await enter()).toMatch('Your account is disabled.');
  });

  it('rejects a response that this browser did not ask for', async () => {
    const reply = await fetch(`${service.baseUrl}/oauth2/idpresponse?code=stolen&state=${'0'.repeat(48)}`);
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('has expired')]);
  });

  /** Signs in without a browser. Returns the error that the console would show, or an empty text. */
  const enter = async () => {
    const { client_id } = await consoleConfig(service);
    const redirectUri = `${service.baseUrl}/console/`;
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri: redirectUri, scope: 'openid email profile', state: 'mine' },
      ...{ code_challenge: 'a-challenge-that-nobody-redeems-'.padEnd(43, '0'), code_challenge_method: 'S256' },
      identity_provider: 'Acme',
    });
    const landed = await new HttpBrowser().open(`${service.authUrl}/oauth2/authorize?${query}`, undefined, redirectUri);
    return new URL(landed.url).searchParams.get('error_description') ?? '';
  };

  const enterWithTokens = () => getFederatedTokens(service, 'Acme');

  const refresh = async (token: string) => {
    const { client_id } = await consoleConfig(service);
    return requestToken(service, { grant_type: 'refresh_token', client_id, refresh_token: token });
  };

  const setAttribute = (email: string, Name: string, Value: string) =>
    administer(service, async (client, UserPoolId) => {
      const UserAttributes = [{ Name, Value }];
      await client.send(new AdminUpdateUserAttributesCommand({ UserPoolId, Username: email, UserAttributes }));
    });
});

describe('a SAML provider of a production server', () => {
  let service: Service;
  let company: SamlCompany;

  beforeAll(async () => {
    const nowMs = Date.now();
    const { privateKey, pem } = createCertificate('acme', new Date(nowMs - 60_000), new Date(nowMs + 86_400_000));
    company = await startSamlCompany({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert: pem });
    const metadata = join(folder, 'metadata.xml');
    writeFileSync(metadata, company.metadata);
    service = await startService({
      args: ['--production'],
      environment: {
        SAML_METADATA: metadata,
        ROLE_MAPPING: '{"itsm-desk":"itsm_agent","sre-leads":"itsm_manager"}',
        UNMAPPED_PEOPLE: 'rejected',
        LOCAL_PASSWORDS: 'hidden',
        ADMIN_EMAIL: 'root@acme.org',
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await company?.stop();
  });
  beforeEach(() => {
    Object.assign(company, { trick: 'none', changes: {} });
    company.employee = {
      id: 'employee-1',
      attributes: { mail: 'Sam@acme.org', displayName: 'Sam', groups: ['all', 'itsm-desk'] },
    };
  });

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  it('signs in at once, because passwords are hidden', async () => {
    const page = await visit(service);
    if (!page) return;
    await isSignedIn(page);
    const stored: string = await page.evaluate('localStorage["console.tokens"]');
    const me = await createApi(service, JSON.parse(stored).access_token).get('/me');
    expect(me.body).toMatchObject({ email: 'sam@acme.org', roles: ['itsm_agent'] });
    await page.context().close();
  });

  it.each([
    ['another audience', () => ({ changes: { Audience: 'urn:amazon:cognito:sp:us-east-1_other' } })],
    [
      'an expired assertion',
      () => ({
        changes: {
          ConditionsNotBefore: minutesAgo(10),
          ConditionsNotOnOrAfter: minutesAgo(5),
          SubjectConfirmationDataNotOnOrAfter: minutesAgo(5),
        },
      }),
    ],
    ['a replayed assertion', () => ({ trick: 'replayed' })],
  ])('rejects %s', async (_name, prepare) => {
    Object.assign(company, prepare());
    const page = await visit(service);
    await page?.getByText('The response of SSO was rejected. Sign in again.').waitFor();
    expect(await page?.evaluate('localStorage["console.tokens"]')).toBeUndefined();
    await page?.context().close();
  });

  it.each([
    ['another recipient', () => ({ changes: { SubjectRecipient: 'https://elsewhere.acme.org/saml2/idpresponse' } })],
    ['another issuer', () => ({ changes: { Issuer: 'https://elsewhere.acme.org/metadata' } })],
    ['the answer to another request', () => ({ changes: { InResponseTo: '_another' } })],
    ['a tampered group', () => ({ trick: 'tampered' })],
  ])('rejects %s as well', async (_name, prepare) => {
    Object.assign(company, prepare());
    expect(await enter()).toBe('The response of SSO was rejected. Sign in again.');
  });

  /** Signs in without Chromium. Returns the error that the console would show. */
  const enter = async () => {
    const { client_id } = await consoleConfig(service);
    const redirectUri = `${service.baseUrl}/console/`;
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri: redirectUri, scope: 'openid', identity_provider: 'SSO' },
      ...{ code_challenge: '0'.repeat(43), code_challenge_method: 'S256' },
    });
    const visitor = new HttpBrowser();
    const { text } = await visitor.open(`${service.authUrl}/oauth2/authorize?${query}`);
    const read = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const form = { SAMLResponse: read('SAMLResponse'), RelayState: read('RelayState') };
    const landed = await visitor.open(`${service.authUrl}/saml2/idpresponse`, form, redirectUri);
    return new URL(landed.url).searchParams.get('error_description');
  };

  it('rejects people without a mapped group', async () => {
    company.employee.attributes.groups = ['all'];
    const page = await visit(service);
    await page?.getByText('You are in no group that may use this service.').waitFor();
    await page?.context().close();
  });

  it('signs a local administrator in at ?password', async () => {
    const page = await visit(service, '?password');
    const password = /sign in as root@acme\.org with (\S+)/.exec(service.output())?.[1] ?? '';
    if (!page) return;
    await signIn(page, { email: 'root@acme.org', password });
    await page.context().close();
  });
});

function decode(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
