import { createSign, generateKeyPairSync } from 'node:crypto';
import { errors } from '../../contract/errors.ts';
import { listPaths } from '../../contract/operation.ts';
import { operations } from '../../contract/routes.ts';
import { type ClientName, call, expectProblem, expectRateHeaders, getToken } from '../support/http.ts';
import { createPerson, signIn } from '../support/people.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';

const portal = 'https://portal.example.org';
const service = await startService({ environment: { CORS_ORIGINS: portal, UNKNOWN_PEOPLE: 'allowed' } });
afterAll(() => service.stop());

const get = (path: string, ...headers: string[]) => sendRaw(`${service.baseUrl}${path}`, { headers });
const findScript = async () => /view-[0-9a-f]{8}\.js/.exec((await get('/console/')).text)?.[0] ?? 'none';

describe('the distribution', () => {
  it.each(['/', '/console'])('redirects %s to the console', async (path) => {
    expect(await get(path)).toMatchObject({ status: 302, headers: { location: '/console/' } });
  });

  it.each(['/console/', '/console/incidents/INC0000001', '/console/a.b/c'])('serves the page at %s', async (path) => {
    const { status, headers, text } = await get(path);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  it.each(['/console/none.js', '/console/%.js', '/nothing', '/console/..%2f..%2frelease.json'])(
    'returns 404 for %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('explains the type of every problem on a page without a sign-in', async () => {
    const { text } = await get('/prod/api/v1/incidents');
    const { type, code } = JSON.parse(text) as { type: string; code: string };
    const [path = '', anchor = ''] = type.split('#');
    const page = await get(path);
    expect({ anchor, status: page.status }).toEqual({ anchor: code, status: 200 });
    for (const each of Object.keys(errors)) expect(page.text).toContain(`id="${each}"`);
  });

  it('lets browsers cache files for a year, compressed as they accept it', async () => {
    const path = `/console/${await findScript()}`;
    const plain = await get(path);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const sizes = await Promise.all(
      ['gzip', 'gzip, br', 'identity'].map(async (accepted) => {
        const { headers } = await get(path, 'Accept-Encoding', accepted);
        return [headers['content-encoding'], Number(headers['content-length'])];
      }),
    );
    const size = Number(plain.headers['content-length']);
    expect(sizes).toEqual([
      ['gzip', expect.any(Number)],
      ['br', expect.any(Number)],
      [undefined, size],
    ]);
    expect(Number(sizes[1]?.[1])).toBeLessThan(size / 3);
  });

  it('returns 304 for a cached file', async () => {
    const { headers } = await get('/console/');
    expect(await get('/console/', 'If-None-Match', headers.etag ?? '')).toMatchObject({ status: 304, text: '' });
  });

  it('adds the headers of its policy to every file', async () => {
    for (const path of ['/console/', '/console/config.json', '/nothing']) {
      expect((await get(path)).headers).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
      });
    }
  });

  it('returns errors of the API unchanged', async () => {
    const { status, headers } = await get('/prod/api/v1/nothing');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'application/problem+json' });
    expect(headers['x-frame-options']).toBeUndefined();
  });

  it('allows only read methods', async () => {
    expect((await sendRaw(`${service.baseUrl}/console/`, { method: 'POST', body: 'x' })).status).toBe(403);
  });
});

describe('the console', () => {
  it('is published again when its configuration changes', async () => {
    // The data folder comes from a service that had another port.
    const config = await (await fetch(`${service.baseUrl}/console/config.json`)).json();
    expect(config).toEqual({
      base_url: service.baseUrl,
      auth_url: service.authUrl,
      client_id: expect.any(String),
      service_instance: 'local',
      identity_provider: '',
      local_passwords: 'shown',
      unknown_people: 'allowed',
      command_line_client_id: expect.any(String),
      command_line_redirect_uris: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback( |$)/),
    });
  });
});

describe('getHealth', () => {
  it.each(['/health', '/v1/health'])('responds at %s', async (path) => {
    const answer = await call(service, path, { token: await getToken(service, 'viewer') });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      service_instance: 'local',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expectRateHeaders(answer);
  });

  it('requires a token', async () => {
    const answer = await call(service, '/health');
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('rejects and lists unknown query parameters', async () => {
    const answer = await call(service, '/health?a=1&b=2', { token: await getToken(service, 'viewer') });
    expectProblem(answer, 400, 'invalid_input', ['a', 'b']);
  });
});

describe('getApiDocument', () => {
  it('serves the API document without a token, and lets clients cache it', async () => {
    const answer = await call(service, '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.body.servers).toEqual([{ url: `${service.baseUrl}/prod/api/v1`, description: expect.any(String) }]);
    expect(answer.body.paths['/incidents'].get.operationId).toBe('listIncidents');
    expectRateHeaders(answer);
  });
});

describe('getMe', () => {
  it.each<[ClientName, string]>([
    ['admin', 'super_admin'],
    ['manager', 'itsm_manager'],
    ['agent', 'itsm_agent'],
    ['viewer', 'viewer'],
  ])('returns the role and the email address of the %s client', async (name, role) => {
    const answer = await call(service, '/v1/me', { token: await getToken(service, name) });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: service.credentials.clients[name].client_id,
      email: `${name}@clients.incidents.localhost`,
      kind: 'client',
      roles: [role],
      rate_limits: expect.arrayContaining([{ class: 'general', limit: 100, window_seconds: 1 }]),
    });
  });

  it.each(['admin', 'manager', 'agent', 'viewer'])('returns the roles of the groups of the person %s', async (name) => {
    const user = service.credentials.users.find(({ email }) => email.startsWith(name))!;
    const answer = await call(service, '/v1/me', { token: await signIn(service, user) });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ email: user.email, kind: 'user', roles: user.roles });
  });

  it('rejects a caller without a role, except for the health check', async () => {
    const token = await signIn(service, await createPerson(service, 'norole@example.com'));
    expectProblem(await call(service, '/v1/me', { token }), 403, 'forbidden');
    expect((await call(service, '/v1/health', { token })).status).toBe(200);
  });

  it('requires a token', async () => {
    expectProblem(await call(service, '/me'), 401, 'unauthorized');
  });

  it.each<[string, (token: string) => string]>([
    ['a tampered signature', (token) => `${token.slice(0, -6)}AAAAAA`],
    ['tampered claims', (token) => withClaims(token, { scope: 'itsm/super_admin' })],
    ['a foreign issuer and key', (token) => signWithOtherKey(token)],
    ['no signature', (token) => removeSignature(token)],
    ['something that is no token', () => 'hello'],
  ])('rejects %s', async (_name, spoil) => {
    const answer = await call(service, '/v1/me', { token: spoil(await getToken(service, 'viewer')) });
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('rejects an id token', async () => {
    const user = service.credentials.users[0]!;
    const token = await signIn(service, user, 'id_token');
    expectProblem(await call(service, '/v1/me', { token }), 401, 'unauthorized');
  });

  it('rejects an expired token, even if the gateway has cached it', async () => {
    const token = await getToken(service, 'viewer');
    expect((await call(service, '/v1/me', { token })).status).toBe(200);
    await service.advance('1439m', []);
    expect((await call(service, '/v1/me', { token })).status).toBe(200);
    await service.advance('2m', []);
    expectProblem(await call(service, '/v1/me', { token }), 401, 'unauthorized');
    expect((await call(service, '/v1/me', { token: await getToken(service, 'viewer') })).status).toBe(200);
  });
});

function withClaims(token: string, more: object): string {
  const [header, claims, signature] = token.split('.');
  return [header, encodePart({ ...decodePart(claims!), ...more }), signature].join('.');
}

function removeSignature(token: string): string {
  return `${encodePart({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`;
}

function signWithOtherKey(token: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [header, claims] = token.split('.');
  const text = `${header}.${encodePart({ ...decodePart(claims!), iss: 'https://issuer.example.com/pool' })}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`;
}

function decodePart(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
});

describe('unmatchedRoute', () => {
  it.each(['/nothing', '/v1/nothing', '/v1/health/', '/v2/health', '/v1/incidents-of-mine/1/2/3'])(
    'returns 404 at %s',
    async (path) => {
      expectProblem(await call(service, path), 404, 'not_found');
    },
  );

  it('returns 404 outside the API root', async () => {
    const response = await fetch(`${service.baseUrl}/prod/elsewhere`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'returns 405 and the allowed methods for %s on a read-only path',
    async (method) => {
      const answer = await call(service, '/v1/health', { method, token: await getToken(service, 'viewer') });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('accepts a preflight from the service domain without a token', async () => {
    for (const origin of ['https://incidents.localhost', 'https://console.incidents.localhost', service.baseUrl]) {
      const answer = await call(service, '/v1/me', preflight(origin));
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toContain('GET');
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it('lets pages of the configured origins call the API and read errors of the gateway', async () => {
    const { headers } = await call(service, '/v1/me', preflight(portal));
    expect(headers.get('access-control-allow-origin')).toBe(portal);
    const rejected = await call(service, '/v1/me', { headers: { origin: portal } });
    expectProblem(rejected, 401, 'unauthorized');
    expect(rejected.headers.get('access-control-allow-origin')).toBe(portal);
  });

  it('names exactly the methods that exist, at every path', async () => {
    const paths = new Map<string, Set<string>>();
    for (const operation of operations) {
      for (const path of listPaths(operation)) {
        const methods = paths.get(path) ?? new Set(['OPTIONS']);
        paths.set(path, methods.add(operation.method));
        if (operation.method === 'GET') methods.add('HEAD');
      }
    }
    for (const [path, methods] of paths) {
      const url = `/v1${path.replace(/\{\w+\}/g, 'x')}`;
      const { headers } = await call(service, url, preflight(portal));
      expect([path, headers.get('access-control-allow-methods')?.split(', ').sort()]).toEqual([
        path,
        [...methods].sort(),
      ]);
      expect(headers.get('allow')).toBe(headers.get('access-control-allow-methods'));
    }
  });

  it.each(['https://evil.example', 'http://incidents.localhost', 'https://incidents.localhost.evil.example', 'null'])(
    'returns no CORS headers to %s',
    async (origin) => {
      const answers = [await call(service, '/v1/me', preflight(origin))];
      answers.push(await call(service, '/v1/me', { token: await getToken(service, 'viewer'), headers: { origin } }));
      for (const { headers } of answers) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );

  it('lets allowed origins read the rate, request-id, ETag and Location headers', async () => {
    const origin = 'https://console.incidents.localhost';
    const { headers } = await call(service, '/v1/me', {
      token: await getToken(service, 'viewer'),
      headers: { origin },
    });
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase();
    for (const name of ['x-ratelimit-remaining', 'x-request-id', 'etag', 'location', 'retry-after'])
      expect(exposed).toContain(name);
  });
});
