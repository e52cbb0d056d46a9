import type { routes } from '../../contract/routes.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { requireValue } from '../platform/require-value.ts';
import { type FindHidden, notFound } from '../records/find-record.ts';
import { type ItemStore, writeWithRetry } from '../records/item-store.ts';
import { type CursorSeal, fitRows, measureJson } from '../records/page.ts';
import {
  countUnread,
  findReader,
  followWrite,
  isUnread,
  listAudiences,
  readInbox,
  readUntilWrite,
  readWrite,
} from './inbox.ts';
import {
  notificationPartition,
  notificationSortKey,
  quotedRecord,
  toNotification,
  withoutQuotes,
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
    const rest = after === undefined ? listed : listed.filter(({ id }) => notificationSortKey(id) < after);
    const page = [...fitRows(rest, limit, measureJson)];
    const hidden = await findHidden(
      page.flatMap((each) => quotedRecord(each) ?? []),
      caller,
    );
    const data = page.map((each) => (hidden.has(quotedRecord(each) ?? '') ? withoutQuotes(each) : each));
    const next =
      data.length < rest.length
        ? { next_cursor: seal.seal(list, notificationSortKey(requireValue(data.at(-1)).id)) }
        : {};
    return { status: 200, body: { data, ...next, total: listed.length, unread: countUnread(inbox) } };
  };
}

/** What is for others is not found. */
export function readNotification(
  store: Pick<ItemStore, 'get' | 'transact'>,
  findHidden: FindHidden,
): UseCase<typeof routes.readNotification> {
  return async ({ params: { id } }, { caller, clock }) => {
    const audiences = listAudiences(caller, await findReader(store, caller.email));
    const places = audiences.map((audience) => store.get(notificationPartition(audience), notificationSortKey(id)));
    const item = (await Promise.all(places)).find((found) => Number(found?.expires_at?.N) * 1_000 > clock.now());
    if (!item) throw notFound(id);
    await writeWithRetry(store, [readWrite(caller.email, id, requireValue(item.expires_at))]);
    const notification = toNotification(item);
    const quoted = quotedRecord(notification);
    const hidden = await findHidden(quoted === undefined ? [] : [quoted], caller);
    const shown = hidden.size > 0 ? withoutQuotes(notification) : notification;
    return { status: 200, body: { ...shown, read: true } };
  };
}

export function readAllNotifications(
  store: Pick<ItemStore, 'get' | 'range' | 'transact'>,
): UseCase<typeof routes.readAllNotifications> {
  return async ({ body: { until } }, { caller, clock }) => {
    const nowMs = clock.now();
    const untilMs = until === undefined ? nowMs : Math.min(Date.parse(until), nowMs);
    await writeWithRetry(store, [readUntilWrite(caller.email, toIso(untilMs))]);
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

export function updateNotificationSettings(
  store: Pick<ItemStore, 'transact'>,
): UseCase<typeof routes.updateNotificationSettings> {
  return async ({ body }, { caller }) => {
    await writeWithRetry(store, [followWrite(caller.email, body.groups)]);
    return { status: 200, body };
  };
}
