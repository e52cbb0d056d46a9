import {
  aCognito,
  aPkce,
  authorizeUrl,
  Browser,
  exchangeCode,
  password,
  type RunningCognito,
  signIn,
} from './a-cognito.ts';

const ada = 'ada@example.com';

describe('login page', () => {
  let running: RunningCognito;

  beforeAll(async () => {
    running = await aCognito();
    await running.person(ada, password);
  });
  afterAll(() => running.stop());

  async function open(browser: Browser, more: Record<string, string> = {}) {
    const login = await browser.follow(authorizeUrl(running, aPkce(), more));
    return { url: login.url, html: await login.response.text(), headers: login.response.headers };
  }

  it('names the service and labels its fields', async () => {
    const { html, headers } = await open(new Browser());
    expect(html).toContain('<title>Sign in · Service Desk</title>');
    expect(html).toContain('<h1>Sign in to Service Desk</h1>');
    expect(html).toMatch(
      /<label for="username">E-mail address<\/label>\s*<input id="username" name="username" type="email"/,
    );
    expect(html).toContain('<label for="password">Password</label>');
    expect(html).not.toContain('role="alert"');
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${running.url}`);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127)/);
  });

  it('fills in and escapes the login hint', async () => {
    const { html } = await open(new Browser(), { login_hint: '"><script>alert(1)</script>' });
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it.each([
    ['a wrong password', ada, 'wrong'],
    ['an unknown person', 'nobody@example.com', password],
  ])(
    'shows the same message for %s, keeps the user name, and allows another attempt',
    async (_name, username, secret) => {
      const browser = new Browser();
      const page = await open(browser);
      const { response } = await browser.submit(page, { username, password: secret });
      const html = await response.text();
      expect(html).toContain('<p class="alert" id="error" role="alert">Incorrect e-mail address or password.</p>');
      expect(html).toContain(`value="${username}"`);
      expect(html).toContain('<title>Error: Sign in · Service Desk</title>');
      const { url } = await browser.submit({ url: page.url, html }, { username: ` ${ada.toUpperCase()} `, password });
      expect(new URL(url).searchParams.get('code')).toEqual(expect.any(String));
    },
  );

  it('delays repeated wrong passwords', async () => {
    await running.person('target@example.com', password);
    const browser = new Browser();
    const page = await open(browser);
    const attempt = async (secret: string) => {
      const { url, response } = await browser.submit(page, { username: 'target@example.com', password: secret });
      return new URL(url).searchParams.has('code') ? 'in' : response.text();
    };
    for (let i = 0; i < 5; i++) expect(await attempt('guess')).toContain('Incorrect');
    expect(await attempt(password)).toContain('Password attempts exceeded');
    await running.clock.advance(1_000);
    expect(await attempt(password)).toBe('in');
  });

  it('accepts only its own forms', async () => {
    const browser = new Browser();
    const page = await open(browser);
    const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      browser.fetch(page.url, { method: 'POST', body: new URLSearchParams(fields), headers });
    const csrf = /name="_csrf" value="([^"]+)"/.exec(page.html)![1]!;
    expect((await post({ username: ada, password })).status).toBe(403);
    expect((await post({ username: ada, password, _csrf: 'guess' })).status).toBe(403);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await post({ username: ada, password, _csrf: csrf }, foreign)).status).toBe(403);
    expect((await post({ username: ada, password, _csrf: csrf }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ username: ada, password, _csrf: csrf }, { origin: running.url })).status).toBe(303);
  });

  it('rejects another browser and a second use', async () => {
    const browser = new Browser();
    const page = await open(browser);
    const stranger = await new Browser().fetch(page.url);
    expect(stranger.status).toBe(400);
    expect(await stranger.text()).toContain('This sign-in has expired or was already completed.');
    await browser.submit(page, { username: ada, password });
    expect((await browser.fetch(page.url)).status).toBe(400);
  });

  it('supports two concurrent sign-ins in one browser', async () => {
    const browser = new Browser();
    const first = await open(browser);
    const second = await open(browser);
    for (const page of [first, second]) {
      const { url } = await browser.submit(page, { username: ada, password });
      expect(new URL(url).searchParams.get('code')).toEqual(expect.any(String));
    }
  });

  it('is also available at /login', async () => {
    const direct = authorizeUrl(running, aPkce()).replace('/oauth2/authorize', '/login');
    const { url, response } = await new Browser().follow(direct);
    expect(new URL(url).pathname).toMatch(/^\/login\/.+/);
    expect(response.status).toBe(200);
  });

  describe('with a temporary password', () => {
    async function inviteUser(email: string) {
      await running.call('AdminCreateUser', {
        Username: email,
        TemporaryPassword: password,
        MessageAction: 'SUPPRESS',
      });
      const browser = new Browser();
      const page = await open(browser);
      const { response, url } = await browser.submit(page, { username: email, password });
      return { browser, page: { url, html: await response.text() }, login: page };
    }

    it('requires a valid new password and completes the sign-in', async () => {
      const { browser, page, login } = await inviteUser('new@example.com');
      expect(page.html).toContain('<title>Choose a password · Service Desk</title>');
      expect(page.html).toContain('At least 8 characters, with a lower-case letter');
      const retry = async (fields: Record<string, string>) => (await browser.submit(page, fields)).response.text();
      expect(await retry({ new_password: 'short', repeated_password: 'short' })).toContain('Password not long enough.');
      expect(await retry({ new_password: 'Brand-new-1', repeated_password: 'Brand-new-2' })).toContain(
        'The two passwords differ.',
      );
      const { url } = await browser.submit(page, { new_password: 'Brand-new-1', repeated_password: 'Brand-new-1' });
      expect(new URL(url).searchParams.get('code')).toEqual(expect.any(String));
      expect((await running.call('AdminGetUser', { Username: 'new@example.com' })).UserStatus).toBe('CONFIRMED');
      expect(login.url).toContain('/login/');
    });

    it('rejects a forged challenge', async () => {
      await running.person('victim@example.com', password);
      const { browser, page } = await inviteUser('other@example.com');
      const { Username: sub } = await running.call('AdminGetUser', { Username: 'victim@example.com' });
      const forged = { ...page, html: page.html.replace(/(name="challenge" value=")[^.]+/, `$1${sub}`) };
      const { response } = await browser.submit(forged, {
        new_password: 'Brand-new-1',
        repeated_password: 'Brand-new-1',
      });
      expect(await response.text()).toContain('Sign in again with your temporary password.');
    });

    it('rejects it after a week', async () => {
      await running.call('AdminCreateUser', {
        Username: 'late@example.com',
        TemporaryPassword: password,
        MessageAction: 'SUPPRESS',
      });
      await running.clock.advance(7 * 86_400_000 + 1_000);
      const browser = new Browser();
      const { response } = await browser.submit(await open(browser), { username: 'late@example.com', password });
      expect(await response.text()).toContain('Temporary password has expired');
    });
  });

  it('signs a person in with a client that has a secret, and without PKCE', async () => {
    const { UserPoolClient } = await running.call('CreateUserPoolClient', {
      ClientName: 'server side',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: [running.callback],
    });
    const pkce = aPkce();
    const client = { client_id: UserPoolClient.ClientId };
    const noPkce = { code_challenge: '', code_challenge_method: '' };
    const url = await signIn(running, new Browser(), pkce, ada, { ...client, ...noPkce, scope: 'openid' });
    const code = url.searchParams.get('code');
    expect((await exchangeCode(running, code, pkce, client)).body).toEqual({ error: 'invalid_client' });
    const secret = { client_secret: UserPoolClient.ClientSecret, code_verifier: '' };
    const answer = await exchangeCode(running, code, pkce, { ...client, ...secret });
    expect(answer.status).toBe(200);
  });
});

describe('sign-in triggers', () => {
  const functionArn = 'arn:aws:lambda:eu-west-1:111122223333:function:watch';
  let running: RunningCognito;

  beforeAll(async () => {
    running = await aCognito((resources) => {
      resources.People![1].LambdaConfig = { PreAuthentication: functionArn, PostAuthentication: functionArn };
      resources.Web![1].PreventUserExistenceErrors = 'ENABLED';
    });
    await running.person(ada, password);
  });
  beforeEach(() => {
    running.invoked.length = 0;
    running.failing.clear();
  });
  afterAll(() => running.stop());

  const sources = () => running.invoked.map(({ triggerSource }) => triggerSource);

  /** Submits the login form once and returns the next page. */
  async function attempt(username: string, secret: string): Promise<string> {
    const browser = new Browser();
    const { url, response } = await browser.follow(authorizeUrl(running, aPkce()));
    const page = { url, html: await response.text() };
    return (await browser.submit(page, { username, password: secret })).response.text();
  }

  it('run before the password check and after the sign-in', async () => {
    await signIn(running, new Browser(), aPkce(), ada);
    expect(sources()).toEqual(['PreAuthentication_Authentication', 'PostAuthentication_Authentication']);
    expect(running.invoked[0]).toMatchObject({
      userPoolId: running.poolId,
      callerContext: { clientId: running.web },
      request: { userAttributes: { email: ada }, userNotFound: false },
    });
    expect(running.invoked[0].userName).toBe(running.invoked[0].request.userAttributes.sub);
  });

  it('run before the password check even for wrong passwords and unknown users', async () => {
    expect(await attempt(ada, 'wrong')).toContain('Incorrect');
    expect(await attempt('stranger@example.com', 'wrong')).toContain('Incorrect');
    expect(sources()).toEqual(['PreAuthentication_Authentication', 'PreAuthentication_Authentication']);
    expect(running.invoked[1]).toMatchObject({
      userName: 'stranger@example.com',
      request: { userAttributes: {}, userNotFound: true },
    });
  });

  it('run for every attempt, while at most five parallel passwords are checked', async () => {
    const username = 'target@example.com';
    await running.person(username, password);
    running.clock.hold();
    const browser = new Browser();
    const { url, response } = await browser.follow(authorizeUrl(running, aPkce()));
    const page = { url, html: await response.text() };
    const guess = async () => (await browser.submit(page, { username, password: 'guess' })).response.text();
    const pages = await Promise.all(Array.from({ length: 300 }, guess));
    expect(pages.filter((html) => html.includes('Incorrect'))).toHaveLength(5);
    expect(pages.filter((html) => html.includes('Password attempts exceeded'))).toHaveLength(295);
    const attempts = running.invoked.map(({ request }) => request.validationData);
    expect(attempts.filter(({ outcome }) => outcome === 'checked')).toHaveLength(5);
    expect(attempts.filter(({ outcome }) => outcome === 'blocked')).toHaveLength(295);
    expect(attempts.every(({ source_ip }) => source_ip === '127.0.0.1')).toBe(true);
    running.clock.release();
  });

  it.each(['PreAuthentication', 'PostAuthentication'])('end the sign-in when %s fails', async (trigger) => {
    running.failing.add(`${trigger}_Authentication`);
    expect(await attempt(ada, password)).toContain(`${trigger} failed with error not today.`);
  });
});
