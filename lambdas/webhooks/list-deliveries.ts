import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type CursorSeal, cutPage, maxPageBytes } from '../records/page.ts';
import { showSummary } from './delivery.ts';
import { toDelivery } from './delivery-item.ts';
import { deliveryRange } from './delivery-range.ts';
import type { OutboundDocument } from './outbound-webhook.ts';
import { asStopped } from './stopped-delivery.ts';

export function listDeliveries(
  records: Pick<ItemStore, 'get'>,
  events: Pick<ItemStore, 'range' | 'count'>,
  seal: CursorSeal,
): UseCase<typeof routes.listDeliveries> {
  return async ({ params: { id }, query: { status, event, limit, cursor } }, { clock }) => {
    const list = `deliveries of ${id} ${status ?? ''} ${event ?? ''}`;
    const after = cursor === undefined ? {} : { after: seal.open(list, cursor) };
    const webhook = await findRecord<OutboundDocument>(records, id);
    const range = deliveryRange(webhook, { status, event }, clock.now());
    const [items, total] = await Promise.all([
      events.range({ ...range, ...after, maxBytes: maxPageBytes }, limit + 1),
      events.count(range),
    ]);
    const page = cutPage(items, limit, seal, list);
    const data = page.items.map((item) => showSummary(asStopped(toDelivery(item), webhook)));
    return { status: 200, body: { data, ...page.next, total } };
  };
}
