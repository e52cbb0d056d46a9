import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { findDelivery } from './deliver-again.ts';
import { showDelivery } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { OutboundDocument } from './outbound-webhook.ts';
import { asStopped } from './stopped-delivery.ts';

export function getDelivery(
  records: Pick<ItemStore, 'get'>,
  deliveries: DeliveryStore,
): UseCase<typeof routes.getDelivery> {
  return async ({ params: { id, delivery_id } }) => {
    const [delivery, webhook] = await Promise.all([
      findDelivery({ webhookId: id, deliveryId: delivery_id }, { deliveries }),
      findRecord<OutboundDocument>(records, id),
    ]);
    return { status: 200, body: showDelivery(asStopped(delivery, webhook)) };
  };
}
