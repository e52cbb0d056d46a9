import { defaultPreferences, type Preferences, type PreferencesPatch } from '../../contract/preferences.ts';
import { type RateLimit, rateLimits } from '../../contract/rate-limits.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from '../records/item-store.ts';
import { readString } from '../records/items.ts';
import { assertEtagMatches, toEtag } from '../records/record.ts';
import { toItemKey } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';

export const getMe: UseCase<typeof routes.getMe> = async (_input, { caller }) => ({
  status: 200,
  body: {
    id: caller.id,
    email: caller.email,
    kind: caller.kind,
    roles: [...caller.roles],
    rate_limits: Object.entries<RateLimit | null>(rateLimits).flatMap(([name, rateLimit]) =>
      rateLimit ? [{ class: name, limit: rateLimit.limit, window_seconds: rateLimit.windowSeconds }] : [],
    ),
  },
});

// | Access pattern              | Call                        | Key                                            |
// |-----------------------------|-----------------------------|------------------------------------------------|
// | the preferences of a person | GetItem, TransactWriteItems | pk = preferences#<address>, sk = preferences   |
// | the shared views            | GetItem, TransactWriteItems | pk = preferences#shared, sk = preferences      |

interface StoredPreferences {
  /** 0 if nothing is stored. */
  version: number;
  preferences: Preferences;
}

/** Owns the shared views. No address has this form. */
const everyone = 'shared';

export function getPreferences(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getPreferences> {
  return async (_input, { caller }) => {
    const stored = await findPreferences(store, caller.email);
    return toResponse(stored, stored.preferences);
  };
}

export function updatePreferences(
  store: Pick<ItemStore, 'get' | 'transact'>,
): UseCase<typeof routes.updatePreferences> {
  return async ({ body, headers }, { caller }) => {
    const stored = await changePreferences(store, caller.email, body, headers['If-Match']);
    return toResponse(stored, stored.preferences);
  };
}

export function getSharedViews(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getSharedViews> {
  return async () => {
    const stored = await findPreferences(store, everyone);
    return toResponse(stored, { views: stored.preferences.views });
  };
}

export function updateSharedViews(
  store: Pick<ItemStore, 'get' | 'transact'>,
): UseCase<typeof routes.updateSharedViews> {
  return async ({ body, headers }) => {
    const stored = await changePreferences(store, everyone, body, headers['If-Match']);
    return toResponse(stored, { views: stored.preferences.views });
  };
}

/** Without `If-Match`, a conflicting write is retried on the newer preferences. */
function changePreferences(
  store: Pick<ItemStore, 'get' | 'transact'>,
  owner: string,
  patch: PreferencesPatch,
  ifMatch: string | undefined,
): Promise<StoredPreferences> {
  return retry(
    async () => {
      const before = await findPreferences(store, owner);
      assertEtagMatches(ifMatch, toVersioned(before));
      const after = { version: before.version + 1, preferences: applyPatch(before.preferences, patch) };
      const outcome = await store.transact([toWrite(owner, before.version, after)]);
      return outcome.kind === 'written' ? after : undefined;
    },
    { exhausted: () => new ServiceError('unavailable', 'Too many concurrent updates of the preferences. Try again.') },
  );
}

export async function findPreferences(store: Pick<ItemStore, 'get'>, owner: string): Promise<StoredPreferences> {
  const item = await store.get(toPartition(owner), sortKey);
  if (!item) return { version: 0, preferences: defaultPreferences };
  const stored: Partial<Preferences> = JSON.parse(readString(item, 'document'));
  // Preferences that a later release adds have their defaults.
  const notifications = { ...defaultPreferences.notifications, ...stored.notifications };
  return { version: Number(item.version?.N), preferences: { ...defaultPreferences, ...stored, notifications } };
}

const sortKey = 'preferences';

function toPartition(owner: string): string {
  return `preferences#${owner.toLowerCase()}`;
}

function applyPatch(before: Preferences, { views, notifications, time_zone }: PreferencesPatch): Preferences {
  const changed = Object.entries(notifications ?? {}).filter(([, value]) => value !== undefined);
  return {
    views: views ?? before.views,
    notifications: { ...before.notifications, ...Object.fromEntries(changed) },
    time_zone: time_zone === undefined ? before.time_zone : time_zone,
  };
}

function toWrite(owner: string, beforeVersion: number, { version, preferences }: StoredPreferences): Write {
  const put = {
    Item: {
      ...toItemKey(toPartition(owner), sortKey),
      version: { N: String(version) },
      document: { S: JSON.stringify(preferences) },
    },
    ...(beforeVersion === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#version = :before',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':before': { N: String(beforeVersion) } },
        }),
  };
  return { name: 'preferences', put };
}

function toVersioned({ version }: StoredPreferences) {
  return { version, notes_count: 0 };
}

function toResponse<Body>(stored: StoredPreferences, body: Body) {
  return { status: 200 as const, headers: { ETag: toEtag(toVersioned(stored)) }, body };
}
