import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import type { Access } from '../../../../local/aws/service.ts';
import { decrypt as open, parseKeyId, encrypt as seal } from '../../../../local/kms/ciphertext.ts';
import { createKms, type Kms } from '../../../../local/kms/kms.ts';
import { resourceTypes } from '../../../../local/kms/resource-types.ts';
import fc from '../../../support/properties.ts';
import { aResource, aTestRuntime, credentials, overHttp, type TestRuntime } from '../test-runtime.ts';

const root = 'arn:aws:iam::123456789012:root';
const policy = { Statement: [{ Effect: 'Allow', Action: 'kms:*', Principal: { AWS: root }, Resource: '*' }] };

const aKey = (logicalId: string, properties: object = {}) =>
  aResource(resourceTypes, 'AWS::KMS::Key', logicalId, { KeyPolicy: policy, ...properties });
const mine = aKey('Mine');
const other = aKey('Other');

let runtime: TestRuntime;
let kms: Kms;
beforeEach(() => {
  runtime = aTestRuntime();
  kms = loadKms(runtime);
});
afterEach(() => runtime.end());

function loadKms(on: TestRuntime): Kms {
  const loaded = createKms(on);
  loaded.load([mine, other]);
  return loaded;
}

function withClient<T>(run: (client: KMSClient) => Promise<T>): Promise<T> {
  return overHttp(kms.service, async (endpoint) => {
    const client = new KMSClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
    try {
      return await run(client);
    } finally {
      client.destroy();
    }
  });
}

const encrypt = (client: KMSClient, text: string, context?: Record<string, string>, key = mine.physicalId) =>
  client.send(
    new EncryptCommand({ KeyId: key, Plaintext: Buffer.from(text), ...(context && { EncryptionContext: context }) }),
  );
const decrypt = (client: KMSClient, blob: Uint8Array, context?: Record<string, string>, key?: string) =>
  client.send(
    new DecryptCommand({
      CiphertextBlob: blob,
      ...(context && { EncryptionContext: context }),
      ...(key && { KeyId: key }),
    }),
  );

describe('kms', () => {
  it.each([
    ['its id', mine.physicalId],
    ['its ARN', mine.attributes.Arn!],
  ])('encrypts with a key named by %s and decrypts without its name', async (_name, key) => {
    await withClient(async (client) => {
      const { CiphertextBlob, KeyId } = await encrypt(client, 'a secret', { record_id: 'x' }, key);
      expect(KeyId).toBe(mine.attributes.Arn);
      const { Plaintext } = await decrypt(client, CiphertextBlob!, { record_id: 'x' });
      expect(Buffer.from(Plaintext!).toString()).toBe('a secret');
    });
  });

  it('never returns the same ciphertext twice', async () => {
    await withClient(async (client) => {
      const [first, second] = await Promise.all([encrypt(client, 'x'), encrypt(client, 'x')]);
      expect(first.CiphertextBlob).not.toEqual(second.CiphertextBlob);
    });
  });

  it.each([
    ['another context', { record_id: 'y' }],
    ['no context', undefined],
    ['more context', { record_id: 'x', also: 'this' }],
  ])('does not decrypt with %s', async (_name, context) => {
    await withClient(async (client) => {
      const { CiphertextBlob } = await encrypt(client, 'x', { record_id: 'x' });
      await expect(decrypt(client, CiphertextBlob!, context)).rejects.toThrow(InvalidCiphertextException);
    });
  });

  it('does not decrypt with another key than the one that encrypted', async () => {
    await withClient(async (client) => {
      const { CiphertextBlob } = await encrypt(client, 'x');
      const attempt = decrypt(client, CiphertextBlob!, undefined, other.physicalId);
      await expect(attempt).rejects.toThrow(IncorrectKeyException);
    });
  });

  it.each([
    [
      'a key that does not exist',
      '00000000-0000-0000-0000-000000000000',
      "key/00000000-0000-0000-0000-000000000000' does not exist",
    ],
    ['a key of another account', 'arn:aws:kms:eu-west-1:999999999999:key/x', 'does not exist'],
  ])('does not find %s', async (_name, key, message) => {
    await withClient(async (client) => {
      const error = await encrypt(client, 'x', undefined, key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotFoundException);
      expect((error as Error).message).toContain(message);
    });
  });

  it.each([
    ['more than 4,096 bytes', (client: KMSClient) => encrypt(client, 'x'.repeat(4_097)), 'ValidationException'],
    ['nothing to encrypt', (client: KMSClient) => encrypt(client, ''), 'ValidationException'],
    [
      'bytes that are no ciphertext',
      (client: KMSClient) => decrypt(client, Buffer.from('x')),
      'InvalidCiphertextException',
    ],
  ])('rejects %s', async (_name, attempt, name) => {
    await withClient(async (client) => {
      await expect(attempt(client)).rejects.toMatchObject({ name });
    });
  });

  it('describes keys', async () => {
    await withClient(async (client) => {
      const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: mine.physicalId }));
      expect(KeyMetadata).toMatchObject({ Arn: mine.attributes.Arn, Enabled: true, KeyState: 'Enabled' });
    });
  });

  it('decrypts after a crash what it encrypted before', async () => {
    const { CiphertextBlob } = await withClient((client) => encrypt(client, 'still here'));
    runtime = runtime.afterCrash();
    kms = loadKms(runtime);
    const { Plaintext } = await withClient((client) => decrypt(client, CiphertextBlob!));
    expect(Buffer.from(Plaintext!).toString()).toBe('still here');
  });

  it('requires permission on the key, with the context as condition keys', async () => {
    const required: Access[] = [];
    const authorize = (accesses: readonly Access[]) => void required.push(...accesses);
    const call = kms.service.call;
    const EncryptionContext = { record_id: 'wh_1' };
    const Plaintext = Buffer.from('x').toString('base64');
    const input = { KeyId: mine.physicalId, Plaintext, EncryptionContext };
    const { CiphertextBlob } = (await call('Encrypt', input, authorize)) as { CiphertextBlob: string };
    await call('Decrypt', { CiphertextBlob, EncryptionContext }, authorize);
    const context = { 'kms:EncryptionContext:record_id': 'wh_1', 'kms:EncryptionContextKeys': ['record_id'] };
    expect(required).toEqual([
      { action: 'kms:Encrypt', resource: mine.attributes.Arn, context },
      { action: 'kms:Decrypt', resource: mine.attributes.Arn, context },
    ]);
  });

  it.each([
    ['does not delegate to roles', { Statement: [] }],
    ['denies access', { Statement: [...policy.Statement, { ...policy.Statement[0], Effect: 'Deny' }] }],
  ])('rejects a key policy that %s', (_name, KeyPolicy) => {
    expect(() => createKms(runtime).load([aKey('K', { KeyPolicy })])).toThrow(/K: KeyPolicy must allow/);
  });
});

describe('a ciphertext', () => {
  const material = Buffer.alloc(32, 7);

  it('does not decrypt after any bit was changed', () => {
    const sealed = seal('key', material, Buffer.from('secret'), { a: 'b' });
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return open(material, changed, { a: 'b' }) === undefined;
      }),
    );
  });

  it('does not decrypt arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        parseKeyId(buffer);
        return open(material, buffer, {}) === undefined;
      }),
    );
  });
});
