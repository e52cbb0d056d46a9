import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsError } from '../../local/aws/error.ts';
import { createJsonService } from '../../local/aws/service.ts';
import { createForeignDynamoDb } from '../rehearsal/foreign-dynamodb.ts';

let server: Server;
let url: string;
let theirs: { status: number; body: object };
const targets: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    targets.push(String(request.headers['x-amz-target']));
    request.resume().on('end', () => response.writeHead(theirs.status).end(JSON.stringify(theirs.body)));
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

async function read(allowed = true) {
  const foreign = createForeignDynamoDb(url);
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
  const response = await foreign.wrapService(own).handle(request, authorize, { roleArn: 'r', name: 'fn' });
  return { foreign, body: JSON.parse(String(response.body)) };
}

describe('createForeignDynamoDb', () => {
  beforeEach(() => {
    theirs = { status: 200, body: { Item: { a: { N: '1' } }, ConsumedCapacity: 2 } };
    targets.length = 0;
  });

  it('creates the table first and returns the foreign response if both agree', async () => {
    const { foreign, body } = await read();
    expect(targets).toEqual(['DynamoDB_20120810.CreateTable', 'DynamoDB_20120810.GetItem']);
    expect([foreign.calls, foreign.differences, body]).toEqual([1, [], theirs.body]);
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

  it('reports calls that the policy denies', async () => {
    const { foreign } = await read(false);
    expect([foreign.denied, foreign.calls]).toEqual([['fn GetItem'], 0]);
  });
});
