import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type ItemStore, written } from '../records/item-store.ts';
import { readInbox, unreadOf } from './inbox.ts';
import { findReader, readUntilWrite } from './reader.ts';

export function readAllNotifications(
  store: Pick<ItemStore, 'get' | 'range' | 'transact'>,
): UseCase<typeof routes.readAllNotifications> {
  return async ({ body: { until } }, { caller, clock }) => {
    const nowMs = clock.now();
    const untilMs = until === undefined ? nowMs : Math.min(Date.parse(until), nowMs);
    await written(store, [readUntilWrite(caller.email, new Date(untilMs).toISOString())]);
    const [inbox, { readUntil }] = await Promise.all([
      readInbox(store, caller, nowMs),
      findReader(store, caller.email),
    ]);
    return { status: 200, body: { read_until: readUntil, unread: unreadOf(inbox) } };
  };
}
