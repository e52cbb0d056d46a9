import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { activeWebhook, type DeliverAgainTools, findDelivery, occasionOf, started } from './deliver-again.ts';
import { replayOf } from './delivery.ts';

export function replayDelivery(tools: DeliverAgainTools): UseCase<typeof routes.replayDelivery> {
  return async ({ params: { id, delivery_id }, headers }, { caller, clock }) => {
    await activeWebhook(id, tools);
    const delivery = await findDelivery({ webhookId: id, deliveryId: delivery_id }, tools);
    return started(replayOf(delivery, occasionOf(headers, caller.id), clock.now()), tools);
  };
}
