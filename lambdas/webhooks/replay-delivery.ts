import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { repeatable } from '../records/idempotency.ts';
import { activeWebhook, type DeliverAgainTools, findDelivery, started } from './deliver-again.ts';
import { replayOf } from './delivery.ts';

export function replayDelivery(tools: DeliverAgainTools): UseCase<typeof routes.replayDelivery> {
  return async ({ params: { id, delivery_id }, headers }, { caller, clock }) => {
    await activeWebhook(id, tools);
    const delivery = await findDelivery({ webhookId: id, deliveryId: delivery_id }, tools);
    const asked = repeatable('replayDelivery', caller, headers, { id, delivery_id });
    return started(replayOf(delivery, newId('delivery'), clock.now()), asked, tools);
  };
}
