import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { nextPage } from '../records/parts.ts';
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
      store.range({ ...events, ...after }, limit + 1),
      store.count(events),
      findRecord(store, id),
    ]);
    return {
      status: 200,
      body: { data: items.slice(0, limit).map(toEvent), ...nextPage(items, limit, seal, list), total },
    };
  };
}
