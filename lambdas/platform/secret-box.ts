import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { kmsClient } from './clients/kms.ts';
import { type Clock, clock as systemClock } from './clock.ts';
import { env } from './env.ts';

// Secrets that somebody entrusted to the service are sealed with a key that only few functions may use, on top of the
// encryption of the table: who can read a record cannot yet read its secrets. A sealed value is bound to the record it
// belongs to, so that copying it into another record yields nothing.

export interface SecretBox {
  /** Takes at most `largestSecretBytes`. */
  seal(recordId: string, secret: string): Promise<string>;
  open(recordId: string, sealed: string): Promise<string>;
}

/** What KMS encrypts in one call. */
export const largestSecretBytes = 4_096;

/** An opened secret stays in the memory of a warm function for this long, so that not every request asks KMS. */
const keptMs = 5 * 60 * 1_000;

const mostKept = 500;

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
        EncryptionContext: contextOf(recordId),
      }),
    );
    return Buffer.from(Plaintext!).toString('utf8');
  };
  return {
    async seal(recordId, secret) {
      const Plaintext = Buffer.from(secret, 'utf8');
      if (Plaintext.byteLength > largestSecretBytes) {
        throw new Error(`a secret of ${recordId} has more than ${largestSecretBytes} bytes`);
      }
      const { CiphertextBlob } = await (client as KMSClient).send(
        new EncryptCommand({ KeyId: keyId, Plaintext, EncryptionContext: contextOf(recordId) }),
      );
      return Buffer.from(CiphertextBlob!).toString('base64');
    },
    open(recordId, sealed) {
      const key = `${recordId} ${sealed}`;
      const known = opened.get(key);
      if (known && known.untilMs > clock.now()) return known.secret;
      const secret = decrypt(recordId, sealed);
      opened.delete(key);
      opened.set(key, { secret, untilMs: clock.now() + keptMs });
      // The next request tries again.
      secret.catch(() => opened.delete(key));
      for (const oldest of opened.keys()) {
        if (opened.size <= mostKept) break;
        opened.delete(oldest);
      }
      return secret;
    },
  };
}

function contextOf(recordId: string): Record<string, string> {
  return { record_id: recordId };
}
