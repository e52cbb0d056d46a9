// Access keys for the local endpoint: one for the operator of this machine and one per function.
import { randomBytes, randomInt } from 'node:crypto';
import type { Storage } from '../storage/storage.ts';

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Creates the key once per data folder, so scripts keep working. It is random, so no other user or web page knows it. */
export async function ensureOperatorKey(storage: Storage): Promise<AccessKey> {
  storage.exec(`CREATE TABLE IF NOT EXISTS operator_key (
    id INTEGER PRIMARY KEY CHECK (id = 1), access_key_id TEXT NOT NULL, secret_access_key TEXT NOT NULL
  ) STRICT`);
  const row = storage.prepare('SELECT * FROM operator_key').get();
  if (row) return { accessKeyId: String(row.access_key_id), secretAccessKey: String(row.secret_access_key) };
  const key = createAccessKey();
  const insert = storage.prepare('INSERT INTO operator_key VALUES (1, ?, ?)');
  await storage.write(() => insert.run([key.accessKeyId, key.secretAccessKey]));
  return key;
}

function createAccessKey(): AccessKey {
  return { accessKeyId: `AKIA${createRandomText(16, alphabet)}`, secretAccessKey: randomBytes(30).toString('base64') };
}

/** Also for ids and secrets that AWS creates from lower-case letters and digits. */
export function createRandomText(length: number, characters = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}

/** Encodes the function's name in base 32, so the endpoint knows from the key whose role to check. */
export function toFunctionAccessKeyId(functionName: string): string {
  let bits = '';
  for (const byte of Buffer.from(functionName, 'utf8')) bits += byte.toString(2).padStart(8, '0');
  let key = 'LOCAL';
  for (let offset = 0; offset < bits.length; offset += 5)
    key += alphabet[Number.parseInt(bits.slice(offset, offset + 5).padEnd(5, '0'), 2)];
  // 0 is not in the alphabet, so the padding cannot make two names equal.
  return key.padEnd(16, '0');
}
