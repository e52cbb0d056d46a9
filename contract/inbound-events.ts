import * as z from 'zod';
import {
  inboundWebhookExample,
  inboundWebhookId,
  inboundWebhookParams,
  inboundWebhookUpdate,
} from './inbound-webhooks.ts';
import { incidentId } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { cursor, idempotencyHeaders, idempotentReplayed, limit, pageOf, timestamp } from './records.ts';

// What other systems report through inbound webhooks, and what became of it.

export const maximumPayloadBytes = 256 * 1024;

const eventId = z
  .string()
  .regex(/^evt_in_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the received event.', examples: ['evt_in_3M9K2V7XQ0B5T8N1RZC4WJ6HFD'] });

const eventParams = z.strictObject({ id: inboundWebhookId, event_id: eventId });

export const receivedStatuses = ['created', 'updated', 'deduplicated', 'filtered'] as const;

const statusMeanings =
  '`created`: an incident. `updated`: one that was there. `deduplicated`: nothing was to be changed. `filtered`: the ' +
  'filters did not hold.';

export const receivedAnswer = z
  .strictObject({
    event_id: eventId,
    status: z.enum(receivedStatuses).meta({ description: statusMeanings }),
    incident_id: incidentId.nullable(),
  })
  .meta({ id: 'ReceivedAnswer', description: 'What became of an event.' });

export const proofs = ['none', 'service_signature', 'hub_signature', 'standard_webhooks', 'token', 'replay'] as const;

export type Proof = (typeof proofs)[number];

const fieldProblems = z.array(z.strictObject({ field: z.string(), message: z.string() }));

const eventFields = {
  id: eventId,
  webhook_id: inboundWebhookId,
  received_at: timestamp('When it came in.'),
  status: z
    .enum([...receivedStatuses, 'failed'])
    .meta({ description: `${statusMeanings} \`failed\`: the mapping made no valid incident.` }),
  incident_id: incidentId.nullable(),
  dedup_key: z.string().nullable().meta({ description: 'The key that its payload has.' }),
  proof: z.enum(proofs).meta({ description: 'By what its sender was accepted.' }),
  size_bytes: z.int().min(0).meta({ description: 'The size of its body.' }),
  replay_of: eventId.nullable().meta({ description: 'The event that it repeats, when it is a replay.' }),
  error: z
    .strictObject({ detail: z.string(), errors: fieldProblems })
    .nullable()
    .meta({ description: 'Why it failed.' }),
};

export const inboundEventSummary = z
  .strictObject(eventFields)
  .meta({ id: 'InboundEventSummary', description: 'A received event without its payload. Kept for 30 days.' });

export type InboundEvent = z.infer<typeof inboundEventSummary>;

const inboundEvent = z
  .strictObject({ ...eventFields, payload: z.unknown().meta({ description: 'What was sent.' }) })
  .meta({ id: 'InboundEvent', description: 'A received event.' });

const labResult = z
  .strictObject({
    status: eventFields.status.meta({ description: 'What would become of the event now.' }),
    passed: z.boolean().meta({ description: 'Whether all filters hold.' }),
    filters: z
      .array(
        z.strictObject({
          field: z.string(),
          operator: z.string(),
          value: z.unknown(),
          actual: z.unknown().meta({ description: 'What the payload has at the field; null where it has nothing.' }),
          passed: z.boolean(),
        }),
      )
      .meta({ description: 'How each filter comes out.' }),
    dedup_key: z.string().nullable(),
    incident_id: incidentId.nullable().meta({ description: 'The incident that the event is about, where it exists.' }),
    rendered: z.record(z.string(), z.string()).meta({ description: 'What the templates make of the payload.' }),
    incident: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The fields that would be written; null where they are not valid.' }),
    errors: fieldProblems.meta({ description: 'What is not valid.' }),
  })
  .meta({ id: 'InboundLabResult', description: 'What a webhook would make of a payload.' });

export type InboundLabResult = z.input<typeof labResult>;

const payloadExample = {
  alert: { name: 'DiskFull', host: 'db-1', severity: 'critical', status: 'firing', fingerprint: 'c0ffee' },
};

const exampleEvent: InboundEvent = {
  id: 'evt_in_3M9K2V7XQ0B5T8N1RZC4WJ6HFD',
  webhook_id: inboundWebhookExample.id,
  received_at: '2026-03-01T09:31:00.000Z',
  status: 'created',
  incident_id: 'INC7Q2M4KX',
  dedup_key: 'c0ffee',
  proof: 'service_signature',
  size_bytes: 118,
  replay_of: null,
  error: null,
};

const receivedExample = { event_id: exampleEvent.id, status: 'created', incident_id: 'INC7Q2M4KX' };

const labExample: InboundLabResult = {
  status: 'created',
  passed: true,
  filters: [{ ...inboundWebhookExample.filters[0]!, actual: 'firing', passed: true }],
  dedup_key: 'c0ffee',
  incident_id: null,
  rendered: { short_description: 'DiskFull on db-1', priority: 'P1' },
  incident: { short_description: 'DiskFull on db-1', priority: 'P1' },
  errors: [],
};

const base = { capability: 'webhooks', rateLimit: 'general', access: 'itsm_manager' } as const;

const receivingHeaders = z.object({
  'X-Service-Signature': z.string().optional().meta({
    description: 'The hexadecimal HMAC-SHA256 of the body, keyed with the secret; `sha256=` may come before it.',
  }),
  'X-Hub-Signature-256': z.string().optional().meta({ description: 'The same, under the name that others use.' }),
  'webhook-id': z
    .string()
    .optional()
    .meta({ description: 'Of Standard Webhooks. An id that comes again is no new event.' }),
  'webhook-timestamp': z.string().optional().meta({ description: 'Of Standard Webhooks; at most 5 minutes off.' }),
  'webhook-signature': z.string().optional().meta({ description: 'Of Standard Webhooks.' }),
  ...idempotencyHeaders.shape,
});

export const inboundEventOperations = defineOperations({
  testInboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/test',
    summary: 'Try a payload without writing anything',
    description: 'Shows filters, templates and the result, with the stored settings or with others that are tried out.',
    params: inboundWebhookParams,
    body: z
      .strictObject({
        payload: z.unknown().meta({ description: 'What a sender would send.' }),
        settings: inboundWebhookUpdate.optional().meta({ description: 'Settings to try instead of the stored ones.' }),
      })
      .meta({ id: 'InboundLabRequest', description: 'A payload to try.' }),
    bodyExample: { payload: payloadExample },
    responses: { 200: { description: 'What would happen.', body: labResult, example: labExample } },
  },
  receiveInboundEvent: {
    ...base,
    access: 'public',
    method: 'POST',
    path: '/webhooks/inbound/{id}',
    summary: 'Report an event',
    description:
      'For other systems. The id in the address cannot be guessed; with a secret, a signature or the access token of ' +
      'somebody who may create incidents is needed as well. Each webhook takes 100 events per second of at most 256 ' +
      'KB. A mapping that makes no valid incident answers 422 and keeps the event for a replay. An event that comes ' +
      'again gets the first answer with `Idempotent-Replayed: true` and does nothing: for 30 days when it has the same ' +
      '`webhook-id` or `Idempotency-Key`, and for 24 hours when a body signed with `X-Service-Signature` or ' +
      '`X-Hub-Signature-256` is the same, whatever its other headers are (unless `accept_repeated_bodies`). A sender ' +
      'of bodies that may be equal signs an id of its own with the headers of Standard Webhooks.',
    params: inboundWebhookParams,
    headers: receivingHeaders,
    body: z.unknown().meta({ description: 'Any JSON.' }),
    bodyExample: payloadExample,
    responses: {
      202: {
        description: 'The event was taken in.',
        body: receivedAnswer,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example: receivedExample,
      },
    },
    errors: ['unauthorized', 'rate_limited', 'mapping_failed', 'idempotency_key_reused'],
  },
  listInboundEvents: {
    ...base,
    method: 'GET',
    path: '/webhooks/inbound/{id}/events',
    summary: 'List received events',
    description: 'Those of the last 30 days, newest first, without their payloads.',
    params: inboundWebhookParams,
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of events.',
        body: pageOf(inboundEventSummary, 'InboundEventPage', 'A page of received events.'),
        example: { data: [exampleEvent], total: 1 },
      },
    },
  },
  getInboundEvent: {
    ...base,
    method: 'GET',
    path: '/webhooks/inbound/{id}/events/{event_id}',
    summary: 'Get a received event',
    description: 'With its payload.',
    params: eventParams,
    responses: {
      200: { description: 'The event.', body: inboundEvent, example: { ...exampleEvent, payload: payloadExample } },
    },
  },
  replayInboundEvent: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/events/{event_id}/replay',
    summary: 'Run a received event again',
    description: 'With the settings the webhook has now. The replay is an event of its own.',
    params: eventParams,
    headers: idempotencyHeaders,
    responses: {
      202: {
        description: 'What became of it.',
        body: receivedAnswer,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example: receivedExample,
      },
    },
    errors: ['mapping_failed', 'idempotency_key_reused'],
  },
});
