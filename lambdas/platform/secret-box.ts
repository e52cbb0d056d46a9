import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { kmsClient } from './clients/kms.ts';
import { type Clock, clock as systemClock } from './clock.ts';
import { env } from './env.ts';

// Encrypts secrets with a KMS key that few functions may use, on top of the encryption of the table: read access to a
// record does not reveal its secrets. A sealed value is bound to its record, so a copy in another record cannot be opened.

export interface SecretBox {
  /** Takes at most `maxSecretBytes`. */
  seal(recordId: string, secret: string): Promise<string>;
  open(recordId: string, sealed: string): Promise<string>;
}

/** What KMS encrypts in one call. */
export const maxSecretBytes = 4_096;

/** How long a warm function caches an opened secret, to save calls to KMS. */
const cacheTtlMs = 5 * 60 * 1_000;

const maxCached = 500;

export function createSecretBox(): SecretBox {
  const { SECRETS_KEY } = env('SECRETS_KEY');
  return secretBox(kmsClient(), SECRETS_KEY, systemClock);
}

export function secretBox(client: Pick<KMSClient, 'send'>, keyId: string, clock: Clock): SecretBox {
  const opened = new Map<string, { secret: Promise<string>; untilMs: number }>();
  const decrypt = async (recordId: string, sealed: string) => {
    const { Plaintext } = await (client as KMSClient).send(
      new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: toEncryptionContext(recordId),
      }),
    );
    return Buffer.from(Plaintext!).toString('utf8');
  };
  return {
    async seal(recordId, secret) {
      const Plaintext = Buffer.from(secret, 'utf8');
      if (Plaintext.byteLength > maxSecretBytes) {
        throw new Error(`a secret of ${recordId} has more than ${maxSecretBytes} bytes`);
      }
      const { CiphertextBlob } = await (client as KMSClient).send(
        new EncryptCommand({ KeyId: keyId, Plaintext, EncryptionContext: toEncryptionContext(recordId) }),
      );
      return Buffer.from(CiphertextBlob!).toString('base64');
    },
    open(recordId, sealed) {
      const key = `${recordId} ${sealed}`;
      const known = opened.get(key);
      if (known && known.untilMs > clock.now()) return known.secret;
      const secret = decrypt(recordId, sealed);
      opened.delete(key);
      opened.set(key, { secret, untilMs: clock.now() + cacheTtlMs });
      // The next request tries again.
      secret.catch(() => opened.delete(key));
      for (const oldest of opened.keys()) {
        if (opened.size <= maxCached) break;
        opened.delete(oldest);
      }
      return secret;
    },
  };
}

function toEncryptionContext(recordId: string): Record<string, string> {
  return { record_id: recordId };
}
