import { defaultPreferences, type Preferences, type PreferencesPatch } from '../../contract/preferences.ts';
import { type RateLimit, rateLimits } from '../../contract/rate-limits.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type ItemStore, readString, type Write } from '../records/item-store.ts';
import { assertEtagMatches, toEtag } from '../records/record.ts';
import { toItemKey } from '../records/record-item.ts';

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
// | the preferences of a person | GetItem, TransactWriteItems | pk = preferences#<address>, sk = preferences    |

interface StoredPreferences {
  /** 0 if nothing is stored. */
  version: number;
  preferences: Preferences;
}

export function getPreferences(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getPreferences> {
  return async (_input, { caller }) => toResponse(await findPreferences(store, caller.email));
}

/** Without `If-Match`, a conflicting write is retried on the newer preferences. */
export function updatePreferences(
  store: Pick<ItemStore, 'get' | 'transact'>,
): UseCase<typeof routes.updatePreferences> {
  return ({ body, headers }, { caller }) =>
    retry(
      async () => {
        const before = await findPreferences(store, caller.email);
        assertEtagMatches(headers['If-Match'], toVersioned(before));
        const after = { version: before.version + 1, preferences: applyPatch(before.preferences, body) };
        const outcome = await store.transact([toWrite(caller.email, before.version, after)]);
        return outcome.kind === 'written' ? toResponse(after) : undefined;
      },
      {
        exhausted: () => new ServiceError('unavailable', 'Too many concurrent updates of the preferences. Try again.'),
      },
    );
}

export async function findPreferences(store: Pick<ItemStore, 'get'>, email: string): Promise<StoredPreferences> {
  const item = await store.get(toPartition(email), sortKey);
  if (!item) return { version: 0, preferences: defaultPreferences };
  const stored: Partial<Preferences> = JSON.parse(readString(item, 'document'));
  // Preferences that a later release adds have their defaults.
  const notifications = { ...defaultPreferences.notifications, ...stored.notifications };
  return { version: Number(item.version?.N), preferences: { views: stored.views ?? [], notifications } };
}

const sortKey = 'preferences';

function toPartition(email: string): string {
  return `preferences#${email.toLowerCase()}`;
}

function applyPatch(before: Preferences, { views, notifications }: PreferencesPatch): Preferences {
  const changed = Object.entries(notifications ?? {}).filter(([, value]) => value !== undefined);
  return {
    views: views ?? before.views,
    notifications: { ...before.notifications, ...Object.fromEntries(changed) },
  };
}

function toWrite(email: string, beforeVersion: number, { version, preferences }: StoredPreferences): Write {
  const put = {
    Item: {
      ...toItemKey(toPartition(email), sortKey),
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

function toResponse(stored: StoredPreferences) {
  return { status: 200 as const, headers: { ETag: toEtag(toVersioned(stored)) }, body: stored.preferences };
}
