import * as z from 'zod';
import { defineOperations } from '../../../contract/operation.ts';
import { maxBodyBytes, readInput, readRawBody } from '../../../lambdas/platform/http/request-input.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import { aRequest } from './requests.ts';

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
