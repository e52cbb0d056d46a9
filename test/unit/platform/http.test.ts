import * as z from 'zod';
import { defineOperations } from '../../../contract/operation.ts';
import { operations } from '../../../contract/routes.ts';
import { toValidatedJson } from '../../../lambdas/platform/http/json.ts';
import { maxBodyBytes, readInput, readRawBody } from '../../../lambdas/platform/http/request-input.ts';
import { buildCorsHeaders, isAllowedOrigin } from '../../../lambdas/platform/http/response.ts';
import { handleUnmatched } from '../../../lambdas/platform/http/unmatched.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import { aPlatform, aRequest, lambdaContext } from './requests.ts';

const { updateThing } = defineOperations({
  updateThing: {
    method: 'PATCH',
    path: '/things/{id}',
    capability: 'things',
    summary: '',
    description: '',
    access: 'viewer',
    rateLimit: 'general',
    params: z.object({ id: z.string().regex(/^[A-Z]+$/) }),
    query: z.strictObject({ limit: z.coerce.number().int().max(200).optional() }),
    headers: z.object({ 'If-Match': z.string().startsWith('"').optional() }),
    body: z.strictObject({
      title: z.string().max(5),
      colour: z.enum(['red', 'blue']).optional(),
      owner: z.email().optional(),
      tags: z.array(z.strictObject({ name: z.string() })).optional(),
      due: z.iso.datetime().optional(),
      secret: z.string('must stay secret').optional(),
    }),
    responses: {},
  },
});

const json = { 'content-type': 'application/json' };
const read = (changes: Parameters<typeof aRequest>[0]) =>
  readInput(updateThing, aRequest({ pathParameters: { id: 'ABC' }, headers: json, body: '{"title":"x"}', ...changes }));

function catchError(changes: Parameters<typeof aRequest>[0]): ServiceError {
  try {
    read(changes);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('the input was accepted');
}

describe('readInput', () => {
  it('returns the parsed path, query, headers and body', () => {
    const input = read({
      multiValueQueryStringParameters: { limit: ['20'] },
      headers: { ...json, 'if-match': '"7"' },
    });
    expect(input).toEqual({
      params: { id: 'ABC' },
      query: { limit: 20 },
      headers: { 'If-Match': '"7"' },
      body: { title: 'x' },
    });
  });

  it('lists all problems of all parts', () => {
    const error = catchError({
      multiValueQueryStringParameters: { limit: ['500'], colour: ['red'] },
      headers: { ...json, 'If-Match': '7' },
      body: JSON.stringify({
        colour: 'green',
        owner: 'nobody',
        tags: [{ name: 'a' }, { nam: 'b' }],
        due: 'tomorrow',
        shade: 1,
        secret: 1,
      }),
    });
    expect(error.code).toBe('invalid_input');
    expect(error.extra.members?.errors).toEqual([
      { field: 'title', message: 'is required' },
      { field: 'colour', message: 'must be one of red, blue' },
      { field: 'owner', message: 'must be an e-mail address' },
      { field: 'tags[1].name', message: 'is required' },
      { field: 'tags[1].nam', message: 'is not a known field' },
      { field: 'due', message: 'must be an ISO 8601 timestamp in UTC, such as 2026-03-01T09:30:00Z' },
      { field: 'secret', message: 'must stay secret' },
      { field: 'shade', message: 'is not a known field' },
      { field: 'limit', message: 'must be at most 200' },
      { field: 'colour', message: 'is not a known parameter' },
      { field: 'If-Match', message: 'does not have the expected form' },
    ]);
  });

  it('describes a single problem in one sentence', () => {
    expect(catchError({ body: '{"title":"too long"}' }).message).toBe('title must have at most 5 characters.');
    expect(catchError({ body: '{"title":1}' }).message).toBe('title must be a string.');
    expect(catchError({ body: '[]' }).message).toBe('body must be an object.');
  });

  it('rejects a duplicate parameter', () => {
    expect(catchError({ multiValueQueryStringParameters: { limit: ['1', '2'] } }).code).toBe('invalid_input');
  });

  it('decodes parameters of the path', () => {
    expect(read({ pathParameters: { id: '%41BC' } }).params).toEqual({ id: 'ABC' });
  });

  it.each(['abc', '%E0%A4%A', '%2e%2e'])('returns 404 for a malformed id: %s', (id) => {
    expect(catchError({ pathParameters: { id } }).code).toBe('not_found');
  });

  it.each(['{', '', '{"title":}', 'undefined'])('rejects %j as malformed JSON', (body) => {
    expect(catchError({ body }).code).toBe('malformed_json');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'rejects a body of type %s',
    (type) => {
      expect(catchError({ headers: { 'Content-Type': type } }).code).toBe('unsupported_media_type');
    },
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
    'accepts a body of type %s',
    (type) => {
      expect(read({ headers: { 'Content-Type': type } }).body).toEqual({ title: 'x' });
    },
  );

  it('limits the body in bytes, not characters', () => {
    const body = JSON.stringify('é'.repeat(maxBodyBytes / 2));
    expect(body.length).toBeLessThan(maxBodyBytes);
    expect(catchError({ body }).code).toBe('payload_too_large');
  });

  it('rejects all parameters of an operation without parameters', () => {
    const { query: _, ...withoutQuery } = updateThing;
    const event = aRequest({
      pathParameters: { id: 'ABC' },
      headers: json,
      body: '{"title":"x"}',
      multiValueQueryStringParameters: { x: ['1'] },
    });
    expect(() => readInput(withoutQuery, event)).toThrow('x is not a known parameter.');
  });
});

describe('readRawBody', () => {
  it('returns the sent bytes in any encoding of the gateway', () => {
    const bytes = Buffer.from([0, 255, 10]);
    expect(readRawBody(aRequest({ body: bytes.toString('base64'), isBase64Encoded: true }))).toEqual(bytes);
    expect(readRawBody(aRequest({ body: 'é' }))).toEqual(Buffer.from('é'));
  });
});

const record = z.strictObject({ id: z.string(), count: z.int().optional() });
const page = z.strictObject({ data: z.array(record), next_cursor: z.string().optional(), total: z.int() });
const bare = z.strictObject({ data: z.array(z.strictObject({ id: z.string() })) });

const reject = (why: string): never => {
  throw new Error(why);
};
const toJson = (schema: z.ZodType, body: unknown) => toValidatedJson(schema, body, reject);

describe('toValidatedJson', () => {
  it.each([
    ['a page', page, { data: [{ id: 'a "quoted"' }, { id: 'b', count: 2 }], next_cursor: 'x', total: 9 }],
    ['a page with nothing on it', page, { data: [], total: 0 }],
    ['a list with nothing beside it', bare, { data: [{ id: 'a' }] }],
    ['a record', record, { id: 'a', count: 1 }],
  ])('writes %s unchanged', (_what, schema, body) => {
    expect(JSON.parse(toJson(schema, body))).toEqual(body);
    // The second call uses the cached records.
    expect(toJson(schema, body)).toBe(toJson(schema, body));
  });

  it.each([
    ['a record of a page', page, { data: [{ id: 'a' }, { id: 1 }], total: 2 }],
    ['a member that nobody knows in a record', page, { data: [{ id: 'a', secret: 'b' }], total: 1 }],
    ['what stands beside the records', page, { data: [{ id: 'a' }], total: -0.5 }],
    ['a member that nobody knows beside them', page, { data: [], total: 0, secret: 'b' }],
    ['something that is no record', page, { data: ['a'], total: 1 }],
    ['a missing list', page, { total: 1 }],
  ])('rejects %s that violates the contract', (_what, schema, body) => {
    expect(() => toJson(schema, body)).toThrow();
  });

  it('validates again for another contract', () => {
    const known = { id: 'a', count: 1 };
    toJson(page, { data: [known], total: 1 });
    expect(() => toJson(bare, { data: [known] })).toThrow();
  });
});

const rule = {
  serviceDomain: 'incidents.example.com',
  allowedOrigins: ['https://portal.example.org', 'http://localhost:3000'],
};

describe('cors', () => {
  it.each([
    'https://incidents.example.com',
    'https://console.incidents.example.com',
    'https://a.b.incidents.example.com:8443',
    'http://localhost:3000',
    'https://portal.example.org',
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
    'https://sub.portal.example.org',
    'http://portal.example.org',
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

const things = defineOperations({
  listThings: thing('GET', '/things'),
  createThing: thing('POST', '/things'),
  updateThing: thing('PATCH', '/things/{id}'),
});

function thing(method: 'GET' | 'POST' | 'PATCH', path: string) {
  const texts = { capability: 'things', summary: '', description: '' };
  return { ...texts, method, path, access: 'viewer', rateLimit: 'general', responses: {} } as const;
}

/** Behind a custom domain, the path can have a base path. */
const answer = (httpMethod: string, resource: string, headers: Record<string, string> = {}) =>
  handleUnmatched([...operations, ...Object.values(things)], aPlatform().platform)(
    aRequest({ httpMethod, resource, path: `/base${resource}`, headers, authorizer: undefined as never }),
    lambdaContext(),
  );

const ours = { Origin: 'https://console.incidents.example.com' };

describe('unmatched', () => {
  it.each(['/api/v1/{proxy+}', '/api/{proxy+}'])('returns 404 at %s', async (resource) => {
    const result = await answer('GET', resource);
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
  });

  it.each(['/api/v1/things', '/api/things'])('returns 405 with the methods of %s', async (path) => {
    const result = await answer('DELETE', path);
    expect(result).toMatchObject({ statusCode: 405, headers: { Allow: 'GET, HEAD, POST, OPTIONS' } });
  });

  it('matches paths with parameters', async () => {
    expect(await answer('GET', '/api/v1/things/{id}')).toMatchObject({
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
    expect(await answer('OPTIONS', '/api/v1/{proxy+}', ours)).toMatchObject({ statusCode: 404 });
  });
});
