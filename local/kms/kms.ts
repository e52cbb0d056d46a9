// Keys that encrypt small values, with the permissions, condition keys and errors of AWS KMS. The key material is
// stored beside the encrypted data, so both are only as safe as the data folder.
import { randomBytes } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import {
  type Access,
  type AwsService,
  createJsonService,
  type Input,
  unsupportedOperationError,
} from '../aws/service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Properties, Resource, StackEnvironment } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';
import { decrypt, type EncryptionContext, encrypt, parseKeyId } from './ciphertext.ts';
import { toKeyArn } from './resource-types.ts';

export interface Kms {
  readonly service: Required<AwsService>;
  /** Sets up the template's keys; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
}

interface Key {
  id: string;
  arn: string;
  material: Buffer;
}

/** Calls name a key by its id or its ARN. */
interface Keys {
  byName: ReadonlyMap<string, Key>;
  environment: StackEnvironment;
}

export function createKms({ storage, environment }: { storage: Storage; environment: StackEnvironment }): Kms {
  storage.exec('CREATE TABLE IF NOT EXISTS kms_keys (key_id TEXT PRIMARY KEY, material BLOB NOT NULL)');
  const byName = new Map<string, Key>();
  const keys: Keys = { byName, environment };
  return {
    load(resources) {
      const problems: string[] = [];
      for (const { logicalId, properties, physicalId: id } of resources.filter(
        ({ type }) => type === 'AWS::KMS::Key',
      )) {
        if (!delegatesToRoles(properties, environment)) {
          problems.push(`${logicalId}: KeyPolicy must allow kms:* to the root of the account and deny nothing`);
        }
        const key = { id, arn: toKeyArn(id, environment), material: getMaterial(storage, id) };
        byName.set(id, key).set(key.arn, key);
      }
      assertSupported('KMS', problems);
    },
    service: createJsonService({
      signingName: 'kms',
      jsonVersion: '1.1',
      access: (operation, input) => getAccess(keys, operation, input),
      call: async (operation, input) => operations[operation]?.(keys, input),
    }),
  };
}

const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
const maxPlaintextBytes = 4_096;
const maxCiphertextBytes = 6_144;

const operations: Readonly<Record<string, (keys: Keys, input: Input) => unknown>> = {
  Encrypt(keys, input) {
    const { id, arn, material } = getKey(keys, input.KeyId);
    const plaintext = readBytes(input, 'Plaintext', maxPlaintextBytes);
    const ciphertext = encrypt(id, material, plaintext, readContext(input));
    return { KeyId: arn, CiphertextBlob: ciphertext.toString('base64'), ...algorithm };
  },
  Decrypt(keys, input) {
    const ciphertext = readBytes(input, 'CiphertextBlob', maxCiphertextBytes);
    const key = getKeyOfCiphertext(keys, ciphertext);
    if (input.KeyId !== undefined && getKey(keys, input.KeyId) !== key) {
      const message =
        'The key ID in the request does not identify a CMK that can perform this operation on this ciphertext.';
      throw new AwsError('IncorrectKeyException', message);
    }
    const plaintext = decrypt(key.material, ciphertext, readContext(input));
    // Like AWS, give no reason: it could help a caller without access to guess the context.
    if (!plaintext) throw invalidCiphertextError();
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64'), ...algorithm };
  },
  ListKeys({ byName }) {
    const keys = [...new Set(byName.values())].sort((a, b) => (a.id < b.id ? -1 : 1));
    return { Keys: keys.map(({ id, arn }) => ({ KeyId: id, KeyArn: arn })), Truncated: false };
  },
  DescribeKey(keys, input) {
    const { id, arn } = getKey(keys, input.KeyId);
    const fixed = { KeyUsage: 'ENCRYPT_DECRYPT', KeySpec: 'SYMMETRIC_DEFAULT', Origin: 'AWS_KMS' };
    const state = { Enabled: true, KeyState: 'Enabled', KeyManager: 'CUSTOMER' };
    return { KeyMetadata: { KeyId: id, Arn: arn, ...state, ...fixed } };
  },
};

function getAccess(keys: Keys, operation: string, input: Input): Access[] {
  if (!Object.hasOwn(operations, operation)) {
    throw unsupportedOperationError('kms', operation);
  }
  if (operation === 'ListKeys') return [{ action: 'kms:ListKeys', resource: '*' }];
  const { arn } =
    operation === 'Decrypt'
      ? getKeyOfCiphertext(keys, readBytes(input, 'CiphertextBlob', maxCiphertextBytes))
      : getKey(keys, input.KeyId);
  const pairs = Object.entries(readContext(input));
  const context = {
    ...Object.fromEntries(pairs.map(([name, value]) => [`kms:EncryptionContext:${name}`, value])),
    ...(pairs.length > 0 && { 'kms:EncryptionContextKeys': pairs.map(([name]) => name) }),
  };
  return [{ action: `kms:${operation}`, resource: arn, context }];
}

function getKey({ byName, environment }: Keys, name: unknown): Key {
  if (typeof name !== 'string' || name === '') throw new AwsError('ValidationException', 'KeyId is required');
  const key = byName.get(name);
  if (key) return key;
  const arn = name.startsWith('arn:') ? name : toKeyArn(name, environment);
  throw new AwsError('NotFoundException', `Key '${arn}' does not exist`);
}

function getKeyOfCiphertext(keys: Keys, ciphertext: Buffer): Key {
  const id = parseKeyId(ciphertext);
  if (id === undefined) throw invalidCiphertextError();
  const key = keys.byName.get(id);
  if (key) return key;
  const message =
    'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are ' +
    'not allowed to access.';
  throw new AwsError('AccessDeniedException', message);
}

function readBytes(input: Input, name: string, maxBytes: number): Buffer {
  const bytes = Buffer.from(typeof input[name] === 'string' ? input[name] : '', 'base64');
  if (bytes.length >= 1 && bytes.length <= maxBytes) return bytes;
  const field = name.charAt(0).toLowerCase() + name.slice(1);
  const bound = bytes.length < 1 ? 'greater than or equal to 1' : `less than or equal to ${maxBytes}`;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must have length ${bound}`,
  );
}

function readContext({ EncryptionContext: context = {} }: Input): EncryptionContext {
  const isObject = typeof context === 'object' && context !== null;
  if (isObject && Object.values(context).every((value) => typeof value === 'string')) return context;
  throw new AwsError('SerializationException', 'The values of the encryption context must be strings.');
}

function invalidCiphertextError(): AwsError {
  return new AwsError('InvalidCiphertextException', '');
}

/** The only supported key policy is CDK's default, which leaves the decision to the policies of roles. */
function delegatesToRoles({ KeyPolicy }: Properties, { accountId }: StackEnvironment): boolean {
  const statements: Properties[] = [KeyPolicy?.Statement ?? []].flat();
  const delegates = ({ Effect, Action, Principal }: Properties) =>
    Effect === 'Allow' && Action === 'kms:*' && Principal?.AWS === `arn:aws:iam::${accountId}:root`;
  return statements.some(delegates) && statements.every(({ Effect }) => Effect === 'Allow');
}

function getMaterial(storage: Storage, keyId: string): Buffer {
  const stored = storage.prepare('SELECT material FROM kms_keys WHERE key_id = ?').get([keyId])?.material;
  if (stored !== undefined) return Buffer.from(stored as Uint8Array);
  const material = randomBytes(32);
  storage.writeNow(() => storage.prepare('INSERT INTO kms_keys VALUES (?, ?)').run([keyId, material]));
  return material;
}
