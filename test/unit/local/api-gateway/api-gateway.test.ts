import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Admission } from '../../../../local/api-gateway/admission.ts';
import { ApiGateway } from '../../../../local/api-gateway/api-gateway.ts';
import { resourceTypes } from '../../../../local/api-gateway/resource-types.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { createJsonLog } from '../../../../local/log.ts';
import { loadTemplate } from '../../../../local/template/template.ts';

const environment = { stackName: 'demo', region: 'eu-west-1', accountId: '000000000000', publicUrl: '', awsUrl: '' };
const uri = (name: string) =>
  `arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-west-1:000000000000:function:${name}/invocations`;
const proxy = (name: string, more: object = {}) => ({
  'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', uri: uri(name) },
  ...more,
});
const secured = { security: [{ token: [], key: [] }] };

const body = {
  openapi: '3.0.1',
  info: {},
  paths: {
    '/things': { get: proxy('list'), post: proxy('create', secured) },
    '/things/{id}': { get: proxy('get'), 'x-amazon-apigateway-any-method': proxy('any') },
    '/things/special': { get: proxy('special') },
    '/files/{path+}': { get: proxy('files') },
    '/slow': {
      get: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri: uri('slow'), timeoutInMillis: 50 } },
    },
  },
  components: {
    securitySchemes: {
      token: {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        'x-amazon-apigateway-authtype': 'custom',
        'x-amazon-apigateway-authorizer': {
          type: 'request',
          authorizerUri: uri('authorizer'),
          identitySource: 'method.request.header.Authorization',
          authorizerResultTtlInSeconds: 300,
        },
      },
      key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
    },
  },
  'x-amazon-apigateway-api-key-source': 'AUTHORIZER',
  'x-amazon-apigateway-gateway-responses': {
    THROTTLED: {
      statusCode: 429,
      responseParameters: {
        'gatewayresponse.header.Retry-After': "'1'",
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
      },
      responseTemplates: { 'application/json': '{"code":"rate_limited","request_id":"$context.requestId"}' },
    },
    ACCESS_DENIED: {
      statusCode: 401,
      responseTemplates: { 'application/json': '{"why":"$context.authorizer.reason"}' },
    },
    INTEGRATION_FAILURE: { statusCode: 503, responseParameters: { 'gatewayresponse.header.Retry-After': "'1'" } },
  },
};

const template = {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body: body } },
    Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: { Ref: 'Api' } } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        RestApiId: { Ref: 'Api' },
        DeploymentId: { Ref: 'Deployment' },
        StageName: 'prod',
        MethodSettings: [
          { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 },
        ],
      },
    },
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: {
        ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }],
        Throttle: { RateLimit: 1, BurstLimit: 3 },
      },
    },
    Key: { Type: 'AWS::ApiGateway::ApiKey', Properties: { Value: 'consumer-one', Enabled: true } },
    PlanKey: {
      Type: 'AWS::ApiGateway::UsagePlanKey',
      Properties: { KeyId: { Ref: 'Key' }, KeyType: 'API_KEY', UsagePlanId: { Ref: 'Plan' } },
    },
  },
};

type InvokeResult = { payload: unknown; functionError?: string };
let calls: { name: string; payload: unknown }[];
let answers: Record<string, (payload: never) => InvokeResult | Promise<InvokeResult>>;
let server: Server;
const noKeys = { findByValue: () => undefined, listPlans: () => [] };

let address: string;
let clock: Clock;

beforeEach(async () => {
  calls = [];
  answers = {};
  clock = new Clock();
  const stack = loadTemplate(template, { types: resourceTypes, environment });
  const gateway = new ApiGateway({
    stack,
    keys: noKeys,
    clock,
    log: createJsonLog(() => {}),
    isUrgent: ({ resourcePath }) => resourcePath === '/things/special',
    admission: new Admission({ maxRunning: 2, maxWaitingInBurst: 1 }),
    invoke: async (arn, payload) => {
      const name = arn.split(':').pop()!;
      calls.push({ name, payload });
      return answers[name]?.(payload as never) ?? { payload: { statusCode: 200, body: JSON.stringify({ name }) } };
    },
  });
  server = createServer((request, response) => void gateway.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prod`;
});

afterEach(async () => {
  clock.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const lastEvent = () => calls.at(-1)!.payload as APIGatewayProxyEvent;

function allow(usageIdentifierKey: string) {
  const statement = {
    Effect: 'Allow',
    Action: 'execute-api:Invoke',
    Resource: 'arn:aws:execute-api:eu-west-1:000000000000:*/prod/*',
  };
  return () => ({
    payload: {
      principalId: 'me',
      policyDocument: { Version: '2012-10-17', Statement: [statement] },
      context: { role: 'agent' },
      usageIdentifierKey,
    },
  });
}

const create = (token = 'Bearer a') =>
  fetch(`${address}/things`, { method: 'POST', headers: { authorization: token }, body: '{}' });

describe('ApiGateway', () => {
  it.each([
    ['GET', '/things', 'list'],
    ['GET', '/things/special', 'special'],
    ['GET', '/things/7', 'get'],
    ['DELETE', '/things/7', 'any'],
    ['GET', '/files/a/b/c', 'files'],
  ])('routes %s %s to %s', async (method, path, name) => {
    const response = await fetch(`${address}${path}`, { method });
    expect(await response.json()).toEqual({ name });
  });

  it.each([
    ['an unknown path', 'GET', '/nothing'],
    ['an unknown method', 'PATCH', '/things'],
    ['a parameter that is empty', 'GET', '/things/'],
  ])('responds to %s like AWS', async (_name, method, path) => {
    const response = await fetch(`${address}${path}`, { method });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Missing Authentication Token' });
  });

  it('sends the event that a Lambda proxy integration sends', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const options = {
        port,
        path: '/prod/things/a%20b%2Fc?x=1&x=2&y=a+b%20c',
        headers: { 'X-Many': ['one', 'two'], 'User-Agent': 'test' },
      };
      httpRequest(options, (response) => response.resume().once('end', resolve)).end();
    });
    const event = lastEvent();
    expect(event).toMatchObject({
      resource: '/things/{id}',
      path: '/things/a%20b%2Fc',
      httpMethod: 'GET',
      pathParameters: { id: 'a%20b%2Fc' },
      queryStringParameters: { x: '2', y: 'a b c' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['a b c'] },
      headers: { 'X-Many': 'two' },
      multiValueHeaders: { 'X-Many': ['one', 'two'] },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: 'prod',
        path: '/prod/things/a%20b%2Fc',
        resourcePath: '/things/{id}',
        httpMethod: 'GET',
        identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
      },
    });
    expect(event.requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(event.headers['X-Forwarded-For']).toBe('127.0.0.1');
  });

  it('passes a missing query as null', async () => {
    await fetch(`${address}/things`);
    expect(lastEvent()).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  it("returns the function's response with multi-value headers", async () => {
    answers.list = () => ({
      payload: {
        statusCode: 201,
        headers: { 'X-One': '1', 'WWW-Authenticate': 'Bearer' },
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
        body: 'aGk=',
        isBase64Encoded: true,
      },
    });
    const response = await fetch(`${address}/things`);
    expect(response.status).toBe(201);
    expect(response.headers.get('x-one')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
    expect(await response.text()).toBe('hi');
  });

  it.each<[string, InvokeResult]>([
    ['fails', { payload: { errorMessage: 'secret detail' }, functionError: 'Unhandled' }],
    ['answers without a status', { payload: { body: 'x' } }],
    ['answers with a body that is no text', { payload: { statusCode: 200, body: {} } }],
  ])('returns 502 without details when the function %s', async (_name, invoked) => {
    answers.list = () => invoked;
    const response = await fetch(`${address}/things`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
  });

  it('stops waiting for a function at the integration timeout', async () => {
    answers.slow = () => new Promise(() => {});
    const response = await fetch(`${address}/slow`);
    expect(response.status).toBe(504);
  });

  it('rejects a body of more than 10 MB', async () => {
    const response = await fetch(`${address}/things/1`, { method: 'PUT', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(response.status).toBe(413);
    expect(calls).toEqual([]);
  });

  it('returns 401 without calling the authorizer when the header is missing', async () => {
    const response = await fetch(`${address}/things`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(calls).toEqual([]);
  });

  it("caches the authorizer's result per identity for its TTL", async () => {
    answers.authorizer = allow('consumer-one');
    await create();
    await create();
    expect(calls.map(({ name }) => name)).toEqual(['authorizer', 'create', 'create']);
    await clock.advance(301_000);
    await create();
    expect(calls.map(({ name }) => name)).toEqual(['authorizer', 'create', 'create', 'authorizer', 'create']);
  });

  it('passes the authorizer context to the function', async () => {
    answers.authorizer = allow('consumer-one');
    await create();
    expect(lastEvent().requestContext.authorizer).toMatchObject({ principalId: 'me', role: 'agent' });
    expect(lastEvent().requestContext.identity.apiKey).toBe('consumer-one');
  });

  it('formats a denial with the gateway response and the authorizer context', async () => {
    const statement = { Effect: 'Deny', Action: '*', Resource: '*' };
    answers.authorizer = () => ({
      payload: { principalId: 'x', policyDocument: { Statement: [statement] }, context: { reason: 'expired' } },
    });
    const response = await create();
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ why: 'expired' });
  });

  it.each<[string, InvokeResult, number]>([
    ['says Unauthorized', { payload: { errorMessage: 'Unauthorized' }, functionError: 'Unhandled' }, 401],
    ['fails', { payload: { errorMessage: 'boom' }, functionError: 'Unhandled' }, 500],
    ['answers nonsense', { payload: { hello: 1 } }, 500],
  ])('responds when the authorizer %s, and does not cache the failure', async (_name, invoked, status) => {
    answers.authorizer = () => invoked;
    expect((await create()).status).toBe(status);
    answers.authorizer = allow('consumer-one');
    expect((await create()).status).toBe(200);
  });

  it('calls the authorizer again after a rejected call', async () => {
    answers.authorizer = () => Promise.reject(new Error('throttled'));
    const rejected = await Promise.all([create(), create()]);
    expect(rejected.map(({ status }) => status)).toEqual([500, 500]);
    answers.authorizer = allow('consumer-one');
    expect((await create()).status).toBe(200);
  });

  it('rejects a consumer without a usage plan', async () => {
    answers.authorizer = allow('consumer-two');
    expect((await create()).status).toBe(403);
  });

  it("throttles a consumer by its plan's bucket and refills it with the clock", async () => {
    answers.authorizer = allow('consumer-one');
    const statuses = [];
    for (let index = 0; index < 4; index++) statuses.push((await create()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const rejected = await create();
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(rejected.headers.get('content-type')).toBe('application/problem+json');
    expect(((await rejected.json()) as { request_id: string }).request_id).toBe(rejected.headers.get('x-request-id'));
    await clock.advance(2000);
    expect((await create()).status).toBe(200);
  });

  it('rejects requests that exceed the queue, except urgent ones', async () => {
    const finish: (() => void)[] = [];
    answers.get = () =>
      new Promise((resolve) => finish.push(() => resolve({ payload: { statusCode: 200, body: 'done' } })));
    const running = [fetch(`${address}/things/1`), fetch(`${address}/things/2`)];
    while (finish.length < 2) await new Promise(setImmediate);
    // One of them waits, and one is rejected.
    const normal = [fetch(`${address}/things`), fetch(`${address}/things`)];
    const rejected = await Promise.race(normal);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    const urgent = fetch(`${address}/things/special`);
    expect((await fetch(`${address}/things`)).status).toBe(503);
    for (const end of finish) end();
    const responses = await Promise.all([...running, ...normal, urgent]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503]);
    expect((await urgent).status).toBe(200);
  });

  it('does not start with unsupported features', () => {
    const unsupported = structuredClone(template) as {
      Resources: Record<string, { Type: string; Properties: { Body?: typeof body } }>;
    };
    unsupported.Resources.Api!.Properties.Body!.paths['/things'].get['x-amazon-apigateway-integration'].type = 'mock';
    const stack = loadTemplate(unsupported, { types: resourceTypes, environment });
    expect(
      () =>
        new ApiGateway({
          stack,
          keys: noKeys,
          clock,
          log: createJsonLog(() => {}),
          invoke: async () => ({ payload: {} }),
        }),
    ).toThrow('only aws_proxy integrations are supported');
  });
});
