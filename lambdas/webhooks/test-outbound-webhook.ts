import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { findRecord } from '../records/find-record.ts';
import { repeatable } from '../records/idempotency.ts';
import { type DeliverAgainTools, started } from './deliver-again.ts';
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
    const ping = firstDelivery({ webhookId: id, event: 'ping', eventId: newId('event'), payload }, nowMs);
    return started(ping, repeatable('testOutboundWebhook', caller, headers, { id }), tools);
  };
}
