// Keys that encrypt small values. The calls, their permissions with KMS's condition keys, and their refusals are those of
// the cloud.
import { randomBytes } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import { type Access, type AwsService, type Input, jsonService } from '../aws/service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { type EncryptionContext, keyIdIn, open, seal } from './ciphertext.ts';
import { type Key, Keys } from './keys.ts';

export interface Kms {
  readonly service: Required<AwsService>;
  /** Sets up the keys that the template declares; throws a list of what it cannot honour. */
  load(resources: readonly Resource[]): void;
}

export function createKms({ storage, environment }: { storage: Storage; environment: StackEnvironment }): Kms {
  const keys = new Keys(storage, environment);
  return {
    load: (resources) => keys.load(resources),
    service: jsonService({
      signingName: 'kms',
      jsonVersion: '1.1',
      access: (operation, input) => accessOf(keys, operation, input),
      call: async (operation, input) => operations[operation]!(keys, input),
    }),
  };
}

const operations: Readonly<Record<string, (keys: Keys, input: Input) => unknown>> = {
  Encrypt(keys, input) {
    const key = usable(keys.get(input.KeyId));
    const plaintext = bytesOf(input, 'Plaintext', largestPlaintextBytes);
    return { KeyId: key.arn, CiphertextBlob: sealed(key, plaintext, contextOf(input)), ...algorithm };
  },
  Decrypt(keys, input) {
    const ciphertext = bytesOf(input, 'CiphertextBlob', largestCiphertextBytes);
    const key = usable(keyOf(keys, ciphertext));
    if (input.KeyId !== undefined && keys.get(input.KeyId) !== key) {
      const message =
        'The key ID in the request does not identify a CMK that can perform this operation on this ciphertext.';
      throw new AwsError('IncorrectKeyException', message);
    }
    const plaintext = open(key.material, ciphertext, contextOf(input));
    // The cloud gives no reason either: who may not read a value must not learn what was wrong with the attempt.
    if (!plaintext) throw invalidCiphertext();
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64'), ...algorithm };
  },
  GenerateDataKey(keys, input) {
    const key = usable(keys.get(input.KeyId));
    const plaintext = randomBytes(dataKeyBytes(input));
    const CiphertextBlob = sealed(key, plaintext, contextOf(input));
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64'), CiphertextBlob };
  },
  DescribeKey(keys, input) {
    const { id, arn, enabled } = keys.get(input.KeyId);
    const KeyState = enabled ? 'Enabled' : 'Disabled';
    const fixed = { KeyUsage: 'ENCRYPT_DECRYPT', KeySpec: 'SYMMETRIC_DEFAULT', Origin: 'AWS_KMS' };
    return { KeyMetadata: { KeyId: id, Arn: arn, Enabled: enabled, KeyState, KeyManager: 'CUSTOMER', ...fixed } };
  },
};

const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };

/** KMS's own bounds. */
const largestPlaintextBytes = 4_096;
const largestCiphertextBytes = 6_144;
const largestDataKeyBytes = 1_024;

function accessOf(keys: Keys, operation: string, input: Input): Access[] {
  if (!operations[operation]) {
    throw new AwsError('UnsupportedOperationException', `The local runtime does not implement kms:${operation}.`);
  }
  const { arn } =
    operation === 'Decrypt'
      ? keyOf(keys, bytesOf(input, 'CiphertextBlob', largestCiphertextBytes))
      : keys.get(input.KeyId);
  const pairs = Object.entries(contextOf(input));
  const context = {
    ...Object.fromEntries(pairs.map(([name, value]) => [`kms:EncryptionContext:${name}`, value])),
    ...(pairs.length > 0 && { 'kms:EncryptionContextKeys': pairs.map(([name]) => name) }),
  };
  return [{ action: `kms:${operation}`, resource: arn, context }];
}

function keyOf(keys: Keys, ciphertext: Buffer): Key {
  const id = keyIdIn(ciphertext);
  if (id === undefined) throw invalidCiphertext();
  const key = keys.find(id);
  if (key) return key;
  const message =
    'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are ' +
    'not allowed to access.';
  throw new AwsError('AccessDeniedException', message);
}

function usable(key: Key): Key {
  if (!key.enabled) throw new AwsError('DisabledException', `${key.arn} is disabled.`);
  return key;
}

function sealed({ id, material }: Key, plaintext: Buffer, context: EncryptionContext): string {
  return seal(id, material, plaintext, context).toString('base64');
}

function bytesOf(input: Input, name: string, largest: number): Buffer {
  const bytes = Buffer.from(typeof input[name] === 'string' ? input[name] : '', 'base64');
  if (bytes.length >= 1 && bytes.length <= largest) return bytes;
  const field = name[0]!.toLowerCase() + name.slice(1);
  const bound =
    bytes.length < 1
      ? 'Member must have length greater than or equal to 1'
      : `Member must have length less than or equal to ${largest}`;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: ${bound}`,
  );
}

function dataKeyBytes({ KeySpec, NumberOfBytes }: Input): number {
  if ((KeySpec === undefined) === (NumberOfBytes === undefined)) {
    throw new AwsError('ValidationException', 'Please specify either number of bytes or key spec.');
  }
  const bytes = KeySpec === undefined ? NumberOfBytes : { AES_128: 16, AES_256: 32 }[KeySpec as string];
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= largestDataKeyBytes) return bytes;
  throw new AwsError('ValidationException', 'The key spec or the number of bytes is not valid.');
}

function contextOf({ EncryptionContext = {} }: Input): EncryptionContext {
  const texts = typeof EncryptionContext === 'object' && EncryptionContext !== null;
  if (texts && Object.values(EncryptionContext).every((value) => typeof value === 'string')) return EncryptionContext;
  throw new AwsError('SerializationException', 'The encryption context must hold texts only.');
}

function invalidCiphertext(): AwsError {
  return new AwsError('InvalidCiphertextException', '');
}
