import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { showSummary } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';

export function listDeliveries(
  records: Pick<ItemStore, 'get'>,
  deliveries: Pick<DeliveryStore, 'page'>,
  seal: CursorSeal,
): UseCase<typeof routes.listDeliveries> {
  return async ({ params: { id }, query: { status, event, limit, cursor } }, { clock }) => {
    const list = `deliveries of ${id} ${status ?? ''} ${event ?? ''}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const [page] = await Promise.all([
      deliveries.page(id, { status, event }, limit, after, clock.now()),
      findRecord(records, id),
    ]);
    const next = page.next === undefined ? {} : { next_cursor: seal.seal(list, page.next) };
    return { status: 200, body: { data: page.deliveries.map(showSummary), ...next } };
  };
}
