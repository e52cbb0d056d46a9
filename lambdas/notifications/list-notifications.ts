import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { FindHidden } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type CursorSeal, fitRows, jsonBytes } from '../records/page.ts';
import { readInbox, unreadOf } from './inbox.ts';
import { notificationSortKey, quotedRecord, withoutQuotes } from './notification.ts';

export function listNotifications(
  store: Pick<ItemStore, 'get' | 'range'>,
  seal: CursorSeal,
  findHidden: FindHidden,
): UseCase<typeof routes.listNotifications> {
  return async ({ query: { group, unread, limit, cursor } }, { caller, clock }) => {
    const list = `notifications of ${JSON.stringify([caller.email, group ?? null, unread])}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const inbox = await readInbox(store, caller, clock.now(), group);
    const listed = unread ? inbox.filter(({ read }) => !read) : inbox;
    const rest = after === undefined ? listed : listed.filter(({ id }) => notificationSortKey(id) < after);
    const page = [...fitRows(rest, limit, jsonBytes)];
    const hidden = await findHidden(
      page.flatMap((each) => quotedRecord(each) ?? []),
      caller,
    );
    const data = page.map((each) => (hidden.has(quotedRecord(each) ?? '') ? withoutQuotes(each) : each));
    const next =
      data.length < rest.length ? { next_cursor: seal.seal(list, notificationSortKey(data.at(-1)!.id)) } : {};
    return { status: 200, body: { data, ...next, total: listed.length, unread: unreadOf(inbox) } };
  };
}
