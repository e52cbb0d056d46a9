import { defineOperations } from '../../../contract/operation.ts';
import { operations } from '../../../contract/routes.ts';
import { handleUnmatched } from '../../../lambdas/platform/http/unmatched.ts';
import { aPlatform, aRequest, lambdaContext } from './requests.ts';

const things = defineOperations({
  listThings: thing('GET', '/things'),
  createThing: thing('POST', '/things'),
  updateThing: thing('PATCH', '/things/{id}'),
});

function thing(method: 'GET' | 'POST' | 'PATCH', path: string) {
  const texts = { capability: 'things', summary: '', description: '' };
  return { ...texts, method, path, access: 'viewer', rateLimit: 'general', responses: {} } as const;
}

const answer = (httpMethod: string, path: string, headers: Record<string, string> = {}) =>
  handleUnmatched([...operations, ...Object.values(things)], aPlatform().platform)(
    aRequest({ httpMethod, path, headers, authorizer: undefined as never }),
    lambdaContext(),
  );

const ours = { Origin: 'https://console.incidents.example.com' };

describe('unmatched', () => {
  it.each(['/api/v1/nowhere', '/api/nowhere', '/api/v1/things/1/2', '/api/v1/things/', '/api/v1', '/elsewhere'])(
    'returns 404 at %s',
    async (path) => {
      const result = await answer('GET', path);
      expect(result).toMatchObject({
        statusCode: 404,
        headers: {
          'Content-Type': 'application/problem+json',
          'X-Request-Id': 'request-1',
          'X-RateLimit-Limit': '100',
          'X-RateLimit-Remaining': '100',
          'X-RateLimit-Reset': expect.stringMatching(/^\d+$/),
        },
      });
      expect(JSON.parse(result.body)).toMatchObject({ code: 'not_found', request_id: 'request-1' });
    },
  );

  it.each(['/api/v1/things', '/api/things'])('returns 405 with the methods of %s', async (path) => {
    const result = await answer('DELETE', path);
    expect(result).toMatchObject({ statusCode: 405, headers: { Allow: 'GET, HEAD, POST, OPTIONS' } });
  });

  it('matches paths with parameters', async () => {
    expect(await answer('GET', '/api/v1/things/THING1')).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'PATCH, OPTIONS' },
    });
  });

  it('accepts a preflight without a token', async () => {
    const result = await answer('OPTIONS', '/api/v1/things', ours);
    expect(result).toMatchObject({
      statusCode: 204,
      body: '',
      headers: {
        'Access-Control-Allow-Origin': ours.Origin,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
        'Access-Control-Allow-Headers': expect.stringContaining('Authorization'),
        'Access-Control-Max-Age': '86400',
        Vary: 'Origin',
      },
    });
  });

  it('returns no CORS headers to a foreign origin', async () => {
    const result = await answer('OPTIONS', '/api/v1/things', { Origin: 'https://evil.com' });
    expect(result.statusCode).toBe(204);
    expect(Object.keys(result.headers ?? {}).filter((name) => name.startsWith('Access-Control'))).toEqual([]);
  });

  it('returns 404 to a preflight for an unknown path', async () => {
    expect(await answer('OPTIONS', '/api/v1/nowhere', ours)).toMatchObject({ statusCode: 404 });
  });
});
