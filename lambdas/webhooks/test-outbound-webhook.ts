import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { idFrom } from '../platform/ids.ts';
import { findRecord } from '../records/find-record.ts';
import { type DeliverAgainTools, occasionOf, started } from './deliver-again.ts';
import { firstDelivery } from './delivery.ts';
import type { OutboundDocument } from './outbound-webhook.ts';
import { outboundWebhookLocation } from './outbound-webhook-answer.ts';

export interface PingTools extends DeliverAgainTools {
  serviceInstance: string;
  publicUrl: string;
}

/** An event that only this webhook gets, and only once. */
export function testOutboundWebhook(tools: PingTools): UseCase<typeof routes.testOutboundWebhook> {
  return async ({ params: { id }, headers }, { caller, clock }) => {
    await findRecord<OutboundDocument>(tools.records, id);
    const nowMs = clock.now();
    const payload = JSON.stringify({
      event: 'ping',
      timestamp: new Date(nowMs).toISOString(),
      service_instance: tools.serviceInstance,
      data: { id, url: tools.publicUrl + outboundWebhookLocation(id) },
    });
    const eventId = idFrom('event', `ping ${id} ${occasionOf(headers, caller.id)}`);
    return started(firstDelivery({ webhookId: id, event: 'ping', eventId, payload }, nowMs), tools);
  };
}
