import { createLocalJWKSet, jwtVerify } from 'jose';
import {
  aCognito,
  aPkce,
  authorizeUrl,
  Browser,
  exchangeCode,
  parseClaims,
  password,
  postForm,
  type RunningCognito,
  signIn,
} from './a-cognito.ts';

const ada = 'ada@example.com';

describe('sign-in', () => {
  let running: RunningCognito;

  beforeAll(async () => {
    running = await aCognito();
    await running.person(ada, password, ['viewer', 'agent']);
    await running.call('AdminUpdateUserAttributes', {
      Username: ada,
      UserAttributes: [
        { Name: 'email_verified', Value: 'true' },
        { Name: 'given_name', Value: 'Ada' },
        { Name: 'custom:team', Value: 'engines' },
      ],
    });
  });
  afterAll(() => running.stop());

  async function tokens(more: Record<string, string> = {}, browser = new Browser()) {
    const pkce = aPkce();
    const url = await signIn(running, browser, pkce, ada, more);
    const { body } = await exchangeCode(running, url.searchParams.get('code'), pkce);
    return body;
  }

  const refresh = (refreshToken: string, more: Record<string, string> = {}) =>
    postForm(`${running.url}/oauth2/token`, {
      grant_type: 'refresh_token',
      client_id: running.web,
      refresh_token: refreshToken,
      ...more,
    });

  const userInfo = (token: string) =>
    fetch(`${running.url}/oauth2/userInfo`, { headers: { authorization: `Bearer ${token}` } });

  it('returns from the login page to the client with a code and the state', async () => {
    const pkce = aPkce();
    const url = await signIn(running, new Browser(), pkce, ada);
    expect(url.origin + url.pathname).toBe(running.callback);
    expect([...url.searchParams.keys()].sort()).toEqual(['code', 'state']);
    expect(url.searchParams.get('state')).toBe('abc');
    const { status, body } = await exchangeCode(running, url.searchParams.get('code'), pkce);
    expect(status).toBe(200);
    expect(body).toEqual({
      id_token: expect.any(String),
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
    });
  });

  it('issues an access token with exactly Cognito’s claims', async () => {
    const claims = parseClaims((await tokens()).access_token);
    expect(claims).toEqual({
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cognito:groups': ['agent', 'viewer'],
      iss: `${running.url}/${running.poolId}`,
      version: 2,
      client_id: running.web,
      origin_jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token_use: 'access',
      scope: 'openid email itsm/viewer',
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: claims.sub,
    });
  });

  it('issues an id token with Cognito’s claims, the e-mail address and the nonce', async () => {
    const { id_token: idToken, access_token: accessToken } = await tokens({ nonce: 'n-1' });
    const claims = parseClaims(idToken);
    const access = parseClaims(accessToken);
    expect(claims).toEqual({
      at_hash: expect.any(String),
      sub: access.sub,
      'cognito:groups': ['agent', 'viewer'],
      'cognito:username': access.sub,
      email: ada,
      email_verified: true,
      iss: access.iss,
      nonce: 'n-1',
      aud: running.web,
      origin_jti: access.origin_jti,
      event_id: access.event_id,
      token_use: 'id',
      auth_time: access.auth_time,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      jti: expect.any(String),
    });
    expect(claims.jti).not.toBe(access.jti);
  });

  it('includes all attributes for openid alone', async () => {
    expect(parseClaims((await tokens({ scope: 'openid' })).id_token)).toMatchObject({
      email: ada,
      given_name: 'Ada',
      'custom:team': 'engines',
    });
  });

  it('signs id and access tokens with two published keys', async () => {
    const { id_token: idToken, access_token: accessToken } = await tokens();
    const keys = createLocalJWKSet(
      (await (await fetch(`${running.url}/${running.poolId}/.well-known/jwks.json`)).json()) as Parameters<
        typeof createLocalJWKSet
      >[0],
    );
    const options = { currentDate: new Date(running.clock.now()) };
    const id = await jwtVerify(idToken, keys, { ...options, audience: running.web });
    const access = await jwtVerify(accessToken, keys, options);
    expect(id.protectedHeader.kid).not.toBe(access.protectedHeader.kid);
  });

  it('grants all scopes of the client if the request names none', async () => {
    const pkce = aPkce();
    const url = new URL(authorizeUrl(running, pkce));
    url.searchParams.delete('scope');
    const browser = new Browser();
    const login = await browser.follow(url.href);
    const { url: end } = await browser.submit(
      { url: login.url, html: await login.response.text() },
      { username: ada, password },
    );
    const { body } = await exchangeCode(running, new URL(end).searchParams.get('code'), pkce);
    expect(parseClaims(body.access_token).scope).toBe('openid email profile itsm/viewer');
  });

  it('issues no id token without openid', async () => {
    const body = await tokens({ scope: 'itsm/viewer', nonce: 'ignored' });
    expect(body.id_token).toBeUndefined();
    expect(parseClaims(body.access_token).scope).toBe('itsm/viewer');
  });

  it('skips the login page for an hour', async () => {
    const browser = new Browser();
    await tokens({}, browser);
    const again = await browser.follow(authorizeUrl(running, aPkce()));
    expect(new URL(again.url).searchParams.get('code')).toEqual(expect.any(String));
    await running.clock.advance(3_601_000);
    const later = await browser.follow(authorizeUrl(running, aPkce()));
    expect(new URL(later.url).pathname).toMatch(/^\/login\//);
  });

  it('lets another user sign in over an open session', async () => {
    await running.person('bob@example.com', password);
    const browser = new Browser();
    await tokens({}, browser);
    const pkce = aPkce();
    const url = await signIn(running, browser, pkce, 'bob@example.com', { prompt: 'login' });
    const { body } = await exchangeCode(running, url.searchParams.get('code'), pkce);
    expect(parseClaims(body.id_token).email).toBe('bob@example.com');
  });

  it.each<[string, Record<string, string>]>([
    ['a wrong PKCE verifier', { code_verifier: aPkce().verifier }],
    ['no PKCE verifier', { code_verifier: '' }],
    ['an unknown code', { code: 'unknown' }],
  ])('rejects %s', async (_name, fields) => {
    const pkce = aPkce();
    const url = await signIn(running, new Browser(), pkce, ada);
    const { status, body } = await exchangeCode(running, url.searchParams.get('code'), pkce, fields);
    expect({ status, body }).toEqual({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('rejects a redirect address that is not the client’s', async () => {
    const pkce = aPkce();
    const url = await signIn(running, new Browser(), pkce, ada);
    const { body } = await exchangeCode(running, url.searchParams.get('code'), pkce, {
      redirect_uri: `${running.callback}/`,
    });
    expect(body).toEqual({ error: 'unauthorized_client' });
  });

  it('accepts a code once, and revokes its tokens when it is used twice', async () => {
    const pkce = aPkce();
    const code = (await signIn(running, new Browser(), pkce, ada)).searchParams.get('code');
    const first = await exchangeCode(running, code, pkce);
    expect((await userInfo(first.body.access_token)).status).toBe(200);
    expect((await exchangeCode(running, code, pkce)).body).toEqual({ error: 'invalid_grant' });
    expect((await refresh(first.body.refresh_token)).body).toEqual({ error: 'invalid_grant' });
    expect((await userInfo(first.body.access_token)).status).toBe(401);
  });

  it('accepts a code once in concurrent requests', async () => {
    const pkce = aPkce();
    const code = (await signIn(running, new Browser(), pkce, ada)).searchParams.get('code');
    const answers = await Promise.all([1, 2, 3].map(() => exchangeCode(running, code, pkce)));
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('expires a code after five minutes', async () => {
    const pkce = aPkce();
    const code = (await signIn(running, new Browser(), pkce, ada)).searchParams.get('code');
    await running.clock.advance(301_000);
    expect((await exchangeCode(running, code, pkce)).body).toEqual({ error: 'invalid_grant' });
  });

  it('refreshes repeatedly with one refresh token, with the current groups', async () => {
    const before = await tokens();
    await running.call('AdminRemoveUserFromGroup', { Username: ada, GroupName: 'agent' });
    await running.clock.advance(1_800_000);
    const { status, body } = await refresh(before.refresh_token);
    await running.call('AdminAddUserToGroup', { Username: ada, GroupName: 'agent' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'token_type']);
    const [old, fresh] = [parseClaims(before.access_token), parseClaims(body.access_token)];
    expect(fresh).toMatchObject({
      'cognito:groups': ['viewer'],
      origin_jti: old.origin_jti,
      auth_time: old.auth_time,
      sub: old.sub,
      scope: old.scope,
    });
    expect(fresh.iat).toBeGreaterThanOrEqual(old.iat + 1800);
    expect((await refresh(before.refresh_token)).status).toBe(200);
  });

  it('expires a refresh token after 30 days', async () => {
    const { refresh_token: refreshToken } = await tokens();
    await running.clock.advance(29 * 86_400_000);
    expect((await refresh(refreshToken)).status).toBe(200);
    await running.clock.advance(86_400_000);
    expect((await refresh(refreshToken)).body).toEqual({ error: 'invalid_grant' });
  });

  it('keeps sessions and refresh tokens after a restart', async () => {
    const browser = new Browser();
    const { refresh_token: refreshToken } = await tokens({}, browser);
    await running.restart();
    expect((await refresh(refreshToken)).status).toBe(200);
    const again = await browser.follow(authorizeUrl(running, aPkce()));
    expect(new URL(again.url).searchParams.get('code')).toEqual(expect.any(String));
  });

  it('returns user info until the access token expires', async () => {
    const { access_token: token } = await tokens();
    const response = await userInfo(token);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      sub: parseClaims(token).sub,
      username: parseClaims(token).sub,
      email: ada,
      email_verified: 'true',
    });
    await running.clock.advance(3_600_000);
    const expired = await userInfo(token);
    expect(expired.status).toBe(401);
    expect(expired.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect((await userInfo('a.b.c')).status).toBe(401);
    expect((await userInfo((await tokens({ scope: 'itsm/viewer' })).access_token)).status).toBe(403);
  });

  it('rejects id tokens and tampered tokens at userInfo', async () => {
    const { id_token: idToken, access_token: token } = await tokens();
    expect((await userInfo(idToken)).status).toBe(401);
    const [header, payload, signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...parseClaims(token), scope: 'openid profile' })).toString(
      'base64url',
    );
    expect((await userInfo([header, forged, signature].join('.'))).status).toBe(401);
    expect((await userInfo([header, payload, signature].join('.'))).status).toBe(200);
  });

  it('revokes a refresh token with all tokens of its sign-in', async () => {
    const { refresh_token: refreshToken, access_token: accessToken } = await tokens();
    const revoke = (fields: Record<string, string>) => postForm(`${running.url}/oauth2/revoke`, fields);
    expect((await revoke({ token: accessToken, client_id: running.web })).body).toEqual({
      error: 'unsupported_token_type',
    });
    expect((await revoke({ client_id: running.web })).body).toEqual({ error: 'invalid_request' });
    expect((await revoke({ token: refreshToken, client_id: 'nobody' })).body).toEqual({ error: 'invalid_client' });
    expect((await revoke({ token: refreshToken, client_id: running.web })).status).toBe(200);
    expect((await refresh(refreshToken)).body).toEqual({ error: 'invalid_grant' });
    expect((await userInfo(accessToken)).status).toBe(401);
    expect((await revoke({ token: refreshToken, client_id: running.web })).status).toBe(200);
  });

  it.each([
    ['AdminDisableUser', 'AdminEnableUser'],
    ['AdminUserGlobalSignOut', undefined],
  ])('revokes refresh tokens with %s', async (operation, back) => {
    const { refresh_token: refreshToken, access_token: accessToken } = await tokens();
    await running.call(operation, { Username: ada });
    expect((await refresh(refreshToken)).body).toEqual({ error: 'invalid_grant' });
    expect((await userInfo(accessToken)).status).toBe(401);
    if (back) await running.call(back, { Username: ada });
  });

  it('shows the login page when the user of the session is disabled', async () => {
    await running.person('eve@example.com', password);
    const browser = new Browser();
    await signIn(running, browser, aPkce(), 'eve@example.com');
    await running.call('AdminDisableUser', { Username: 'eve@example.com' });
    const login = await browser.follow(authorizeUrl(running, aPkce()));
    expect(new URL(login.url).pathname).toMatch(/^\/login\//);
    const page = { url: login.url, html: await login.response.text() };
    const { response } = await browser.submit(page, { username: 'eve@example.com', password });
    expect(await response.text()).toContain('User is disabled.');
  });

  it('shows the login page after sign-out', async () => {
    const browser = new Browser();
    const { refresh_token: refreshToken } = await tokens({}, browser);
    const bye = `${running.url}/bye`;
    const logout = `${running.url}/logout?${new URLSearchParams({ client_id: running.web, logout_uri: bye })}`;
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      const asked = await browser.fetch(logout, { headers });
      expect(asked.status).toBe(200);
      const html = await asked.text();
      expect(html).toContain('<form method="get" action="/logout">');
      expect(html).toContain(`<input type="hidden" name="logout_uri" value="${bye}">`);
      expect(new URL((await browser.follow(authorizeUrl(running, aPkce()))).url).searchParams.has('code')).toBe(true);
    }
    const out = await browser.fetch(logout, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(out.status).toBe(302);
    expect(out.headers.get('location')).toBe(bye);
    const again = await browser.follow(authorizeUrl(running, aPkce()));
    expect(new URL(again.url).pathname).toMatch(/^\/login\//);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('redirects from sign-out to the login page on request', async () => {
    const browser = new Browser();
    await tokens({}, browser);
    const query = new URL(authorizeUrl(running, aPkce())).searchParams;
    const headers = { 'sec-fetch-site': 'none' };
    const { url, response } = await browser.follow(`${running.url}/logout?${query}`, { headers });
    expect(new URL(url).pathname).toMatch(/^\/login\//);
    expect(response.status).toBe(200);
  });

  it.each<[string, Record<string, string>, string]>([
    ['an unknown client', { client_id: 'nobody', logout_uri: 'x' }, 'invalid_client'],
    ['a foreign address', { logout_uri: 'https://evil.example' }, 'redirect_mismatch'],
    ['no address', {}, 'redirect_mismatch'],
  ])('rejects a sign-out with %s', async (_name, fields, code) => {
    const query = new URLSearchParams({ client_id: running.web, ...fields });
    const response = await fetch(`${running.url}/logout?${query}`, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(code);
  });

  it.each<[string, Record<string, string>, string]>([
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }, 'redirect_mismatch'],
    ['a client without the code flow', { client_id: 'MACHINE' }, 'redirect_mismatch'],
  ])('shows an error page without a redirect for %s', async (_name, fields, code) => {
    const more = fields.client_id === 'MACHINE' ? { client_id: running.machine } : fields;
    const response = await fetch(authorizeUrl(running, aPkce(), more), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(code);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a scope that the client is not allowed', { scope: 'openid itsm/admin' }, 'invalid_scope'],
    ['the implicit flow', { response_type: 'token' }, 'unauthorized_client'],
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ])('redirects to the client with an error for %s', async (_name, fields, error) => {
    const response = await fetch(authorizeUrl(running, aPkce(), fields), { redirect: 'manual' });
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(running.callback);
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('state')).toBe('abc');
    expect(location.searchParams.has('iss')).toBe(false);
  });

  it('responds to prompt=none without a session with login_required', async () => {
    const response = await fetch(authorizeUrl(running, aPkce(), { prompt: 'none' }), { redirect: 'manual' });
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe('login_required');
  });

  it('logs no error in these tests', () => {
    expect(running.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
