// The access key of whoever runs this machine. It is made once per data folder, so that scripts keep working, and it is
// random, so that nobody else on the machine and no web page has it.
import { randomBytes, randomInt } from 'node:crypto';
import type { Storage } from '../storage/storage.ts';

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export async function ensureOperatorKey(storage: Storage): Promise<AccessKey> {
  storage.exec(`CREATE TABLE IF NOT EXISTS operator_key (
    id INTEGER PRIMARY KEY CHECK (id = 1), access_key_id TEXT NOT NULL, secret_access_key TEXT NOT NULL
  ) STRICT`);
  const row = storage.prepare('SELECT * FROM operator_key').get();
  if (row) return { accessKeyId: String(row.access_key_id), secretAccessKey: String(row.secret_access_key) };
  const key = newAccessKey();
  const insert = storage.prepare('INSERT INTO operator_key VALUES (1, ?, ?)');
  await storage.write(() => insert.run([key.accessKeyId, key.secretAccessKey]));
  return key;
}

function newAccessKey(): AccessKey {
  const id = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return { accessKeyId: `AKIA${id}`, secretAccessKey: randomBytes(30).toString('base64') };
}
