import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import fc from 'fast-check';
import type { Access } from '../../../../local/aws/service.ts';
import { keyIdIn, open, seal } from '../../../../local/kms/ciphertext.ts';
import { createKms, type Kms } from '../../../../local/kms/kms.ts';
import { resourceTypes } from '../../../../local/kms/resource-types.ts';
import { aGround, aResource, credentials, type Ground, overHttp } from '../sqs/ground.ts';

const root = 'arn:aws:iam::123456789012:root';
const policy = { Statement: [{ Effect: 'Allow', Action: 'kms:*', Principal: { AWS: root }, Resource: '*' }] };

const aKey = (logicalId: string, properties: object = {}) =>
  aResource(resourceTypes, 'AWS::KMS::Key', logicalId, { KeyPolicy: policy, ...properties });
const mine = aKey('Mine');
const other = aKey('Other');
const disabled = aKey('Disabled', { Enabled: false });
const alias = aResource(resourceTypes, 'AWS::KMS::Alias', 'Alias', {
  AliasName: 'alias/mine',
  TargetKeyId: mine.attributes.Arn,
});

let ground: Ground;
let kms: Kms;
beforeEach(() => {
  ground = aGround();
  kms = loaded(ground);
});
afterEach(() => ground.end());

function loaded(on: Ground): Kms {
  const made = createKms(on);
  made.load([mine, other, disabled, alias]);
  return made;
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
    ['its alias', 'alias/mine'],
    ["its alias's ARN", 'arn:aws:kms:eu-west-1:123456789012:alias/mine'],
  ])('encrypts with a key named by %s and decrypts without being told which', async (_name, key) => {
    await withClient(async (client) => {
      const { CiphertextBlob, KeyId } = await encrypt(client, 'a secret', { record_id: 'x' }, key);
      expect(KeyId).toBe(mine.attributes.Arn);
      const { Plaintext } = await decrypt(client, CiphertextBlob!, { record_id: 'x' });
      expect(Buffer.from(Plaintext!).toString()).toBe('a secret');
    });
  });

  it('never gives the same ciphertext twice', async () => {
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
    ['an alias that does not exist', 'alias/none', 'Alias arn:aws:kms:eu-west-1:123456789012:alias/none is not found.'],
    ['a key of another account', 'arn:aws:kms:eu-west-1:999999999999:key/x', 'does not exist'],
  ])('does not find %s', async (_name, key, message) => {
    await withClient(async (client) => {
      const error = await encrypt(client, 'x', undefined, key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotFoundException);
      expect((error as Error).message).toContain(message);
    });
  });

  it.each([
    [
      'a disabled key',
      (client: KMSClient) => encrypt(client, 'x', undefined, disabled.physicalId),
      'DisabledException',
    ],
    ['more than 4,096 bytes', (client: KMSClient) => encrypt(client, 'x'.repeat(4_097)), 'ValidationException'],
    ['nothing to encrypt', (client: KMSClient) => encrypt(client, ''), 'ValidationException'],
    [
      'bytes that are no ciphertext',
      (client: KMSClient) => decrypt(client, Buffer.from('x')),
      'InvalidCiphertextException',
    ],
    [
      'a data key of no size',
      (client: KMSClient) => client.send(new GenerateDataKeyCommand({ KeyId: mine.physicalId })),
      'ValidationException',
    ],
  ])('refuses %s', async (_name, attempt, name) => {
    await withClient(async (client) => {
      await expect(attempt(client)).rejects.toMatchObject({ name });
    });
  });

  it('generates data keys and tells about keys', async () => {
    await withClient(async (client) => {
      const made = await client.send(new GenerateDataKeyCommand({ KeyId: 'alias/mine', KeySpec: 'AES_256' }));
      expect(made.Plaintext).toHaveLength(32);
      const { Plaintext } = await decrypt(client, made.CiphertextBlob!);
      expect(Plaintext).toEqual(made.Plaintext);
      const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: disabled.physicalId }));
      expect(KeyMetadata).toMatchObject({ Arn: disabled.attributes.Arn, Enabled: false, KeyState: 'Disabled' });
    });
  });

  it('decrypts after a crash what it encrypted before', async () => {
    const { CiphertextBlob } = await withClient((client) => encrypt(client, 'still here'));
    ground = ground.afterCrash();
    kms = loaded(ground);
    const { Plaintext } = await withClient((client) => decrypt(client, CiphertextBlob!));
    expect(Buffer.from(Plaintext!).toString()).toBe('still here');
  });

  it('asks for permission on the key itself, with the context as condition keys', async () => {
    const asked: Access[] = [];
    const authorize = (accesses: readonly Access[]) => void asked.push(...accesses);
    const call = kms.service.call;
    const EncryptionContext = { record_id: 'wh_1' };
    const Plaintext = Buffer.from('x').toString('base64');
    const input = { KeyId: 'alias/mine', Plaintext, EncryptionContext };
    const { CiphertextBlob } = (await call('Encrypt', input, authorize)) as { CiphertextBlob: string };
    await call('Decrypt', { CiphertextBlob, EncryptionContext }, authorize);
    const context = { 'kms:EncryptionContext:record_id': 'wh_1', 'kms:EncryptionContextKeys': ['record_id'] };
    expect(asked).toEqual([
      { action: 'kms:Encrypt', resource: mine.attributes.Arn, context },
      { action: 'kms:Decrypt', resource: mine.attributes.Arn, context },
    ]);
  });

  it.each([
    ['asymmetric keys', aKey('K', { KeySpec: 'RSA_2048' }), /K: KeySpec RSA_2048 is not supported/],
    ['multi-region keys', aKey('K', { MultiRegion: true }), /K: there is one region/],
    ['a policy of its own', aKey('K', { KeyPolicy: { Statement: [] } }), /K: KeyPolicy must leave access/],
    [
      'an alias of no key',
      aResource(resourceTypes, 'AWS::KMS::Alias', 'A', { AliasName: 'alias/a', TargetKeyId: 'none' }),
      /A: the key none is unknown/,
    ],
  ])('does not start with %s', (_name, resource, message) => {
    expect(() => createKms(ground).load([resource])).toThrow(message);
  });
});

describe('a ciphertext', () => {
  const material = Buffer.alloc(32, 7);

  it('does not open after any bit of it was changed', () => {
    const sealed = seal('key', material, Buffer.from('secret'), { a: 'b' });
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return open(material, changed, { a: 'b' }) === undefined;
      }),
    );
  });

  it('makes nothing of arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        keyIdIn(buffer);
        return open(material, buffer, {}) === undefined;
      }),
    );
  });
});
