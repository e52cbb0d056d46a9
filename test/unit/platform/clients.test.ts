import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { type DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { assertPlainCalls, dynamodbClient, withPlainCalls } from '../../../lambdas/platform/clients/dynamodb.ts';
import { s3Client } from '../../../lambdas/platform/clients/s3.ts';
import { clientDefaults } from '../../../lambdas/platform/clients/shared-client.ts';
import { sqsClient } from '../../../lambdas/platform/clients/sqs.ts';
import { createKmsSecretBox, maxSecretBytes } from '../../../lambdas/platform/secret-box.ts';

// Sends calls over real sockets to a scripted server and compares the requests with those of the SDK.

interface Arrived {
  headers: IncomingHttpHeaders;
  body: string;
}
type Reply = { status: number; body: object } | 'close the connection' | 'time out';

const secretAccessKey = 'a secret that is not one';
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey, sessionToken: 'a session' };

let server: Server;
let endpoint: string;
let arrived: Arrived[];
let replies: Reply[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrived.push({ headers: request.headers, body });
    const reply = replies.shift() ?? { status: 200, body: {} };
    if (reply === 'time out') return;
    if (reply === 'close the connection') {
      response.writeHead(200, { 'content-length': 1_000 }).write('{');
      response.destroy();
    } else {
      response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'the-id' });
      response.end(JSON.stringify(reply.body));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  arrived = [];
  replies = [];
});

const createSdkClient = () => new DynamoDBClient({ region: 'eu-west-1', endpoint, credentials, maxAttempts: 3 });

/** A client after its first call, which the SDK sends. */
async function createPlainClient(): Promise<DynamoDBClient> {
  const client = withPlainCalls(createSdkClient());
  await client.send(get);
  arrived = [];
  return client;
}

const get = new GetItemCommand({ TableName: 'records', Key: { pk: { S: 'ü "quoted" \u2028' }, sk: { N: '1.50' } } });
const put = new PutItemCommand({
  TableName: 'records',
  Item: {
    pk: { S: 'a' },
    bytes: { B: new Uint8Array([0, 255, 7]).subarray(1) },
    nested: {
      M: { B: { S: 'an attribute that is called B' }, list: { L: [{ BS: [Buffer.from('x')] }, { NULL: true }] } },
    },
  },
  ConditionExpression: undefined,
});

describe('plain calls', () => {
  it('are used by the shared client after its first call', async () => {
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = credentials;
    const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const before = process.env;
    process.env = { ...before, ...keys, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
    try {
      for (let call = 0; call < 3; call++) await dynamodbClient().send(get);
    } finally {
      process.env = before;
    }
    expect(arrived.map(({ headers }) => 'amz-sdk-request' in headers)).toEqual([true, false, false]);
  });

  it('are required of a client before it is used', () => {
    expect(() => assertPlainCalls(createSdkClient())).toThrow('lacks the middleware plainCall and plainCallResponse');
  });

  it('send the same request as the SDK, correctly signed', async () => {
    const client = await createPlainClient();
    const alone = createSdkClient();
    for (const command of [get, put]) {
      await alone.send(command as typeof get);
      await client.send(command as typeof get);
      const [sdk, plain] = arrived.splice(0) as [Arrived, Arrived];
      expect(JSON.parse(plain.body)).toEqual(JSON.parse(sdk.body));
      for (const name of ['x-amz-target', 'content-type', 'host', 'x-amz-security-token', 'content-length']) {
        expect([name, plain.headers[name]]).toEqual([name, sdk.headers[name]]);
      }
      // The expected signature is right if it equals the SDK's.
      expect(computeSignature(sdk)).toBe(expectedSignature(sdk));
      expect(computeSignature(plain)).toBe(expectedSignature(plain));
      // Only the SDK adds a header with the number of the attempt.
      expect([sdk, plain].map(({ headers }) => 'amz-sdk-request' in headers)).toEqual([true, false]);
    }
  });

  it('parse the same output as the SDK, including bytes', async () => {
    const Item = {
      pk: { S: 'a "B": b' },
      bytes: { B: 'AP8H' },
      set: { BS: ['AA==', 'Bw=='] },
      nested: { M: { B: { S: 'an attribute' }, BS: { L: [{ B: '' }] } } },
    };
    replies = [
      { status: 200, body: {} },
      { status: 200, body: { Item } },
      { status: 200, body: { Item } },
    ];
    const client = withPlainCalls(createSdkClient());
    await client.send(get);
    const [plain, sdk] = [await client.send(get), await createSdkClient().send(get)];
    expect(normal(plain.Item)).toEqual(normal(sdk.Item));
    expect(plain.$metadata).toMatchObject({ httpStatusCode: 200, requestId: 'the-id' });
  });

  it('leave errors to the SDK without another request', async () => {
    const client = await createPlainClient();
    const body = {
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { version: { N: '3' } },
    };
    replies = [{ status: 400, body }];
    const error = await client.send(put).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect((error as ConditionalCheckFailedException).Item).toEqual({ version: { N: '3' } });
    expect(arrived).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['when the service fails', { status: 500, body: { __type: 'InternalServerError', message: 'x' } }],
    ['when it is too much', { status: 400, body: { __type: 'ThrottlingException', message: 'x' } }],
    ['when the answer breaks off', 'close the connection'],
  ])('are retried %s as the same transaction', async (_when, reply) => {
    const client = await createPlainClient();
    replies = [reply];
    const Put = { TableName: 'records', Item: { pk: { S: 'a' } } };
    await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    expect(arrived).toHaveLength(2);
    const tokens = arrived.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
  });

  it.each<[string, (client: DynamoDBClient) => DynamoDBClient]>([
    ['plain calls', withPlainCalls],
    ["the SDK's own", (client) => client],
  ])('end when nobody answers, and are tried again: %s', async (_whose, made) => {
    const requestHandler = { ...clientDefaults.requestHandler, requestTimeout: 500 };
    const client = made(
      new DynamoDBClient({ ...clientDefaults, region: 'eu-west-1', endpoint, credentials, requestHandler }),
    );
    await client.send(get);
    arrived = [];
    replies = ['time out', { status: 200, body: { Item: { pk: { S: 'a' } } } }];
    expect((await client.send(get)).Item).toEqual({ pk: { S: 'a' } });
    expect(arrived).toHaveLength(2);
    replies = ['time out', 'time out', 'time out'];
    await expect(client.send(get)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(arrived).toHaveLength(5);
  });

  it("stop after the client's number of attempts", async () => {
    const client = await createPlainClient();
    const reply: Reply = { status: 500, body: { __type: 'InternalServerError', message: 'x' } };
    replies = [reply, reply, reply, reply];
    await expect(client.send(get)).rejects.toThrow();
    expect(arrived).toHaveLength(3);
  });
});

function normal(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item, (_key, value) => (value?.type === 'Buffer' ? { ...value.data } : value)));
}

function computeSignature({ headers }: Arrived): string {
  return /Signature=([0-9a-f]{64})/.exec(headers.authorization ?? '')![1]!;
}

/** Computes the signature as the documentation of Signature Version 4 describes. */
function expectedSignature({ headers, body }: Arrived): string {
  const [, scope, names] = /Credential=AKIDEXAMPLE\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')!;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = names!.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const keyed = (key: string | Buffer, part: string): Buffer => createHmac('sha256', key).update(part).digest();
  const key = scope!.split('/').reduce<string | Buffer>(keyed, `AWS4${secretAccessKey}`);
  return keyed(key, text).toString('hex');
}

describe('clients', () => {
  it.each([
    ['DynamoDB', dynamodbClient],
    ['S3', s3Client],
    ['SQS', sqsClient],
  ])('of %s are shared, bounded, and prepare no log entries', async (_name, client) => {
    process.env.AWS_REGION ??= 'us-east-1';
    expect(client()).toBe(client());
    expect(await client().config.maxAttempts()).toBe(3);
    expect(client().middlewareStack.identify().join()).not.toContain('logger');
  });
});

/** Stores the encryption context instead of encrypting, and counts its calls. */
function aKms() {
  const kms = {
    calls: [] as string[],
    down: false,
    async send(command: unknown) {
      if (kms.down) throw new Error('KMS is away');
      if (command instanceof EncryptCommand) {
        kms.calls.push('encrypt');
        const { Plaintext, EncryptionContext, KeyId } = command.input;
        const text = JSON.stringify([KeyId, EncryptionContext, Buffer.from(Plaintext!).toString()]);
        return { CiphertextBlob: Buffer.from(text) };
      }
      kms.calls.push('decrypt');
      const { CiphertextBlob, EncryptionContext, KeyId } = (command as DecryptCommand).input;
      const [keyId, context, plaintext] = JSON.parse(Buffer.from(CiphertextBlob!).toString());
      const same = keyId === KeyId && JSON.stringify(context) === JSON.stringify(EncryptionContext);
      if (!same) throw new Error('InvalidCiphertextException');
      return { Plaintext: Buffer.from(plaintext) };
    },
  };
  return kms;
}

function aBox() {
  const kms = aKms();
  const time = { nowMs: 1 };
  const box = createKmsSecretBox(kms as unknown as Pick<KMSClient, 'send'>, 'the-key', { now: () => time.nowMs });
  return { kms, time, box };
}

describe('createKmsSecretBox', () => {
  it('opens what it sealed', async () => {
    const { box } = aBox();
    const sealed = await box.seal('wh_in_1', 'whsec_ü');
    expect(await box.open('wh_in_1', sealed)).toBe('whsec_ü');
  });

  it('does not open the secret of one record for another', async () => {
    const { box } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    await box.open('wh_in_1', sealed);
    await expect(box.open('wh_in_2', sealed)).rejects.toThrow('InvalidCiphertextException');
  });

  it('decrypts a secret once in five minutes, also for concurrent requests', async () => {
    const { box, kms, time } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    await Promise.all(Array.from({ length: 20 }, () => box.open('wh_in_1', sealed)));
    time.nowMs += 5 * 60_000;
    await box.open('wh_in_1', sealed);
    expect(kms.calls).toEqual(['encrypt', 'decrypt']);
    time.nowMs++;
    await box.open('wh_in_1', sealed);
    expect(kms.calls).toEqual(['encrypt', 'decrypt', 'decrypt']);
  });

  it('does not cache a failure', async () => {
    const { box, kms } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    kms.down = true;
    await expect(box.open('wh_in_1', sealed)).rejects.toThrow('KMS is away');
    kms.down = false;
    expect(await box.open('wh_in_1', sealed)).toBe('x');
  });

  it('caches a bounded number of secrets', async () => {
    const { box, kms } = aBox();
    const sealed = await Promise.all(Array.from({ length: 1_001 }, (_, index) => box.seal(`wh_in_${index}`, 'x')));
    for (const [index, one] of sealed.entries()) await box.open(`wh_in_${index}`, one);
    kms.calls.length = 0;
    await box.open('wh_in_1000', sealed[1_000]!);
    expect(kms.calls).toEqual([]);
    await box.open('wh_in_0', sealed[0]!);
    expect(kms.calls).toEqual(['decrypt']);
  });

  it('rejects secrets that KMS would reject, without revealing them', async () => {
    const { box, kms } = aBox();
    const secret = 's'.repeat(maxSecretBytes + 1);
    const error = await box.seal('wh_in_1', secret).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/wh_in_1 has more than 4096 bytes/);
    expect(String(error)).not.toContain('sss');
    expect(kms.calls).toEqual([]);
  });
});
