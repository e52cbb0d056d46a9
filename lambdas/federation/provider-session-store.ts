import { maxSecretBytes, type SecretBox } from '../platform/secret-box.ts';
import type { ItemStore } from '../records/item-store.ts';
import { readString } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import { type Write, writeWithRetry } from '../records/write-items.ts';

// What the identity provider said last about a person, with the sealed access token that asks it again.
//
// | Access pattern             | Call                | Key                                              |
// |----------------------------|---------------------|--------------------------------------------------|
// | the person of an identity  | GetItem, PutItem    | pk = sso#identity#<provider>#<subject>, sk = sso |
// | the session of a person    | GetItem, PutItem    | pk = sso#person#<user name>, sk = sso            |

export interface ProviderSession {
  username: string;
  provider: string;
  subject: string;
  confirmedMs: number;
  /** Absent for SAML. */
  accessToken?: string | undefined;
}

export interface ProviderSessionStore {
  findUsername(provider: string, subject: string): Promise<string | undefined>;
  find(username: string): Promise<ProviderSession | undefined>;
  save(session: ProviderSession): Promise<void>;
}

/** A person who stays away longer is found by the verified address. */
const retentionSeconds = 365 * 86_400;

const sortKey = 'sso';

export function createProviderSessionStore(
  store: Pick<ItemStore, 'get' | 'transact'>,
  box: SecretBox,
): ProviderSessionStore {
  return {
    async findUsername(provider, subject) {
      const item = await store.get(toIdentityKey(provider, subject), sortKey);
      return item && readString(item, 'username');
    },
    async find(username) {
      const item = await store.get(toPersonKey(username), sortKey);
      if (!item) return undefined;
      const { sealed, ...session } = JSON.parse(readString(item, 'session'));
      return { ...session, accessToken: sealed && (await box.open(toSealId(username), sealed)) };
    },
    async save({ accessToken, ...session }) {
      const { username, provider, subject, confirmedMs } = session;
      // A token that is too long to seal is dropped: the person signs in again instead.
      const isKept = accessToken !== undefined && Buffer.byteLength(accessToken) <= maxSecretBytes;
      const sealed = isKept ? await box.seal(toSealId(username), accessToken) : undefined;
      const expires = { expires_at: { N: String(Math.ceil(confirmedMs / 1_000) + retentionSeconds) } };
      const put = (name: string, pk: string, attribute: string, text: string): Write => ({
        name,
        put: { Item: { ...toItemKey(pk, sortKey), [attribute]: { S: text }, ...expires } },
      });
      await writeWithRetry(store, [
        put('identity', toIdentityKey(provider, subject), 'username', username),
        put('person', toPersonKey(username), 'session', JSON.stringify({ ...session, sealed })),
      ]);
    },
  };
}

function toIdentityKey(provider: string, subject: string): string {
  return `sso#identity#${provider}#${subject}`;
}

function toPersonKey(username: string): string {
  return `sso#person#${username}`;
}

function toSealId(username: string): string {
  return `sso_${username}`;
}
