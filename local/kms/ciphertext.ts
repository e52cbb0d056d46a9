// The format of a ciphertext: the key's id, so that Decrypt can find the key, then the nonce, tag and data of AES-256-GCM.
// The encryption context is authenticated but not included: callers of Decrypt pass the same context.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type EncryptionContext = Readonly<Record<string, string>>;

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export function encrypt(keyId: string, material: Buffer, plaintext: Buffer, context: EncryptionContext): Buffer {
  const header = formatHeader(keyId);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(formatAuthenticatedData(header, context));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
}

/** Returns undefined when the ciphertext was changed, or encrypted with another key or context. */
export function decrypt(material: Buffer, ciphertext: Buffer, context: EncryptionContext): Buffer | undefined {
  const header = formatHeader(parseKeyId(ciphertext) ?? '');
  const nonce = ciphertext.subarray(header.length, header.length + nonceBytes);
  const tag = ciphertext.subarray(header.length + nonceBytes, header.length + nonceBytes + tagBytes);
  const data = ciphertext.subarray(header.length + nonceBytes + tagBytes);
  if (tag.length < tagBytes) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', material, nonce, { authTagLength: tagBytes })
      .setAAD(formatAuthenticatedData(header, context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Returns undefined when the bytes are not a ciphertext. */
export function parseKeyId(ciphertext: Buffer): string | undefined {
  const length = ciphertext[1] ?? 0;
  if (ciphertext[0] !== version || length === 0 || ciphertext.length < 2 + length) return undefined;
  return ciphertext.subarray(2, 2 + length).toString('utf8');
}

function formatHeader(keyId: string): Buffer {
  const id = Buffer.from(keyId, 'utf8');
  return Buffer.concat([Buffer.from([version, id.length]), id]);
}

/** Sorts the context, because its order does not matter. */
function formatAuthenticatedData(header: Buffer, context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([header, Buffer.from(JSON.stringify(pairs), 'utf8')]);
}
