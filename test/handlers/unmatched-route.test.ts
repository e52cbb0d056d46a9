import { call, expectProblem, tokenOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
});

describe('unmatchedRoute', () => {
  it.each(['/nothing', '/v1/nothing', '/v1/health/', '/v2/health', '/v1/incidents-of-mine/1/2/3'])(
    'answers 404 at %s',
    async (path) => {
      expectProblem(await call(service, path), 404, 'not_found');
    },
  );

  it('answers 404 outside the API root', async () => {
    const response = await fetch(`${service.baseUrl}/prod/elsewhere`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'answers %s on a path that only reads with 405 and what is allowed',
    async (method) => {
      const answer = await call(service, '/v1/health', { method, token: await tokenOf(service, 'viewer') });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, OPTIONS');
    },
  );

  it('answers a preflight of the service domain without a token', async () => {
    for (const origin of ['https://incidents.localhost', 'https://console.incidents.localhost', service.baseUrl]) {
      const answer = await call(service, '/v1/me', preflight(origin));
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toContain('GET');
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it.each(['https://evil.example', 'http://incidents.localhost', 'https://incidents.localhost.evil.example', 'null'])(
    'gives %s no CORS headers',
    async (origin) => {
      const answers = [await call(service, '/v1/me', preflight(origin))];
      answers.push(await call(service, '/v1/me', { token: await tokenOf(service, 'viewer'), headers: { origin } }));
      for (const { headers } of answers) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );

  it('lets allowed origins read the rate, request-id, ETag and Location headers', async () => {
    const origin = 'https://console.incidents.localhost';
    const { headers } = await call(service, '/v1/me', { token: await tokenOf(service, 'viewer'), headers: { origin } });
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase();
    for (const name of ['x-ratelimit-remaining', 'x-request-id', 'etag', 'location', 'retry-after'])
      expect(exposed).toContain(name);
  });
});
