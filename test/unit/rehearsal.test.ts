import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsError } from '../../local/aws/error.ts';
import { type AwsService, createJsonService } from '../../local/aws/service.ts';
import { createForeignAws } from '../rehearsal/foreign-aws.ts';
import { createForeignDynamoDb } from '../rehearsal/foreign-dynamodb.ts';
import { createForeignServices } from '../rehearsal/foreign-services.ts';

let server: Server;
let url: string;
let theirs: { status: number; body: object };
const targets: string[] = [];
const bodies: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    targets.push(String(request.headers['x-amz-target']));
    let body = '';
    request
      .on('data', (chunk) => {
        body += chunk;
      })
      .on('end', () => {
        bodies.push(body);
        const isCreation = String(request.headers['x-amz-target']).includes('CreateTable');
        response.writeHead(isCreation ? 200 : theirs.status).end(JSON.stringify(theirs.body));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const own = createJsonService({
  signingName: 'dynamodb',
  jsonVersion: '1.0',
  access: () => [{ action: 'dynamodb:GetItem', resource: '*' }],
  call: async (operation) =>
    operation === 'DescribeTable'
      ? { Table: { TableName: 't', KeySchema: [] } }
      : { Item: { a: { N: '1' } }, ConsumedCapacity: 1 },
});

async function read(allowed = true, service: AwsService = own) {
  const foreign = createForeignAws(url, { dynamodb: createForeignDynamoDb() });
  const request = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' },
    body: '{"TableName":"t"}',
  };
  const authorize = () => {
    if (!allowed) throw new AwsError('AccessDeniedException', 'no');
  };
  const response = await foreign.wrapService(service).handle(request, authorize, { roleArn: 'r', name: 'fn' });
  return { foreign, body: JSON.parse(String(response.body)) };
}

describe('createForeignAws', () => {
  beforeEach(() => {
    theirs = { status: 200, body: { Item: { a: { N: '1' } }, ConsumedCapacity: 2 } };
    targets.length = 0;
  });

  it('creates the table first and returns the foreign response if both agree', async () => {
    const { foreign, body } = await read();
    expect(targets).toEqual(['DynamoDB_20120810.CreateTable', 'DynamoDB_20120810.GetItem']);
    expect([foreign.calls, foreign.allowed, foreign.differences, body]).toEqual([{ dynamodb: 1 }, 1, [], theirs.body]);
  });

  it.each([
    ['another value', 200, { Item: { a: { N: '2' } } }],
    ['an attribute more', 200, { Item: { a: { N: '1' }, b: { S: '' } } }],
    ['nothing', 200, {}],
    ['an error', 400, { __type: 'com.amazonaws#ValidationException', message: 'no' }],
  ])('reports %s as a difference', async (_what, status, body) => {
    theirs = { status, body };
    expect((await read()).foreign.differences).toEqual([
      expect.objectContaining({ caller: 'fn', operation: 'GetItem' }),
    ]);
  });

  it('reports calls that are compared with no policy', async () => {
    const careless = { ...own, handle: async () => ({ status: 200, headers: {}, body: '{"Item":{"a":{"N":"1"}}}' }) };
    const { foreign } = await read(true, careless);
    expect([foreign.unchecked, foreign.allowed]).toEqual([['fn dynamodb GetItem'], 0]);
  });

  it('replaces the ids that each implementation chooses, in both directions', async () => {
    const keys = createJsonService({
      signingName: 'kms',
      jsonVersion: '1.1',
      access: () => [{ action: 'kms:Encrypt', resource: '*' }],
      call: async (operation) => (operation === 'Encrypt' ? { CiphertextBlob: 'b3du' } : { Plaintext: 'eA==' }),
    });
    const foreign = createForeignAws(url, createForeignServices());
    const kms = foreign.wrapService(keys);
    const send = async (operation: string, input: object, response: object) => {
      theirs = { status: 200, body: { KeyMetadata: { KeyId: 'their-key' }, ...response } };
      const request = {
        method: 'POST',
        path: '/',
        query: new URLSearchParams(),
        headers: { 'x-amz-target': `TrentService.${operation}` },
        body: JSON.stringify(input),
      };
      return JSON.parse(String((await kms.handle(request, () => {}, { roleArn: 'r', name: 'fn' })).body));
    };
    const encrypted = await send('Encrypt', { KeyId: 'arn/own-key' }, { CiphertextBlob: 'dGhlaXJz' });
    expect(encrypted.CiphertextBlob).toBe('b3du');
    await send('Decrypt', { KeyId: 'arn/own-key', CiphertextBlob: 'b3du' }, { Plaintext: 'eA==' });
    expect(bodies.at(-1)).toBe('{"KeyId":"arn/their-key","CiphertextBlob":"dGhlaXJz"}');
    expect(foreign.differences).toEqual([]);
  });

  it('reports calls that the policy denies', async () => {
    const { foreign } = await read(false);
    expect([foreign.denied, foreign.calls]).toEqual([['fn dynamodb GetItem'], {}]);
  });
});
