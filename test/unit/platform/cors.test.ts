import { buildCorsHeaders, isAllowedOrigin } from '../../../lambdas/platform/http/response.ts';

const rule = { serviceDomain: 'incidents.example.com', allowedOrigin: 'http://localhost:3000' };

describe('cors', () => {
  it.each([
    'https://incidents.example.com',
    'https://console.incidents.example.com',
    'https://a.b.incidents.example.com:8443',
    'http://localhost:3000',
  ])('allows %s', (origin) => {
    expect(isAllowedOrigin(origin, rule)).toBe(true);
  });

  it.each([
    'http://incidents.example.com',
    'https://evilincidents.example.com',
    'https://incidents.example.com.evil.com',
    'https://incidents.example.com/path',
    'http://localhost:3001',
    'https://localhost:3000',
    'null',
    '',
  ])('does not allow %s', (origin) => {
    expect(isAllowedOrigin(origin, rule)).toBe(false);
  });

  it('returns an allowed origin and exposes the headers that a page needs', () => {
    const headers = buildCorsHeaders('https://incidents.example.com', rule);
    expect(headers).toMatchObject({ Vary: 'Origin', 'Access-Control-Allow-Origin': 'https://incidents.example.com' });
    for (const name of ['X-Request-Id', 'X-RateLimit-Remaining', 'ETag', 'Location', 'Retry-After']) {
      expect(headers['Access-Control-Expose-Headers']).toContain(name);
    }
  });

  it('returns only Vary to other origins', () => {
    expect(buildCorsHeaders('https://evil.com', rule)).toEqual({ Vary: 'Origin' });
    expect(buildCorsHeaders(undefined, rule)).toEqual({ Vary: 'Origin' });
  });
});
