import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ContactKind } from '../../../contract/contact-kinds.ts';
import { codeDigits, codeMinutes, type NotificationRulesUpdate } from '../../../contract/contact-methods.ts';
import { deriveId, randomBelow, randomHex } from '../../platform/ids.ts';
import { retry } from '../../platform/retry.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Item, readString } from '../../records/items.ts';
import { toItemKey } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';

// The contact methods and rules of a person, in one item: sending a message reads it with one call, and the number of
// methods cannot exceed its limit by parallel requests.
//
// | Access pattern                       | Call                        | Key                                              |
// |--------------------------------------|-----------------------------|--------------------------------------------------|
// | contact methods and rules            | GetItem, TransactWriteItems | pk = contacts#<address>, sk = contacts           |
// | the last message through each method | Query                       | pk = contacts#<address>, sk = used#<method id>   |

export interface ContactMethod {
  id: string;
  kind: ContactKind;
  label: string | null;
  /** The URL of a webhook is sealed. */
  address: string;
  /** The address without secrets. */
  shown: string;
  created_at: string;
  verified_at: string | null;
  code: VerificationCode | null;
}

export interface VerificationCode {
  salt: string;
  hash: string;
  expires_ms: number;
  tries: number;
}

export interface Contacts {
  methods: readonly ContactMethod[];
  rules: NotificationRulesUpdate;
  /** 0 if nothing is stored. */
  revision: number;
}

const noRules: NotificationRulesUpdate = { pages: null, notifications: null, topics: null };

const sortKey = 'contacts';

function toPartition(email: string): string {
  return `contacts#${email.toLowerCase()}`;
}

export async function findContacts(store: Pick<ItemStore, 'get'>, email: string): Promise<Contacts> {
  const item = await store.get(toPartition(email), sortKey);
  if (!item) return { methods: [], rules: noRules, revision: 0 };
  return { ...JSON.parse(readString(item, 'document')), revision: Number(item.revision?.N) };
}

/** Applies a change to the current contacts and repeats it when another request was faster. Returns its result. */
export function changeContacts<Result>(
  store: Pick<ItemStore, 'get' | 'transact'>,
  email: string,
  apply: (before: Contacts) => { after: Omit<Contacts, 'revision'>; result: Result },
): Promise<Result> {
  return retry(
    async () => {
      const before = await findContacts(store, email);
      const { after, result } = apply(before);
      const outcome = await store.transact([buildContactsWrite(email, before.revision, after)]);
      return outcome.kind === 'written' ? { result } : undefined;
    },
    {
      exhausted: () =>
        new ServiceError('unavailable', 'Too many concurrent updates of the contact methods. Try again.'),
    },
  ).then(({ result }) => result);
}

function buildContactsWrite(email: string, before: number, { methods, rules }: Omit<Contacts, 'revision'>): Write {
  const put = {
    Item: {
      ...toItemKey(toPartition(email), sortKey),
      document: { S: JSON.stringify({ methods, rules }) },
      revision: { N: String(before + 1) },
      // Two guesses of a code lead to equal items. The store takes an equal item for its own, so each write has a token.
      write_token: { S: randomHex(8) },
    },
    ...(before === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': { N: String(before) } },
        }),
  };
  return { name: 'contacts', put };
}

// The address of the account is a verified contact method that is not stored.

export function toAccountMethod(email: string): ContactMethod {
  return {
    id: deriveId('contactMethod', `account ${email.toLowerCase()}`),
    kind: 'email',
    label: null,
    address: email,
    shown: email,
    created_at: '',
    verified_at: '',
    code: null,
  };
}

/** The methods that messages can use: verified, and of a kind that this deployment can send to. */
export function listUsable(
  account: string | undefined,
  { methods }: Pick<Contacts, 'methods'>,
  available: readonly ContactKind[],
): ContactMethod[] {
  const all = [...(account === undefined ? [] : [toAccountMethod(account)]), ...methods];
  return all.filter(({ kind, verified_at }) => verified_at !== null && available.includes(kind));
}

// Verification codes. Only a salted hash is stored.

export function newCode(nowMs: number): { code: string; stored: VerificationCode } {
  const code = String(randomBelow(10 ** codeDigits)).padStart(codeDigits, '0');
  const salt = randomHex(16);
  return { code, stored: { salt, hash: hashCode(code, salt), expires_ms: nowMs + codeMinutes * 60_000, tries: 0 } };
}

export function isCode(given: string, { salt, hash }: VerificationCode): boolean {
  return timingSafeEqual(Buffer.from(hashCode(given, salt)), Buffer.from(hash));
}

function hashCode(code: string, salt: string): string {
  return createHmac('sha256', salt).update(code).digest('hex');
}

// The last message through each method, for its owner. It expires.

export interface LastUse {
  at: string;
  outcome: 'sent' | 'retrying' | 'failed';
  error: string | null;
}

const usePrefix = 'used#';
const useRetentionSeconds = 30 * 86_400;

export function buildUseWrite(email: string, methodId: string, use: LastUse): Write {
  const put = {
    Item: {
      ...toItemKey(toPartition(email), `${usePrefix}${methodId}`),
      document: { S: JSON.stringify(use) },
      expires_at: { N: String(Math.ceil(Date.parse(use.at) / 1_000) + useRetentionSeconds) },
    },
  };
  return { name: 'use', put };
}

export async function listUses(store: Pick<ItemStore, 'range'>, email: string): Promise<ReadonlyMap<string, LastUse>> {
  const items = await store.range({ pk: toPartition(email), prefix: usePrefix }, maxUses);
  const toId = (item: Item) => readString(item, 'sk').slice(usePrefix.length);
  return new Map(items.map((item) => [toId(item), JSON.parse(readString(item, 'document'))]));
}

/** Uses of deleted methods remain until they expire. */
const maxUses = 200;
