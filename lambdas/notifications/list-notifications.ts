import type { routes } from '../../contract/routes.ts';
import { kept } from '../events/event-item.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import type { ItemStore } from '../records/item-store.ts';
import { nextPage } from '../records/parts.ts';
import { type Audience, notificationPartition, toNotification } from './notification.ts';

export function listNotifications(
  store: Pick<ItemStore, 'range' | 'count'>,
  seal: CursorSeal,
): UseCase<typeof routes.listNotifications> {
  return async ({ query: { group, limit, cursor } }, { caller, clock }) => {
    const audience: Audience =
      group === undefined ? { kind: 'user', name: caller.email } : { kind: 'group', name: group };
    const pk = notificationPartition(audience);
    const range = { pk, prefix: '2', order: 'newest first', filter: kept(clock.now()) } as const;
    const after = cursor === undefined ? {} : { after: seal.open(pk, cursor) };
    const [items, total] = await Promise.all([store.range({ ...range, ...after }, limit + 1), store.count(range)]);
    const data = items.slice(0, limit).map(toNotification);
    return { status: 200, body: { data, ...nextPage(items, limit, seal, pk), total } };
  };
}
