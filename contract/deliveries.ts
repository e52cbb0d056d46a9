import * as z from 'zod';
import { eventId, eventPayload, eventTypes, payloadExample } from './events.ts';
import { defineOperations } from './operation.ts';
import { outboundWebhookId } from './outbound-webhook-id.ts';
import { cursor, idempotencyHeaders, idempotentReplayed, idParams, limit, pageOf, timestamp } from './records.ts';

// What became of each event that a webhook was to be told of.

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Webhooks subscribe to events; a ping is sent on request only. */
export const deliveredTypes = [...eventTypes, 'ping'] as const;

export type DeliveredType = (typeof deliveredTypes)[number];

export const mostAttempts = 5;

export const deliveryId = z
  .string()
  .regex(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({
    description: 'The id of the delivery (header `X-Service-Delivery`).',
    examples: ['dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D'],
  });

const attempt = z
  .strictObject({
    attempt: z.int().min(1).max(mostAttempts),
    at: timestamp('When it was made.'),
    status: z.int().nullable().meta({ description: 'The HTTP status of the answer; null when there was none.' }),
    duration_ms: z.int().min(0).meta({ description: 'How long it took.' }),
    error: z.string().nullable().meta({ description: 'Why there was no good answer; null when there was.' }),
    response: z.string().nullable().meta({ description: 'The first 1,024 bytes of the answer.' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to the receiver.' });

export type Attempt = z.infer<typeof attempt>;

const summaryFields = {
  id: deliveryId,
  webhook_id: outboundWebhookId,
  event: z.enum(deliveredTypes).meta({ description: 'What it tells of.' }),
  event_id: eventId,
  status: z.enum(deliveryStatuses).meta({
    description:
      '`pending`: before the first attempt. `retrying`: between attempts. `delivered`: answered with 2xx. `failed`: ' +
      'given up. `cancelled`: the webhook was deactivated or deleted first.',
  }),
  attempts_made: z.int().min(0).max(mostAttempts),
  next_attempt_at: timestamp('When the next attempt is due; null when there is none.').nullable(),
  last_status: z.int().nullable().meta({ description: 'The HTTP status of the last attempt.' }),
  replay_of: deliveryId.nullable().meta({ description: 'The delivery that this one repeats.' }),
  created_at: timestamp('When it was made.'),
  finished_at: timestamp('When it came to an end; null until then.').nullable(),
};

const deliverySummary = z
  .strictObject(summaryFields)
  .meta({ id: 'DeliverySummary', description: 'A delivery without its attempts and payload.' });

export type DeliverySummary = z.infer<typeof deliverySummary>;

const pingPayload = z.strictObject({
  event: z.literal('ping'),
  timestamp: timestamp('When it was asked for.'),
  service_instance: z.string(),
  data: z.strictObject({ id: outboundWebhookId, url: z.string() }),
});

export const delivery = z
  .strictObject({
    ...summaryFields,
    attempts: z.array(attempt).meta({ description: 'In the order in which they were made.' }),
    payload: z
      .union([eventPayload, pingPayload])
      .meta({ description: 'What is sent, byte for byte the same each time.' }),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook. Kept for 30 days.' });

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
      error: 'answered with 503',
      response: '',
    },
    { attempt: 2, at: '2026-03-01T10:13:15.860Z', status: 200, duration_ms: 38, error: null, response: 'ok' },
  ],
  payload: payloadExample,
};

const base = { capability: 'webhooks', access: 'itsm_manager', rateLimit: 'general' } as const;

const keyErrors = ['idempotency_key_in_flight', 'idempotency_key_reused'] as const;

const list = '/webhooks/outbound/{id}/deliveries';

const accepted = (description: string) => ({
  description,
  body: deliverySummary,
  headers: {
    Location: {
      description: 'Where the delivery tells how it goes.',
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
    summary: 'Send a ping to an outbound webhook',
    description:
      'Sends `{event: "ping", …}` once, signed and with all headers, also while the webhook is inactive. The delivery ' +
      'says what the receiver answered; a ping is never repeated.',
    params: idParams(outboundWebhookId),
    headers: idempotencyHeaders,
    responses: { 202: accepted('The ping is on its way.') },
    errors: keyErrors,
  },
  listDeliveries: {
    ...base,
    method: 'GET',
    path: list,
    summary: 'List the deliveries of an outbound webhook',
    description:
      'Those of the last 30 days, newest first. Deactivating the webhook shows what was on its way as `cancelled` at once.',
    params: idParams(outboundWebhookId),
    query: z.strictObject({
      status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status.' }),
      event: z.enum(deliveredTypes).optional().meta({ description: 'Only deliveries of this type of event.' }),
      limit,
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of deliveries.',
        body: pageOf(deliverySummary, 'DeliveryPage', 'A page of deliveries.'),
        example: { data: [exampleSummary], total: 1 },
      },
    },
  },
  getDelivery: {
    ...base,
    method: 'GET',
    path: `${list}/{delivery_id}`,
    summary: 'Get a delivery with its attempts',
    description: 'What was sent, when, and what the receiver answered each time.',
    params,
    responses: { 200: { description: 'The delivery.', body: delivery, example: exampleDelivery } },
  },
  replayDelivery: {
    ...base,
    method: 'POST',
    path: `${list}/{delivery_id}/replay`,
    summary: 'Deliver an event again',
    description:
      'Starts a new delivery of the same event with the same bytes and the same `webhook-id`, whatever became of the ' +
      'first. The webhook must be active.',
    params,
    headers: idempotencyHeaders,
    responses: { 202: accepted('The new delivery is on its way.') },
    errors: ['webhook_inactive', ...keyErrors],
  },
  recoverDeliveries: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound/{id}/recover',
    summary: 'Deliver everything again that failed',
    description:
      'Starts a new delivery of every event whose deliveries all failed since the given moment. Safe to repeat: what is ' +
      'on its way or was delivered meanwhile is left out. When `more` is true, ask again.',
    params: idParams(outboundWebhookId),
    body: z
      .strictObject({ since: z.iso.datetime({ offset: true }).meta({ description: 'Deliveries made since then.' }) })
      .meta({ id: 'Recovery', description: 'How far back to go.' }),
    bodyExample: { since: '2026-03-01T00:00:00Z' },
    responses: {
      202: {
        description: 'The new deliveries are on their way.',
        body: z
          .strictObject({
            replayed: z.int().min(0).meta({ description: 'How many deliveries were started.' }),
            more: z.boolean().meta({ description: 'Whether there is more to recover.' }),
          })
          .meta({ id: 'RecoveryStarted', description: 'What was recovered.' }),
        example: { replayed: 12, more: false },
      },
    },
    errors: ['webhook_inactive'],
  },
});
