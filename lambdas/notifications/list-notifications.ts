import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import type { ItemStore } from '../records/item-store.ts';
import { fitRows, jsonBytes } from '../records/page.ts';
import { readInbox, unreadOf } from './inbox.ts';
import { notificationSortKey } from './notification.ts';

export function listNotifications(
  store: Pick<ItemStore, 'get' | 'range'>,
  seal: CursorSeal,
): UseCase<typeof routes.listNotifications> {
  return async ({ query: { group, unread, limit, cursor } }, { caller, clock }) => {
    const list = `notifications of ${JSON.stringify([caller.email, group ?? null, unread])}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const inbox = await readInbox(store, caller, clock.now(), group);
    const listed = unread ? inbox.filter(({ read }) => !read) : inbox;
    const rest = after === undefined ? listed : listed.filter(({ id }) => notificationSortKey(id) < after);
    const data = [...fitRows(rest, limit, jsonBytes)];
    const next =
      data.length < rest.length ? { next_cursor: seal.seal(list, notificationSortKey(data.at(-1)!.id)) } : {};
    return { status: 200, body: { data, ...next, total: listed.length, unread: unreadOf(inbox) } };
  };
}
