import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { operations } from '../../contract/routes.ts';
import { toFunctionAccessKeyId } from '../../local/aws/access-keys.ts';
import { fuzz } from '../hostile/fuzz.ts';
import { call, expectProblem, getToken } from '../support/http.ts';
import { startTestService } from '../support/incidents.ts';
import { type RawAnswer, sendBytes, sendRaw } from '../support/raw-http.ts';
import type { Service } from '../support/service.ts';
import { signAwsCall } from '../support/signed-aws-call.ts';

let token: string;
let api: string;
const { service } = await startTestService();
beforeAll(async () => {
  token = await getToken(service, 'manager');
  api = `${service.baseUrl}/prod/api/v1`;
});

const json = { 'content-type': 'application/json' };
const post = (path: string, body: string) => call(service, path, { method: 'POST', token, headers: json, body });

function expectRawProblem(response: RawAnswer, status: number, code: string): void {
  const headers = new Headers(response.headers as Record<string, string>);
  expectProblem({ status: response.status, headers, body: JSON.parse(response.text) }, status, code);
  expectFixedHeaders(headers);
}

function expectFixedHeaders(headers: Headers): void {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
}

const inherited = ['__proto__', 'constructor', 'hasOwnProperty', 'isPrototypeOf', 'toString', 'valueOf'];

describe('inherited property names', () => {
  it.each(inherited)('are rejected as a query parameter: %s', async (name) => {
    const response = await call(service, `/v1/incidents?${name}=1&${name}=2`, { token });
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field: name, message: 'is not a known parameter' }]);
  });

  it.each(inherited)('are ignored as a header: %s', async (name) => {
    const authorized = await sendRaw(`${api}/me`, {
      headers: ['Authorization', `Bearer ${token}`, name, '1', name, '2'],
    });
    expect(authorized.status).toBe(200);
    expectRawProblem(await sendRaw(`${api}/me`, { headers: [name, '1'] }), 401, 'unauthorized');
  });

  it.each(inherited.slice(1))('are stored as an attribute of a configuration item: %s', async (name) => {
    const created = await post(
      '/cmdb/cis',
      JSON.stringify({ name: 'web', class: 'server', attributes: { [name]: 1 } }),
    );
    expect(created.status).toBe(201);
    expect(created.body.attributes).toEqual({ [name]: 1 });
    const read = await call(service, `/cmdb/cis/${created.body.id}`, { token });
    expect(read.body.attributes).toEqual({ [name]: 1 });
  });

  it('are rejected if a schema would silently drop them', async () => {
    const response = await post(
      '/cmdb/cis',
      '{"name":"web","class":"server","attributes":{"os":{"__proto__":{"a":1}}}}',
    );
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field: 'attributes.os.__proto__', message: 'is a reserved name' }]);
  });
});

describe('request size', () => {
  it.each([2, 7, 9, 11])('is rejected with 413 at %d MiB', async (mebibytes) => {
    const body = `{"short_description":"${'x'.repeat(mebibytes * 1_048_576)}"}`;
    expectProblem(await post('/incidents', body), 413, 'payload_too_large');
  });

  it('is rejected with 413 for headers, too', async () => {
    const response = await sendRaw(`${api}/me`, { headers: ['X-Large', 'x'.repeat(20_000)] });
    expectRawProblem(response, 413, 'payload_too_large');
  });

  it('limits the nesting depth of a body', async () => {
    const body = `{"short_description":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const response = await post('/incidents', body);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.detail).toBe('body must be nested at most 100 levels deep.');
  });

  it('limits the number of values in a body', async () => {
    const response = await post('/incidents', `{"short_description":[${'0,'.repeat(60_000)}0]}`);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.detail).toBe('body must have at most 50000 values.');
  });

  it('limits the number and length of problems in a response', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => [`unknown_${index}_${'x'.repeat(100)}`, 1]);
    const response = await post('/incidents', JSON.stringify(Object.fromEntries(names)));
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toHaveLength(100);
    expect(response.body.detail).toBe(
      '5001 fields are not valid; errors lists the first 100 of them, 4901 more are not listed.',
    );
    const long = await post('/incidents', JSON.stringify({ short_description: 'x', ['y'.repeat(500_000)]: 1 }));
    expectProblem(long, 400, 'invalid_input');
    expect(JSON.stringify(long.body).length).toBeLessThan(2_000);
  });
});

describe('unusual requests', () => {
  it('ignores an unknown Expect header', async () => {
    const headers = ['Authorization', `Bearer ${token}`, 'Expect', 'x'];
    const response = await sendRaw(`${api}/me`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers['x-request-id']).toBeDefined();
    expect(response.headers['x-ratelimit-limit']).toBe('100');
  });

  it.each(['/v1/me', '/v1/incidents', '/health'])('handles HEAD %s like GET, without a body', async (path) => {
    const got = await call(service, path, { token });
    const head = await call(service, path, { method: 'HEAD', token });
    expect(head.status).toBe(200);
    expect(head.body).toBeUndefined();
    const pickShown = (headers: Headers) =>
      [...headers.keys()].filter((name) => !['connection', 'keep-alive'].includes(name)).sort();
    expect(pickShown(head.headers)).toEqual(pickShown(got.headers));
    if (path !== '/health') expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expectFixedHeaders(head.headers);
  });

  it('returns the ETag for HEAD, and 304 for the current ETag', async () => {
    const { body } = await post('/incidents', '{"short_description":"Mail is slow"}');
    const head = await call(service, `/incidents/${body.id}`, { method: 'HEAD', token });
    const etag = head.headers.get('etag')!;
    expect(etag).toMatch(/^"/);
    const headers = { 'if-none-match': etag };
    for (const method of ['GET', 'HEAD']) {
      const again = await call(service, `/incidents/${body.id}`, { method, token, headers });
      expect(again.status).toBe(304);
      expectFixedHeaders(again.headers);
    }
  });

  it('requires a token for HEAD, and returns 405 on write-only paths', async () => {
    expect((await call(service, '/v1/me', { method: 'HEAD' })).status).toBe(401);
    const response = await call(service, '/v1/incidents/bulk', { method: 'HEAD', token });
    expect(response.status).toBe(405);
    expect(response.headers.get('x-request-id')).toBeDefined();
  });

  it.each(['PROPFIND', 'TRACE', 'LINK'])('returns 405 for the method %s', async (method) => {
    expectRawProblem(await sendRaw(`${api}/me`, { method }), 405, 'method_not_allowed');
  });

  it.each([
    ['a method that nobody knows', (host: string) => `BREW /prod/api/v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a space in a header name', (host: string) => `GET /prod/api/v1/me HTTP/1.1\r\nHost: ${host}\r\nA b: c\r\n\r\n`],
    [
      'two body lengths',
      (host: string) =>
        `POST /prod/api/v1/me HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    ['CONNECT', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['no HTTP at all', () => '\u0000\u0001\u0002 hello\r\n\r\n'],
  ])('rejects %s with 400 and all common headers', async (_name, bytes) => {
    const { host } = new URL(service.baseUrl);
    expectRawProblem(await sendBytes(service.baseUrl, bytes(host)), 400, 'invalid_input');
  });

  it('disables caching and content sniffing', async () => {
    for (const response of [
      await call(service, '/v1/me', { token }),
      await call(service, '/v1/me'),
      await call(service, '/v1/nothing'),
      await call(service, '/v1/me', { method: 'OPTIONS' }),
    ])
      expectFixedHeaders(response.headers);
  });
});

describe('local server', () => {
  it.each(inherited)('finds no file and no client with the name %s', async (name) => {
    expect((await sendRaw(`${service.baseUrl}/console/${name}`)).headers['content-type']).toMatch(/^text\/html/);
    const headers = ['Content-Type', 'application/x-www-form-urlencoded', name, '1'];
    const body = `grant_type=client_credentials&client_id=${name}&client_secret=x&${name}=1&${name}=2`;
    const response = await sendRaw(`${service.baseUrl}/oauth2/token`, { method: 'POST', headers, body });
    expect(response.status).toBeLessThan(500);
    expect(JSON.parse(response.text).error).toBeDefined();
  });

  it('moves the clock by at most a year', async () => {
    const headers = ['Content-Type', 'application/json'];
    const move = { method: 'POST', headers, body: '{"advance":"99999999999999d"}' };
    expect((await sendRaw(`${service.baseUrl}/_local/clock`, move)).status).toBe(400);
  });
});

describe('the AWS endpoint', () => {
  const listTables = (credentials: Service['awsCredentials']) => {
    const client = new DynamoDBClient({ endpoint: service.awsUrl, region: 'us-east-1', credentials, maxAttempts: 1 });
    return client.send(new ListTablesCommand({})).finally(() => client.destroy());
  };

  it('accepts the access key of its data folder', async () => {
    expect((await listTables(service.awsCredentials)).TableNames).not.toHaveLength(0);
  });

  it('rejects any other access key', async () => {
    const guessed = { accessKeyId: 'operator', secretAccessKey: 'operator' };
    await expect(listTables(guessed)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  it("rejects a signature with another secret, even for a function's access key", async () => {
    const { accessKeyId } = service.awsCredentials;
    const asFunction = toFunctionAccessKeyId('incidents-local--get-health');
    await expect(listTables({ accessKeyId, secretAccessKey: 'guessed' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(listTables({ accessKeyId: asFunction, secretAccessKey: 'guessed' })).rejects.toThrow();
  });

  it.each([
    ['sqs', 'AmazonSQS.toString', '{}'],
    ['states', 'AWSStepFunctions.constructor', '{}'],
    ['cognito-idp', 'AWSCognitoIdentityProviderService.__proto__', '{}'],
    ['dynamodb', 'DynamoDB_20120810.hasOwnProperty', '{}'],
    ['dynamodb', 'DynamoDB_20120810.GetItem', '{"TableName":"toString","Key":{"__proto__":{"S":"x"}}}'],
    ['sqs', 'AmazonSQS.SendMessage', '{"QueueUrl":"__proto__","MessageBody":"x"}'],
    ['sqs', 'AmazonSQS.SendMessage', '[null'],
    ['kms', 'TrentService.valueOf', '{}'],
  ])('returns 400 for a hostile call of %s: %s %s', async (signingName, target, body) => {
    const headers = Object.entries(signAwsCall(service, signingName, target, body)).flat();
    const response = await sendRaw(`${service.awsUrl}/`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });
});

describe('host names', () => {
  const { port } = { port: () => new URL(service.baseUrl).port };

  it.each(['localhost', '127.0.0.1', '[::1]'])('accepts %s', async (name) => {
    const response = await sendRaw(`${service.baseUrl}/_local/clock`, { headers: ['Host', `${name}:${port()}`] });
    expect(response.status).toBe(200);
  });

  it.each(['evil.example', 'localhost.evil.example', 'evil.example:80', ''])(
    'rejects a web page that points the name %j at this machine',
    async (name) => {
      for (const path of ['/_local/clock', '/console/', '/prod/api/v1/me']) {
        const response = await sendRaw(`${service.baseUrl}${path}`, { headers: ['Host', name] });
        expect(response.status).toBe(421);
      }
      const aws = await sendRaw(`${service.awsUrl}/`, { method: 'POST', headers: ['Host', name], body: '{}' });
      expect(aws.status).toBe(421);
    },
  );

  it('rejects clock changes by web pages of other origins', async () => {
    const headers = ['Content-Type', 'application/json', 'Origin', 'https://evil.example'];
    const move = { method: 'POST', headers, body: '{"advance":"1m"}' };
    expect((await sendRaw(`${service.baseUrl}/_local/clock`, move)).status).toBe(403);
    expect((await sendRaw(`${service.awsUrl}/`, move)).status).toBe(403);
    const own = ['Content-Type', 'application/json', 'Origin', service.baseUrl];
    expect((await sendRaw(`${service.baseUrl}/_local/clock`, { ...move, headers: own })).status).toBe(200);
  });
});

describe('every operation', () => {
  it('handles hostile requests according to the contract', async () => {
    const { findings, deep } = await fuzz(service, { requests: 300, seed: 20_260_301 });
    expect(findings).toEqual([]);
    // Requests that fail authentication test little, so most operations must be reached.
    expect(Object.keys(deep).length).toBeGreaterThan(operations.length / 2);
  });
});
