import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type FindHidden, notFound } from '../records/find-record.ts';
import { type ItemStore, written } from '../records/item-store.ts';
import {
  notificationPartition,
  notificationSortKey,
  quotedRecord,
  toNotification,
  withoutQuotes,
} from './notification.ts';
import { audiencesOf, findReader, readWrite } from './reader.ts';

/** What is for others is not found. */
export function readNotification(
  store: Pick<ItemStore, 'get' | 'transact'>,
  findHidden: FindHidden,
): UseCase<typeof routes.readNotification> {
  return async ({ params: { id } }, { caller, clock }) => {
    const audiences = audiencesOf(caller, await findReader(store, caller.email));
    const places = audiences.map((audience) => store.get(notificationPartition(audience), notificationSortKey(id)));
    const item = (await Promise.all(places)).find((found) => Number(found?.expires_at?.N) * 1_000 > clock.now());
    if (!item) throw notFound(id);
    await written(store, [readWrite(caller.email, id, item.expires_at!)]);
    const notification = toNotification(item);
    const quoted = quotedRecord(notification);
    const hidden = await findHidden(quoted === undefined ? [] : [quoted], caller);
    const shown = hidden.size > 0 ? withoutQuotes(notification) : notification;
    return { status: 200, body: { ...shown, read: true } };
  };
}
