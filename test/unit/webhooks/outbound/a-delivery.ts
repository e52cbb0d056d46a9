import { createFirstVersion } from '../../../../lambdas/records/record.ts';
import { createDelivery, type Delivery } from '../../../../lambdas/webhooks/outbound/delivery.ts';
import type { OutboundDocument, OutboundRecord } from '../../../../lambdas/webhooks/outbound/webhook.ts';

export const startMs = Date.parse('2026-03-01T09:30:00Z');

export function aDelivery(fields: Partial<Delivery> = {}): Delivery {
  const job = { webhookId: 'wh_out_1', event: 'incident.created' as const, eventId: 'evt_1', payload: '{"a":1}' };
  return { ...createDelivery(job, startMs), ...fields };
}

export function aWebhookRecord(fields: Partial<OutboundDocument> = {}, id = 'wh_out_1'): OutboundRecord {
  const document: OutboundDocument = {
    name: 'A receiver',
    url: 'https://hooks.example.com/',
    events: ['incident.created'],
    filters: [],
    headers: {},
    sign_payloads: false,
    active: true,
    timeout_seconds: 10,
    inbound_webhook_id: null,
    include_own: false,
    format: 'service',
    disabled_reason: null,
    created_by: 'ada@example.com',
    secrets: [],
    active_since: new Date(startMs).toISOString(),
    stopped_at: null,
    client_id: null,
    ...fields,
  };
  return createFirstVersion(id, document, startMs);
}
