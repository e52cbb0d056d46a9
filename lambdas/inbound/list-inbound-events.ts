import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type CursorSeal, cutPage, maxPageBytes } from '../records/page.ts';
import { eventsOf, toEvent } from './event-item.ts';

export function listInboundEvents(
  store: Pick<ItemStore, 'get' | 'range' | 'count'>,
  seal: CursorSeal,
): UseCase<typeof routes.listInboundEvents> {
  return async ({ params: { id }, query: { limit, cursor } }, { clock }) => {
    const list = `events of ${id}`;
    const events = eventsOf(id, clock.now());
    const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
    const [items, total] = await Promise.all([
      store.range({ ...events, ...after, maxBytes: maxPageBytes }, limit + 1),
      store.count(events),
      findRecord(store, id),
    ]);
    const page = cutPage(items, limit, seal, list);
    return { status: 200, body: { data: page.items.map(toEvent), ...page.next, total } };
  };
}
