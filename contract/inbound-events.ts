import * as z from 'zod';
import {
  inboundWebhookCreation,
  inboundWebhookExample,
  inboundWebhookId,
  inboundWebhookParams,
  inboundWebhookUpdate,
} from './inbound-webhooks.ts';
import { incidentId } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { cursor, id, idempotencyHeaders, idempotentReplayed, limit, logPageSchema, timestamp } from './records.ts';

// Events received through inbound webhooks.

export const maxPayloadBytes = 256 * 1024;

const eventId = id('inboundEvent', 'ID of the received event.', 'evt_in_3M9K2V7XQ0B5T8N1RZC4WJ6HFD');

const eventParams = z.strictObject({ id: inboundWebhookId, event_id: eventId });

export const receivedStatuses = ['created', 'updated', 'deduplicated', 'filtered', 'ignored', 'confirmed'] as const;

const statusMeanings =
  '`created`: an incident was created. `updated`: an incident was updated. `deduplicated`: nothing changed. `filtered`: ' +
  'the filters or conditions did not match. `ignored`: no open incident has the deduplication key. `confirmed`: the event confirmed a ' +
  'subscription.';

export const receivedAnswer = z
  .strictObject({
    event_id: eventId,
    status: z.enum(receivedStatuses).meta({ description: statusMeanings }),
    incident_id: incidentId.nullable(),
    dedup_key: z
      .string()
      .optional()
      .meta({ description: 'Deduplication key of the event. If the sender left it out, the ID of the event.' }),
  })
  .meta({ id: 'ReceivedAnswer', description: 'Result of a received event.' });

export const proofs = [
  'none',
  'service_signature',
  'hub_signature',
  'standard_webhooks',
  'token',
  'replay',
  'sns_signature',
] as const;

export type Proof = (typeof proofs)[number];

const fieldProblems = z.array(z.strictObject({ field: z.string(), message: z.string() }));

const eventFields = {
  id: eventId,
  webhook_id: inboundWebhookId,
  received_at: timestamp('Time of receipt.'),
  status: z
    .enum([...receivedStatuses, 'failed'])
    .meta({ description: `${statusMeanings} \`failed\`: the mapping did not produce a valid incident.` }),
  incident_id: incidentId.nullable(),
  dedup_key: z.string().nullable().meta({ description: 'Deduplication key of the payload.' }),
  proof: z.enum(proofs).meta({ description: 'How the sender was authenticated.' }),
  size_bytes: z.int().min(0).meta({ description: 'Size of the body.' }),
  replay_of: eventId.nullable().meta({ description: 'ID of the replayed event; null if this is not a replay.' }),
  error: z
    .strictObject({ detail: z.string(), errors: fieldProblems })
    .nullable()
    .meta({ description: 'Reason for the failure.' }),
};

export const inboundEventSummary = z
  .strictObject(eventFields)
  .meta({ id: 'InboundEventSummary', description: 'Received event without its payload. Retained for 30 days.' });

export type InboundEvent = z.infer<typeof inboundEventSummary>;

const inboundEvent = z
  .strictObject({ ...eventFields, payload: z.unknown().meta({ description: 'Received payload.' }) })
  .meta({ id: 'InboundEvent', description: 'Received event.' });

const labResult = z
  .strictObject({
    status: eventFields.status.meta({ description: 'Status the event would get.' }),
    rule: z
      .int()
      .nullable()
      .meta({ description: 'Index of the rule that applies; null for the action of the webhook itself.' }),
    passed: z.boolean().meta({ description: 'Whether all filters and conditions match.' }),
    filters: z
      .array(
        z.strictObject({
          field: z.string(),
          operator: z.string(),
          value: z.unknown(),
          actual: z.unknown().meta({ description: 'Value in the payload; null if absent.' }),
          passed: z.boolean(),
        }),
      )
      .meta({ description: 'Result of each filter, then of each condition of the action.' }),
    dedup_key: z.string().nullable(),
    incident_id: incidentId.nullable().meta({ description: 'ID of the matching incident; null if there is none.' }),
    rendered: z.record(z.string(), z.string()).meta({ description: 'Rendered templates.' }),
    incident: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Fields that would be written; null if they are invalid.' }),
    errors: fieldProblems.meta({ description: 'Validation problems.' }),
  })
  .meta({ id: 'InboundLabResult', description: 'Result of a test.' });

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

const receivedExample = {
  event_id: exampleEvent.id,
  status: 'created',
  incident_id: 'INC7Q2M4KX',
  dedup_key: 'c0ffee',
};

const labExample: InboundLabResult = {
  status: 'created',
  rule: null,
  passed: true,
  filters: inboundWebhookExample.when.map((filter) => ({ ...filter, actual: 'firing', passed: true })),
  dedup_key: 'c0ffee',
  incident_id: null,
  rendered: { short_description: 'DiskFull on db-1', priority: 'P1' },
  incident: { short_description: 'DiskFull on db-1', priority: 'P1' },
  errors: [],
};

const { name, action, field_mapping, when } = inboundWebhookExample;

const previewSettingsExample = { name, action, field_mapping, when };

const base = { capability: 'webhooks', rateLimit: 'general', access: 'itsm_manager' } as const;

const receivingHeaders = z.object({
  'X-Service-Signature': z.string().optional().meta({
    description: 'Hexadecimal HMAC-SHA256 of the body with the secret as key, optionally prefixed with `sha256=`.',
  }),
  'X-Hub-Signature-256': z
    .string()
    .optional()
    .meta({ description: 'Alias of `X-Service-Signature` (GitHub convention).' }),
  'webhook-id': z
    .string()
    .optional()
    .meta({ description: 'Message ID (Standard Webhooks). Repeated IDs are ignored.' }),
  'webhook-timestamp': z
    .string()
    .optional()
    .meta({ description: 'Unix timestamp (Standard Webhooks), at most 5 minutes off.' }),
  'webhook-signature': z.string().optional().meta({ description: 'Signature (Standard Webhooks).' }),
  ...idempotencyHeaders.shape,
});

export const inboundEventOperations = defineOperations({
  testInboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/test',
    summary: 'Test an inbound webhook',
    description:
      'Evaluates filters and templates for a payload without writing anything. Uses the stored settings or `settings`.',
    params: inboundWebhookParams,
    body: z
      .strictObject({
        payload: z.unknown().meta({ description: 'Payload to test.' }),
        settings: inboundWebhookUpdate.optional().meta({ description: 'Settings that override the stored ones.' }),
      })
      .meta({ id: 'InboundLabRequest', description: 'Test request.' }),
    bodyExample: { payload: payloadExample },
    responses: { 200: { description: 'Result of the test.', body: labResult, example: labExample } },
  },
  previewInboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/test',
    summary: 'Test the settings of a new inbound webhook',
    description: 'Evaluates filters and templates for a payload before the webhook exists, without writing anything.',
    body: z
      .strictObject({
        payload: z.unknown().meta({ description: 'Payload to test.' }),
        settings: inboundWebhookCreation.meta({ description: 'Settings of the new webhook.' }),
      })
      .meta({ id: 'InboundPreviewRequest', description: 'Test request for a new webhook.' }),
    bodyExample: { payload: payloadExample, settings: previewSettingsExample },
    responses: { 200: { description: 'Result of the test.', body: labResult, example: labExample } },
  },
  receiveInboundEvent: {
    ...base,
    access: 'public',
    method: 'POST',
    path: '/webhooks/inbound/{id}',
    // Libraries for PagerDuty's Events API append this to the address they are given.
    alias: '/webhooks/inbound/{id}/v2/enqueue',
    summary: 'Receive an event',
    description:
      'Receives an event from another system. The ID in the URL cannot be guessed. If the webhook has a secret, the request ' +
      'also needs a signature or the access token of a caller who may create incidents. Each webhook accepts 100 events per ' +
      'second of up to 256 KB. If the mapping does not produce a valid incident, the response is 422 and the event is stored ' +
      'for replay. A repeated event has no effect and returns the first response with `Idempotent-Replayed: true`: for 30 ' +
      'days if `webhook-id` or `Idempotency-Key` is the same, and for 24 hours if a body signed with `X-Service-Signature` ' +
      'or `X-Hub-Signature-256` is the same (unless `accept_repeated_bodies` is true). Senders with identical bodies should ' +
      'sign a unique ID with the Standard Webhooks headers. Libraries for PagerDuty append `/v2/enqueue`, which works as well.',
    params: inboundWebhookParams,
    headers: receivingHeaders,
    body: z.unknown().meta({ description: 'Any JSON value.' }),
    bodyExample: payloadExample,
    responses: {
      202: {
        description: 'The event was processed.',
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
    description: 'Lists the events of the last 30 days, newest first, without payloads.',
    params: inboundWebhookParams,
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of events.',
        body: logPageSchema(inboundEventSummary, 'InboundEventPage', 'A page of received events.'),
        example: { data: [exampleEvent], total: 1, total_is_exact: true },
      },
    },
  },
  getInboundEvent: {
    ...base,
    method: 'GET',
    path: '/webhooks/inbound/{id}/events/{event_id}',
    summary: 'Get a received event',
    description: 'Returns a received event with its payload.',
    params: eventParams,
    responses: {
      200: { description: 'The event.', body: inboundEvent, example: { ...exampleEvent, payload: payloadExample } },
    },
  },
  replayInboundEvent: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/events/{event_id}/replay',
    summary: 'Replay a received event',
    description:
      'Processes the event again with the current settings of the webhook. The replay is stored as a new event.',
    params: eventParams,
    headers: idempotencyHeaders,
    responses: {
      202: {
        description: 'Result of the replay.',
        body: receivedAnswer,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example: receivedExample,
      },
    },
    errors: ['mapping_failed', 'idempotency_key_reused'],
  },
});
