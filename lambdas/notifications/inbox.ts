import type { Preferences } from '../../contract/preferences.ts';
import { hasRole, roles } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { findPreferences } from '../identity/me.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { parseIdTime } from '../platform/ids.ts';
import { requireValue } from '../platform/require-value.ts';
import { retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type FindHidden, notFound } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import { type CursorSeal, fitRows, measureJson } from '../records/page.ts';
import { buildExpiryFilter } from '../records/read-items.ts';
import { recordSortKey, toExpiredItem, toItemKey } from '../records/record-item.ts';
import { type Write, writeWithRetry } from '../records/write-items.ts';
import {
  type Audience,
  getQuotedRecord,
  getTopic,
  isCompletion,
  listNotificationPartitions,
  type Notification,
  notificationPrefix,
  removeQuotes,
  toCompletion,
  toNotification,
  toNotificationSortKey,
} from './notification.ts';

export function listNotifications(
  store: Pick<ItemStore, 'get' | 'range'>,
  seal: CursorSeal,
  findHidden: FindHidden,
): UseCase<typeof routes.listNotifications> {
  return async ({ query: { group, unread, limit, cursor } }, { caller, clock }) => {
    const list = `notifications of ${JSON.stringify([caller.email, group ?? null, unread])}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const inbox = await readInbox(store, caller, clock.now(), group);
    const listed = unread ? inbox.filter(isUnread) : inbox;
    const rest = after === undefined ? listed : listed.filter(({ id }) => toNotificationSortKey(id) < after);
    const page = [...fitRows(rest, limit, measureJson)];
    const hidden = await findHidden(
      page.flatMap((each) => getQuotedRecord(each) ?? []),
      caller,
    );
    const data = page.map((each) => (hidden.has(getQuotedRecord(each) ?? '') ? removeQuotes(each) : each));
    const next =
      data.length < rest.length
        ? { next_cursor: seal.seal(list, toNotificationSortKey(requireValue(data.at(-1)).id)) }
        : {};
    return { status: 200, body: { data, ...next, total: listed.length, unread: countUnread(inbox) } };
  };
}

/** Other people's notifications are not found. */
export function readNotification(
  store: Pick<ItemStore, 'get' | 'transact'>,
  findHidden: FindHidden,
): UseCase<typeof routes.readNotification> {
  return async ({ params: { id } }, { caller, clock }) => {
    const audiences = listAudiences(caller, await findReader(store, caller.email));
    const candidates = audiences
      .flatMap(listNotificationPartitions)
      .map((pk) => store.get(pk, toNotificationSortKey(id)));
    const item = (await Promise.all(candidates)).find((found) => Number(found?.expires_at?.N) * 1_000 > clock.now());
    if (!item) throw notFound(id);
    await writeWithRetry(store, [buildReadWrite(caller.email, id, requireValue(item.expires_at))]);
    const notification = toNotification(item);
    const quoted = getQuotedRecord(notification);
    const hidden = await findHidden(quoted === undefined ? [] : [quoted], caller);
    const visible = hidden.size > 0 ? removeQuotes(notification) : notification;
    return { status: 200, body: { ...visible, read: true } };
  };
}

export function readAllNotifications(
  store: Pick<ItemStore, 'get' | 'range' | 'transact'>,
): UseCase<typeof routes.readAllNotifications> {
  return async ({ body: { until } }, { caller, clock }) => {
    const nowMs = clock.now();
    const untilMs = until === undefined ? nowMs : Math.min(Date.parse(until), nowMs);
    await writeWithRetry(store, [buildReadUntilWrite(caller.email, toIso(untilMs))]);
    const [inbox, { readUntil }] = await Promise.all([
      readInbox(store, caller, nowMs),
      findReader(store, caller.email),
    ]);
    return { status: 200, body: { read_until: readUntil, unread: countUnread(inbox) } };
  };
}

export function getNotificationSettings(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getNotificationSettings> {
  return async (_input, { caller }) => {
    const { groups } = await findReader(store, caller.email);
    return { status: 200, body: { groups: [...groups] } };
  };
}

/** A conflicting write is retried on the newer groups, so that the lists of followers match them. */
export function updateNotificationSettings(
  store: Pick<ItemStore, 'get' | 'transact'>,
): UseCase<typeof routes.updateNotificationSettings> {
  return ({ body }, { caller, clock }) =>
    retry(
      async () => {
        const { groups } = await findReader(store, caller.email);
        const outcome = await store.transact(buildFollowWrites(caller.email, groups, body.groups, clock.now()));
        return outcome.kind === 'written' ? { status: 200 as const, body } : undefined;
      },
      { exhausted: () => new ServiceError('unavailable', 'Too many concurrent updates of the settings. Try again.') },
    );
}

/** The addresses of the people who follow a group, in lower case. */
export async function listFollowers(
  store: Pick<ItemStore, 'range'>,
  group: string,
  nowMs: number,
): Promise<readonly string[]> {
  const items = await store.range({ pk: toFollowersPartition(group), prefix: followerPrefix }, maxFollowers);
  const current = items.filter(({ expires_at }) => expires_at === undefined || Number(expires_at.N) * 1_000 > nowMs);
  return current.map((item) => readString(item, 'sk').slice(followerPrefix.length));
}

/** Whether the person has read this notification, or all up to a later time. */
export async function isNotificationRead(store: Pick<ItemStore, 'get'>, email: string, id: string): Promise<boolean> {
  const [{ readUntil }, mark] = await Promise.all([
    findReader(store, email),
    store.get(toReaderPartition(email), `${readPrefix}${id}`),
  ]);
  return mark !== undefined || toIso(parseIdTime('notification', id)) <= readUntil;
}

type ReadNotification = Notification & { read: boolean; done?: true };

/** Per audience; older notifications are not listed. */
const maxNotifications = 5_000;

/**
 * Reads the notifications of the caller, or of one group, newest first, and marks the ones that the caller has read.
 * Omits topics that the caller turned off, unless a group is requested.
 */
async function readInbox(
  store: Pick<ItemStore, 'get' | 'range'>,
  caller: Pick<Caller, 'email' | 'roles'>,
  nowMs: number,
  group?: string,
): Promise<ReadNotification[]> {
  const filter = buildExpiryFilter(nowMs);
  const [reader, marks, { preferences }] = await Promise.all([
    findReader(store, caller.email),
    store.range({ pk: toReaderPartition(caller.email), prefix: readPrefix, filter }, maxNotifications),
    findPreferences(store, caller.email),
  ]);
  const audiences: Audience[] = group === undefined ? listAudiences(caller, reader) : [{ kind: 'group', name: group }];
  const readPartition = (pk: string) =>
    store.range({ pk, prefix: notificationPrefix, order: 'newest first', filter }, maxNotifications);
  const ranges = audiences.map(async (audience) =>
    (await Promise.all(listNotificationPartitions(audience).map(readPartition))).flat(),
  );
  const read = new Set(marks.map((mark) => readString(mark, 'sk').slice(readPrefix.length)));
  const inboxes = (await Promise.all(ranges)).map((items) => toInbox(items));
  // A notification for several audiences is done when it is done for one of them.
  const byId = new Map<string, Notification & { done?: true }>();
  for (const each of inboxes.flat()) if (!byId.get(each.id)?.done) byId.set(each.id, each);
  return [...byId.values()]
    .filter(({ event }) => group !== undefined || isWanted(event, preferences))
    .map((each) => ({ ...each, read: isRead(each, reader, read) }))
    .sort((a, b) => (toNotificationSortKey(a.id) < toNotificationSortKey(b.id) ? 1 : -1));
}

/** Marks the notifications that a completion of the same audience clears. */
function toInbox(items: readonly Item[]): (Notification & { done?: true })[] {
  const doneAt = new Map<string, string>();
  for (const { record_id, topics, at } of items.filter(isCompletion).map(toCompletion)) {
    for (const topic of topics) {
      const key = `${record_id} ${topic}`;
      if (at > (doneAt.get(key) ?? '')) doneAt.set(key, at);
    }
  }
  const isDone = (notification: Notification) =>
    notification.created_at <= (doneAt.get(`${getQuotedRecord(notification)} ${getTopic(notification.event)}`) ?? '');
  const notifications = items.filter((item) => !isCompletion(item)).map(toNotification);
  return notifications.map((each) => (isDone(each) ? { ...each, done: true } : each));
}

function isWanted(event: string, { notifications }: Preferences): boolean {
  const topic = getTopic(event);
  return topic === undefined || notifications[topic];
}

function isUnread({ read, done }: Pick<ReadNotification, 'read' | 'done'>): boolean {
  return !read && !done;
}

function countUnread(inbox: readonly ReadNotification[]): number {
  return inbox.filter(isUnread).length;
}

function isRead({ id, created_at }: Notification, { readUntil }: Reader, read: ReadonlySet<string>): boolean {
  return created_at <= readUntil || read.has(id);
}

// The groups that a person follows, and read marks. A group's notification is stored once, so each reader has their own
// read mark.
//
// | Access pattern                   | Call    | Key                                                          |
// |----------------------------------|---------|--------------------------------------------------------------|
// | groups that a person follows     | GetItem | pk = notification#reader#<address>, sk = #                    |
// | read marks of a person           | Query   | pk = notification#reader#<address>, sk = read#<id>            |
// | people who follow a group        | Query   | pk = notification#followers#<group>, sk = person#<address>    |

interface Reader {
  groups: readonly string[];
  /** All notifications up to this time are read. */
  readUntil: string;
}

const readPrefix = 'read#';

const followerPrefix = 'person#';

/** More people than this do not work together in a group. */
const maxFollowers = 500;

function toFollowersPartition(group: string): string {
  return `notification#followers#${group}`;
}

function toReaderPartition(email: string): string {
  return `notification#reader#${email}`;
}

async function findReader(store: Pick<ItemStore, 'get'>, email: string): Promise<Reader> {
  const item = await store.get(toReaderPartition(email), recordSortKey);
  return { groups: JSON.parse(item?.groups?.S ?? '[]'), readUntil: item?.read_until?.S ?? '' };
}

/** The audiences that the caller belongs to. */
function listAudiences({ email, roles: held }: Pick<Caller, 'email' | 'roles'>, { groups }: Reader): Audience[] {
  const names = new Set([...roles.filter((role) => hasRole(held, role)), ...groups]);
  return [{ kind: 'user', name: email }, ...[...names].map((name): Audience => ({ kind: 'group', name }))];
}

/** Fails when the groups have changed. Writes every group, because earlier releases stored no followers. */
function buildFollowWrites(
  email: string,
  before: readonly string[],
  groups: readonly string[],
  nowMs: number,
): readonly Write[] {
  const update = {
    Key: toItemKey(toReaderPartition(email), recordSortKey),
    UpdateExpression: 'SET #groups = :groups',
    ConditionExpression:
      before.length > 0 ? '#groups = :before' : '(attribute_not_exists(#groups) OR #groups = :before)',
    ExpressionAttributeNames: { '#groups': 'groups' },
    ExpressionAttributeValues: { ':groups': { S: JSON.stringify(groups) }, ':before': { S: JSON.stringify(before) } },
  };
  const sortKey = `${followerPrefix}${email.toLowerCase()}`;
  const followed = [...new Set(groups)].map((group) => toItemKey(toFollowersPartition(group), sortKey));
  const unfollowed = [...new Set(before)]
    .filter((group) => !groups.includes(group))
    .map((group) => toExpiredItem(toFollowersPartition(group), sortKey, nowMs));
  return [
    { name: 'reader', update },
    ...[...followed, ...unfollowed].map((Item) => ({ name: 'follower', put: { Item } })),
  ];
}

/** Fails when a later time is stored. */
function buildReadUntilWrite(email: string, until: string): Write {
  const update = {
    Key: toItemKey(toReaderPartition(email), recordSortKey),
    UpdateExpression: 'SET read_until = :until',
    ConditionExpression: 'attribute_not_exists(read_until) OR read_until < :until',
    ExpressionAttributeValues: { ':until': { S: until } },
  };
  return { name: 'reader', update };
}

/** Expires together with the notification. */
function buildReadWrite(email: string, id: string, expires_at: Item[string]): Write {
  return { name: 'read', put: { Item: { ...toItemKey(toReaderPartition(email), `${readPrefix}${id}`), expires_at } } };
}
