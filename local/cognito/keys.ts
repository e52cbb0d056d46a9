// A pool's RSA keys, one for access tokens and one for id tokens as in Cognito, and the secret that signs cookies and forms.
// They are generated once and stored.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { Storage } from '../storage/storage.ts';

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface PoolKeys {
  access: SigningKey;
  id: SigningKey;
  /** Signs cookies and forms. */
  secret: string;
}

const modulusLength = 2048;

export async function loadKeys(storage: Storage, poolId: string): Promise<PoolKeys> {
  const generateKey = async () => {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  };
  const [access, id, secret] = await Promise.all([
    loadOrCreate(storage, poolId, 'access', generateKey),
    loadOrCreate(storage, poolId, 'id', generateKey),
    loadOrCreate(storage, poolId, 'secret', async () => randomBytes(32).toString('base64url')),
  ]);
  return { access: toKey(access), id: toKey(id), secret };
}

export function toJwk({ kid, publicKey }: SigningKey): Record<string, unknown> {
  const { e, kty, n } = publicKey.export({ format: 'jwk' });
  return { alg: 'RS256', e, kid, kty, n, use: 'sig' };
}

async function loadOrCreate(
  storage: Storage,
  poolId: string,
  purpose: string,
  create: () => Promise<string>,
): Promise<string> {
  const read = () =>
    storage.prepare('SELECT pem FROM cognito_keys WHERE pool_id = ? AND purpose = ?').get([poolId, purpose])?.pem;
  const known = read();
  if (known !== undefined) return known as string;
  const created = await create();
  await storage.write(() =>
    storage
      .prepare('INSERT INTO cognito_keys (pool_id, purpose, pem) VALUES (?, ?, ?)')
      .run([poolId, purpose, created]),
  );
  return created;
}

function toKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const { e, kty, n } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64');
  return { kid, privateKey, publicKey };
}
