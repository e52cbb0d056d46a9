import * as z from 'zod';
import { eventId, eventTypes, payloadExample } from './events.ts';
import { defineOperations } from './operation.ts';
import {
  cursor,
  id,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  limit,
  logPageSchema,
  timestamp,
} from './records.ts';
import { maxAttempts } from './retry-schedule.ts';
import { outboundWebhookId } from './webhook-settings.ts';

// Delivery log of outbound webhooks.

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Webhooks subscribe to event types; pings are sent only by the test operation. */
export const deliveredTypes = [...eventTypes, 'ping'] as const;

export type DeliveredType = (typeof deliveredTypes)[number];

export const deliveryId = id(
  'delivery',
  'ID of the delivery (header `X-Service-Delivery`).',
  'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D',
);

const attempt = z
  .strictObject({
    attempt: z.int().min(1).max(maxAttempts),
    at: timestamp('Time of the attempt.'),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
    duration_ms: z.int().min(0).meta({ description: 'Duration in milliseconds.' }),
    error: z.string().nullable().meta({ description: 'Reason for the failure; null if the attempt succeeded.' }),
    response: z.string().nullable().meta({ description: 'First 1,024 bytes of the response body.' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'Delivery attempt.' });

export type Attempt = z.infer<typeof attempt>;

const summaryFields = {
  id: deliveryId,
  webhook_id: outboundWebhookId,
  event: z.enum(deliveredTypes).meta({ description: 'Type of the event.' }),
  event_id: eventId,
  status: z.enum(deliveryStatuses).meta({
    description:
      '`pending`: no attempt yet. `retrying`: waiting for the next attempt. `delivered`: the receiver returned 2xx. ' +
      '`failed`: all attempts failed. `cancelled`: the webhook was deactivated or deleted first.',
  }),
  attempts_made: z.int().min(0).max(maxAttempts),
  next_attempt_at: timestamp('Time of the next attempt; null if none is scheduled.').nullable(),
  last_status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
  replay_of: deliveryId.nullable().meta({ description: 'ID of the replayed delivery.' }),
  created_at: timestamp('Time of creation.'),
  finished_at: timestamp('Time of completion; null while in progress.').nullable(),
};

const deliverySummary = z
  .strictObject(summaryFields)
  .meta({ id: 'DeliverySummary', description: 'Delivery without attempts and payload.' });

export type DeliverySummary = z.infer<typeof deliverySummary>;

export const delivery = z
  .strictObject({
    ...summaryFields,
    attempts: z.array(attempt).meta({ description: 'Attempts, oldest first.' }),
    payload: z.record(z.string(), z.unknown()).meta({
      description:
        'Request body, identical in every attempt. Its fields depend on the `format` of the webhook and on the event.',
    }),
  })
  .meta({ id: 'Delivery', description: 'Delivery of an event to a webhook. Retained for 30 days.' });

export type DeliveryView = z.infer<typeof delivery>;

const params = z.strictObject({ id: outboundWebhookId, delivery_id: deliveryId });

const exampleSummary: DeliverySummary = {
  id: 'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D',
  webhook_id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  event: 'incident.resolved',
  event_id: 'evt_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
  status: 'delivered',
  attempts_made: 2,
  next_attempt_at: null,
  last_status: 200,
  replay_of: null,
  created_at: '2026-03-01T10:12:45.318Z',
  finished_at: '2026-03-01T10:13:15.900Z',
};

const exampleDelivery: DeliveryView = {
  ...exampleSummary,
  attempts: [
    {
      attempt: 1,
      at: '2026-03-01T10:12:45.500Z',
      status: 503,
      duration_ms: 41,
      error: 'returned 503',
      response: '',
    },
    { attempt: 2, at: '2026-03-01T10:13:15.860Z', status: 200, duration_ms: 38, error: null, response: 'ok' },
  ],
  payload: payloadExample,
};

const base = { capability: 'webhooks', access: 'itsm_manager', rateLimit: 'general' } as const;

const keyErrors = ['idempotency_key_in_flight', 'idempotency_key_reused'] as const;

const list = '/webhooks/outbound/{id}/deliveries';

const acceptedResponse = (description: string) => ({
  description,
  body: deliverySummary,
  headers: {
    Location: {
      description: 'URL of the delivery.',
      example: `/prod/api/v1/webhooks/outbound/${exampleSummary.webhook_id}/deliveries/${exampleSummary.id}`,
    },
    'Idempotent-Replayed': idempotentReplayed,
  },
  example: {
    ...exampleSummary,
    status: 'pending' as const,
    attempts_made: 0,
    last_status: null,
    finished_at: null,
  },
});

export const deliveryOperations = defineOperations({
  testOutboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound/{id}/test',
    summary: 'Test an outbound webhook',
    description:
      'Sends a signed `ping` event with all configured headers, even if the webhook is inactive. Get the delivery to see the ' +
      'response of the receiver. Pings are not retried.',
    params: idParams(outboundWebhookId),
    headers: idempotencyHeaders,
    responses: { 202: acceptedResponse('The ping was queued.') },
    errors: keyErrors,
  },
  listDeliveries: {
    ...base,
    method: 'GET',
    path: list,
    summary: 'List the deliveries of an outbound webhook',
    description:
      'Lists the deliveries of the last 30 days, newest first. Deactivating the webhook cancels pending deliveries.',
    params: idParams(outboundWebhookId),
    query: z.strictObject({
      status: z.enum(deliveryStatuses).optional().meta({ description: 'Filter by status.' }),
      event: z.enum(deliveredTypes).optional().meta({ description: 'Filter by event type.' }),
      limit,
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of deliveries.',
        body: logPageSchema(deliverySummary, 'DeliveryPage', 'A page of deliveries.'),
        example: { data: [exampleSummary], total: 1, total_is_exact: true },
      },
    },
  },
  getDelivery: {
    ...base,
    method: 'GET',
    path: `${list}/{delivery_id}`,
    summary: 'Get a delivery',
    description: 'Returns the delivery with its payload and all attempts.',
    params,
    responses: { 200: { description: 'The delivery.', body: delivery, example: exampleDelivery } },
  },
  replayDelivery: {
    ...base,
    method: 'POST',
    path: `${list}/{delivery_id}/replay`,
    summary: 'Replay a delivery',
    description:
      'Creates a delivery with the same body and the same `webhook-id`, regardless of the status of the original. The ' +
      'webhook must be active.',
    params,
    headers: idempotencyHeaders,
    responses: { 202: acceptedResponse('The new delivery was queued.') },
    errors: ['webhook_inactive', ...keyErrors],
  },
  recoverDeliveries: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound/{id}/recover',
    summary: 'Replay failed deliveries',
    description:
      'Creates a delivery for every event whose deliveries since the given time all failed. Safe to repeat: events that are ' +
      'pending or were delivered are skipped. A request starts at most 500 deliveries; if `more` is true, repeat it.',
    params: idParams(outboundWebhookId),
    body: z
      .strictObject({
        since: z.iso
          .datetime({ offset: true })
          .meta({ description: 'Start time: deliveries created since then are replayed.' }),
      })
      .meta({ id: 'Recovery', description: 'Time range to recover.' }),
    bodyExample: { since: '2026-03-01T00:00:00Z' },
    responses: {
      202: {
        description: 'The new deliveries were queued.',
        body: z
          .strictObject({
            replayed: z.int().min(0).meta({ description: 'Number of new deliveries.' }),
            more: z.boolean().meta({ description: 'Whether more failed deliveries remain.' }),
          })
          .meta({ id: 'RecoveryStarted', description: 'Result of the recovery.' }),
        example: { replayed: 12, more: false },
      },
    },
    errors: ['webhook_inactive'],
  },
});
