import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientDefaults, createSharedClient } from './clients/shared-client.ts';
import { type Clock, clock as systemClock } from './clock.ts';
import { env } from './env.ts';
import { memoize } from './memoize.ts';
import { ServiceError } from './service-error.ts';

// Encrypts secrets with a KMS key that few functions may use, in addition to the encryption of the table, so read access
// to a record does not reveal its secrets. A sealed value is bound to its record: a copy in another record cannot be opened.

export interface SecretBox {
  /** Takes at most `maxSecretBytes`. */
  seal(recordId: string, secret: string): Promise<string>;
  open(recordId: string, sealed: string): Promise<string>;
}

/** The limit of one KMS call. */
export const maxSecretBytes = 4_096;

/** A warm function caches opened secrets, to save KMS calls. */
const cacheTtlMs = 5 * 60 * 1_000;

export function createSecretBox(): SecretBox {
  const { SECRETS_KEY } = env('SECRETS_KEY');
  return createKmsSecretBox(kmsClient(), SECRETS_KEY, systemClock);
}

export function createKmsSecretBox(client: Pick<KMSClient, 'send'>, keyId: string, clock: Clock): SecretBox {
  const decrypt = async (key: string) => {
    const [recordId = '', sealed = ''] = key.split(' ');
    const command = new DecryptCommand({
      KeyId: keyId,
      CiphertextBlob: Buffer.from(sealed, 'base64'),
      EncryptionContext: toEncryptionContext(recordId),
    });
    const { Plaintext } = await (client as KMSClient).send(command).catch(explainRefusal);
    if (!Plaintext) throw new Error('KMS returned no plaintext');
    return Buffer.from(Plaintext).toString('utf8');
  };
  const decryptOnce = memoize(decrypt, cacheTtlMs, () => clock.now());
  return {
    async seal(recordId, secret) {
      const Plaintext = Buffer.from(secret, 'utf8');
      if (Plaintext.byteLength > maxSecretBytes) {
        throw new Error(`a secret of ${recordId} has more than ${maxSecretBytes} bytes`);
      }
      const command = new EncryptCommand({ KeyId: keyId, Plaintext, EncryptionContext: toEncryptionContext(recordId) });
      const { CiphertextBlob } = await (client as KMSClient).send(command).catch(explainRefusal);
      if (!CiphertextBlob) throw new Error('KMS returned no ciphertext');
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    open(recordId, sealed) {
      return decryptOnce(`${recordId} ${sealed}`);
    },
  };
}

const refusals = new Set([
  'AccessDeniedException',
  'DisabledException',
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** Only an operator can change the state of the key or its permissions, so a retry within seconds does not help. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof Error && refusals.has(error.name))) throw error;
  const detail =
    'The encryption key of webhook secrets refused the call. An operator must check the state of the key and its permissions.';
  throw new ServiceError('unavailable', detail, { headers: { 'Retry-After': '300' }, cause: error });
}

function toEncryptionContext(recordId: string): Record<string, string> {
  return { record_id: recordId };
}

const kmsClient = createSharedClient(() => new KMSClient(clientDefaults));
