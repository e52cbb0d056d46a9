// What KMS hands out: the key's id, so that Decrypt needs no other hint, and AES-256-GCM's nonce, tag and data. The
// encryption context is authenticated, not contained: whoever decrypts has to know it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type EncryptionContext = Readonly<Record<string, string>>;

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export function seal(keyId: string, material: Buffer, plaintext: Buffer, context: EncryptionContext): Buffer {
  const head = headOf(keyId);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(authenticated(head, context));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), data]);
}

/** Undefined when the ciphertext was altered, or sealed with another key or context. */
export function open(material: Buffer, ciphertext: Buffer, context: EncryptionContext): Buffer | undefined {
  const head = headOf(keyIdIn(ciphertext) ?? '');
  const nonce = ciphertext.subarray(head.length, head.length + nonceBytes);
  const tag = ciphertext.subarray(head.length + nonceBytes, head.length + nonceBytes + tagBytes);
  const data = ciphertext.subarray(head.length + nonceBytes + tagBytes);
  if (tag.length < tagBytes) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', material, nonce, { authTagLength: tagBytes })
      .setAAD(authenticated(head, context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The key that a ciphertext names; undefined for bytes that are none. */
export function keyIdIn(ciphertext: Buffer): string | undefined {
  const length = ciphertext[1] ?? 0;
  if (ciphertext[0] !== version || length === 0 || ciphertext.length < 2 + length) return undefined;
  return ciphertext.subarray(2, 2 + length).toString('utf8');
}

function headOf(keyId: string): Buffer {
  const id = Buffer.from(keyId, 'utf8');
  return Buffer.concat([Buffer.from([version, id.length]), id]);
}

/** The order in which a caller names the pairs does not matter. */
function authenticated(head: Buffer, context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([head, Buffer.from(JSON.stringify(pairs), 'utf8')]);
}
