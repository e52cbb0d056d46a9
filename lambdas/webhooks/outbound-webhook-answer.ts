import { apiPrefixes, stageName } from '../../contract/http.ts';
import { etagOf } from '../records/record.ts';
import { type OutboundRecord, showOutboundWebhook } from './outbound-webhook.ts';

export function outboundWebhookAnswer(record: OutboundRecord) {
  return { headers: { ETag: etagOf(record) }, body: showOutboundWebhook(record) };
}

export function outboundWebhookLocation(id: string): string {
  return `/${stageName}${apiPrefixes[0]}/webhooks/outbound/${id}`;
}

export function deliveryLocation(webhookId: string, deliveryId: string): string {
  return `${outboundWebhookLocation(webhookId)}/deliveries/${deliveryId}`;
}
