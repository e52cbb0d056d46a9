import * as z from 'zod';
import { defineOperations, type OperationSpec } from '../../../contract/operation.ts';
import { roles } from '../../../contract/roles.ts';
import { fromAuthorizerContext, toAuthorizerContext } from '../../../lambdas/platform/caller.ts';
import type { UseCase } from '../../../lambdas/platform/http/response.ts';
import { route, routeByResource } from '../../../lambdas/platform/http/route.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import { hideMetrics } from '../../support/captured-lines.ts';
import fc from '../../support/properties.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext, nowMs } from './requests.ts';

hideMetrics();

const spec = {
  method: 'GET',
  path: '/things',
  capability: 'things',
  summary: '',
  description: '',
  access: 'itsm_agent',
  rateLimit: 'general',
  responses: { 200: { description: '', body: z.strictObject({ name: z.string() }) }, 204: { description: '' } },
} as const satisfies OperationSpec;

const { getThing, createThing, seeThing, bulkThings, publicThing } = defineOperations({
  getThing: spec,
  createThing: { ...spec, method: 'POST', body: z.strictObject({}) },
  seeThing: { ...spec, access: 'none' },
  bulkThings: { ...spec, rateLimit: 'bulk' },
  publicThing: { ...spec, access: 'public' },
});

const thing = async () => ({ status: 200, body: { name: 'a thing' } }) as const;
const failing =
  (error: unknown): UseCase<typeof getThing> =>
  async () =>
    Promise.reject(error);
const toMessageBody = ({ body }: { body: string }) => JSON.parse(body);

describe('route', () => {
  it('returns JSON, the request id and the rate limit', async () => {
    const { platform } = aPlatform();
    const answer = await route(getThing, thing, platform)(aRequest(), lambdaContext());
    expect(answer).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': 'request-1',
        'X-RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '99',
        'X-RateLimit-Reset': String(Math.ceil(nowMs / 1_000) + 1),
        Vary: 'Origin',
      },
      body: '{"name":"a thing"}',
    });
  });

  it('passes the caller to the use case', async () => {
    const given: UseCase<typeof getThing> = async (_input, { caller, requestId }) => ({
      status: 200,
      body: { name: `${caller.email} ${caller.roles} ${caller.sourceIp} ${requestId}` },
    });
    const answer = await route(getThing, given, aPlatform().platform)(aRequest(), lambdaContext());
    expect(toMessageBody(answer).name).toBe('agent@clients.incidents.example.com itsm_agent 203.0.113.7 request-1');
  });

  it('lets the use case add headers and omit the body', async () => {
    const given: UseCase<typeof getThing> = async () => ({ status: 204, headers: { ETag: '"1"' } });
    const answer = await route(getThing, given, aPlatform().platform)(aRequest(), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 204, body: '', headers: { ETag: '"1"' } });
    expect(answer.headers).not.toHaveProperty('Content-Type');
  });

  it('returns CORS headers to allowed origins', async () => {
    const event = aRequest({ headers: { origin: 'https://console.incidents.example.com' } });
    const answer = await route(getThing, thing, aPlatform().platform)(event, lambdaContext());
    expect(answer.headers).toMatchObject({ 'Access-Control-Allow-Origin': 'https://console.incidents.example.com' });
  });

  it('rejects a caller whose role is too low, with the exact rate limit', async () => {
    const event = aRequest({ authorizer: anAuthorizerContext({ roles: 'viewer' }) });
    const answer = await route(getThing, thing, aPlatform().platform)(event, lambdaContext());
    expect(answer).toMatchObject({
      statusCode: 403,
      headers: { 'Content-Type': 'application/problem+json', 'X-RateLimit-Remaining': '99' },
    });
    expect(toMessageBody(answer)).toEqual({
      type: '/console/errors.html#forbidden',
      title: 'Permission denied',
      status: 403,
      detail: 'This operation requires the role itsm_agent or higher.',
      code: 'forbidden',
      request_id: 'request-1',
    });
  });

  it('accepts any token if no role is required, and no token for public operations', async () => {
    const withoutRole = aRequest({ authorizer: anAuthorizerContext({ roles: '' }) });
    expect(await route(seeThing, thing, aPlatform().platform)(withoutRole, lambdaContext())).toMatchObject({
      statusCode: 200,
    });
    const withoutToken = aRequest({ authorizer: undefined as never });
    expect(await route(publicThing, thing, aPlatform().platform)(withoutToken, lambdaContext())).toMatchObject({
      statusCode: 200,
      headers: { 'X-RateLimit-Remaining': '100' },
    });
  });

  it('rejects a token that expired while the gateway cached it', async () => {
    const event = aRequest({
      authorizer: anAuthorizerContext({ token_expires_at: String(Math.floor(nowMs / 1_000)) }),
    });
    const answer = await route(seeThing, thing, aPlatform().platform)(event, lambdaContext());
    expect(answer).toMatchObject({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
  });

  it('returns 500 when the gateway passes no caller', async () => {
    const event = aRequest({ authorizer: { caller_id: 'x' } });
    const answer = await route(seeThing, thing, aPlatform().platform)(event, lambdaContext());
    expect(answer.statusCode).toBe(500);
  });

  it('rejects requests over the limit with Retry-After', async () => {
    const { platform } = aPlatform();
    const handler = route(getThing, thing, platform);
    for (let request = 0; request < 100; request++) await handler(aRequest(), lambdaContext());
    const answer = await handler(aRequest(), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '1', 'X-RateLimit-Remaining': '0' } });
    expect(toMessageBody(answer).code).toBe('rate_limited');
  });

  it('does not run a write for a rejected request', async () => {
    const { platform } = aPlatform();
    let runs = 0;
    const handler = route(
      createThing,
      async () => ({ status: 200 as const, body: { name: String(++runs) } }),
      platform,
    );
    const event = aRequest({ httpMethod: 'POST', body: '{}' });
    await Promise.all(Array.from({ length: 150 }, () => handler(event, lambdaContext())));
    expect(runs).toBe(100);
  });

  it('runs reads in parallel with counting', async () => {
    const { platform } = aPlatform();
    let startReading = () => {};
    const reading = new Promise<void>((resolve) => {
      startReading = resolve;
    });
    const limiter: typeof platform.limiter = {
      take: (key, rateLimit) => reading.then(() => platform.limiter.take(key, rateLimit)),
    };
    const read: UseCase<typeof getThing> = async () => {
      startReading();
      return thing();
    };
    const answer = await route(getThing, read, { ...platform, limiter })(aRequest(), lambdaContext());
    expect(answer.statusCode).toBe(200);
  });

  it('does not count bulk requests', async () => {
    const { platform } = aPlatform();
    const handler = route(bulkThings, thing, platform);
    for (let request = 0; request < 150; request++) {
      expect((await handler(aRequest(), lambdaContext())).statusCode).toBe(200);
    }
  });

  it('admits requests that cannot be counted, and logs it', async () => {
    const limiter = { take: async () => Promise.reject(new Error('the table is gone')) };
    const { platform, lines } = aPlatform({ limiter });
    const answer = await route(getThing, thing, platform)(aRequest(), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'X-RateLimit-Limit': '100' } });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', error: 'the table is gone' }));
  });

  it('returns a service error with its members and headers', async () => {
    const error = new ServiceError('invalid_transition', 'No.', {
      members: { allowed_transitions: ['closed'] },
      headers: { ETag: '"3"' },
    });
    const answer = await route(getThing, failing(error), aPlatform().platform)(aRequest(), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 409, headers: { ETag: '"3"' } });
    expect(toMessageBody(answer)).toMatchObject({ code: 'invalid_transition', allowed_transitions: ['closed'] });
  });

  it('hides an unexpected error from the caller and logs it', async () => {
    const { platform, lines } = aPlatform();
    const error = new Error('arn:aws:dynamodb:secret');
    const answer = await route(getThing, failing(error), platform)(aRequest(), lambdaContext());
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('arn:aws');
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', request_id: 'request-1', error: 'arn:aws:dynamodb:secret' }),
    );
  });

  it.each([
    Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
    Object.assign(new Error('throttled by SQS'), { name: 'RequestThrottled', $metadata: { httpStatusCode: 403 } }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('We encountered an internal error.'), {
      name: 'InternalError',
      $metadata: { httpStatusCode: 500 },
    }),
  ])('responds 503 with Retry-After when AWS fails: $message', async (error) => {
    const answer = await route(getThing, failing(error), aPlatform().platform)(aRequest(), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
  });

  it('does not return a response that violates the contract', async () => {
    const { platform, lines } = aPlatform();
    const leaking = (async () => ({ status: 200, body: { name: 'x', secret: 'y' } })) as UseCase<typeof getThing>;
    const answer = await route(getThing, leaking, platform)(aRequest(), lambdaContext());
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret');
    expect(lines[0]).toMatchObject({ error: expect.stringContaining('getThing returned a body') });
  });

  it('writes one line per request', async () => {
    const { platform, lines } = aPlatform();
    await route(getThing, thing, platform)(aRequest(), lambdaContext());
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request',
        request_id: 'request-1',
        operation: 'getThing',
        method: 'GET',
        path: '/api/v1/health',
        status: 200,
        duration_ms: 0,
        caller: 'caller-1',
      },
    ]);
  });

  it('returns 503 shortly before Lambda would end the function', async () => {
    const context = Object.assign(lambdaContext(), { getRemainingTimeInMillis: () => 260 });
    const hanging: UseCase<typeof getThing> = () => new Promise(() => {});
    const answer = await route(getThing, hanging, aPlatform().platform)(aRequest(), context);
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
  });
});

describe('caller', () => {
  it('is unchanged by the gateway, which passes only strings', () => {
    const text = fc.string({ minLength: 1 });
    const caller = fc.record({
      id: text,
      email: text,
      kind: fc.constantFrom('user' as const, 'client' as const),
      roles: fc.subarray([...roles]),
      clientId: text,
      ownerId: text,
      tokenExpiresAt: fc.integer({ min: 1 }),
    });
    fc.assert(
      fc.property(caller, (one) => {
        const context = toAuthorizerContext(one);
        expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
        expect(fromAuthorizerContext({ ...context, principalId: 'x', integrationLatency: 3 })).toEqual(one);
      }),
    );
  });

  it('rejects a context that the authorizer did not write', () => {
    expect(() => fromAuthorizerContext(undefined)).toThrow();
    expect(() => fromAuthorizerContext({ principalId: 'x' })).toThrow();
  });
});

describe('routeByResource', () => {
  it('selects the operation by the resource, not by the path', async () => {
    const { platform } = aPlatform();
    const handle = routeByResource([
      [getThing, route(getThing, thing, platform)],
      [createThing, route(createThing, async () => ({ status: 200 as const, body: { name: 'created' } }), platform)],
    ]);
    const send = (httpMethod: string, resource: string) =>
      handle(aRequest({ httpMethod, resource, path: '/base/api/v1/things', body: '{}' }), lambdaContext());
    expect(await send('GET', '/api/v1/things')).toMatchObject({ statusCode: 200 });
    expect(await send('HEAD', '/api/things')).toMatchObject({ body: '{"name":"a thing"}' });
    expect(() => send('GET', '/api/v1/others')).toThrow('GET /api/v1/others');
  });
});
