import { createHmac, timingSafeEqual } from 'node:crypto';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import { idPatterns } from '../../../contract/ids.ts';
import { dayMs } from '../../platform/clock.ts';
import { newSecret } from '../../platform/ids.ts';
import { memoize } from '../../platform/memoize.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readString } from '../../records/items.ts';
import { toItemKey } from '../../records/record-item.ts';
import { writeWithRetry } from '../../records/write-items.ts';

// The link in a message that acknowledges without signing in. It names a page and the person who was asked, expires after
// a day, and is signed with a key that only the worker and the function behind the link may open.

export interface AcknowledgeLinks {
  /** The address of the page that asks for a confirmation. */
  sign(subject: LinkSubject, nowMs: number): Promise<string>;
  /** Undefined for a token that this service did not sign. */
  verify(token: string): Promise<VerifiedLink | undefined>;
}

export interface LinkSubject {
  pageId: string;
  /** The position of the person in the list of people who were paged, which only grows. */
  person: number;
}

export interface VerifiedLink extends LinkSubject {
  expiresAtMs: number;
}

const lifetimeMs = dayMs;

/** Also the name under which KMS binds the key. */
export const linkKeyId = 'acknowledge-key';

const cacheMs = 5 * 60_000;

export function createAcknowledgeLinks(
  store: Pick<ItemStore, 'get' | 'transact'>,
  box: SecretBox,
  origin: string,
): AcknowledgeLinks {
  const openKey = memoize(() => openOrCreateKey(store, box), cacheMs);
  const sign = async (text: string) =>
    createHmac('sha256', await openKey(''))
      .update(text)
      .digest()
      .subarray(0, signatureBytes);
  return {
    async sign({ pageId, person }, nowMs) {
      const expires = Math.ceil((nowMs + lifetimeMs) / 1_000).toString(36);
      const text = `${pageId}.${person}.${expires}`;
      const token = `${text}.${(await sign(text)).toString('base64url')}`;
      return `${origin}/${stageName}${apiPrefixes[0]}/acknowledge?t=${token}`;
    },
    async verify(token) {
      const parts = token.split('.');
      const [pageId = '', person = '', expires = '', signature = ''] = parts;
      if (parts.length !== 4 || !idPatterns.page.test(pageId)) return undefined;
      // Before the first link, every token is forged. Whoever verifies may not create the key.
      if (!(await store.get(linkKeyId, keySort))) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const expected = await sign(parts.slice(0, 3).join('.'));
      if (given.byteLength !== signatureBytes || !timingSafeEqual(given, expected)) return undefined;
      return { pageId, person: Number(person), expiresAtMs: Number.parseInt(expires, 36) * 1_000 };
    },
  };
}

/** 128 bits keep the link short enough for an SMS. */
const signatureBytes = 16;

/** The first link creates the key. */
async function openOrCreateKey(store: Pick<ItemStore, 'get' | 'transact'>, box: SecretBox): Promise<string> {
  const find = async () => {
    const item = await store.get(linkKeyId, keySort);
    return item && box.open(linkKeyId, readString(item, 'sealed'));
  };
  const known = await find();
  if (known !== undefined) return known;
  const sealed = await box.seal(linkKeyId, newSecret());
  const put = {
    Item: { ...toItemKey(linkKeyId, keySort), sealed: { S: sealed } },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  await writeWithRetry(store, [{ name: 'key', put }]);
  const stored = await find();
  if (stored === undefined) throw new Error('the key of the acknowledge links could not be stored');
  return stored;
}

const keySort = 'key';
