import * as z from 'zod';
import { incidentCreation, incidentId, incidentUpdate } from './incidents.ts';
import { defineOperations } from './operation.ts';
import {
  cursor,
  etag,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  ifMatchHeaders,
  ifNoneMatchHeaders,
  limit,
  line,
  location,
  pageOf,
  readOnlyFields,
  text,
  timestamp,
} from './records.ts';
import { webhookFilters } from './webhook-filters.ts';
import { template } from './webhook-templates.ts';
import { workNoteCreation } from './work-notes.ts';

// Webhooks through which other systems push events into the service, and what became of the events.

export const inboundActions = ['create_incident', 'update_incident', 'resolve_incident', 'add_note'] as const;

export type InboundAction = (typeof inboundActions)[number];

/** The fields that a mapping may fill, by action. A resolution and a note on it go with `resolve_incident`. */
export const mappableFields: Readonly<Record<InboundAction, readonly string[]>> = {
  create_incident: Object.keys(incidentCreation.shape).filter((name) => name !== 'state'),
  update_incident: Object.keys(incidentUpdate.shape),
  resolve_incident: Object.keys(incidentUpdate.shape).filter((name) => name !== 'state'),
  add_note: Object.keys(workNoteCreation.shape).filter((name) => name !== 'attachments'),
};

export const maximumPayloadBytes = 256 * 1024;

export const inboundWebhookId = z
  .string()
  .regex(/^wh_in_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the webhook.', examples: ['wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE'] });

const eventId = z
  .string()
  .regex(/^evt_in_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the received event.', examples: ['evt_in_3M9K2V7XQ0B5T8N1RZC4WJ6HFD'] });

const params = idParams(inboundWebhookId);

const eventParams = z.strictObject({ id: inboundWebhookId, event_id: eventId });

const settings = {
  name: line(100, 'The display name. Incidents that it opens carry an address made of it.'),
  description: text(2_000, 'What it is for.').nullable(),
  action: z.enum(inboundActions).meta({
    description:
      'What an event does. `resolve_incident` passes through `in_progress` where the state table asks for it.',
  }),
  field_mapping: z.record(z.string().max(64), template('What the field becomes.')).meta({
    description:
      'Which field gets which text. A template is text with places such as `{{a.b[0].c}}`; `{{payload.a}}` and ' +
      '`{{$.a}}` mean the same as `{{a}}`, and a template that is only `$.a.b` is that path. Filters: ' +
      '`default:"x"`, `upper`, `lower`, `truncate:n`, `map:"crit=P1,warn=P2"`. A missing value is empty, and a ' +
      'field that comes out empty is left alone.',
    examples: [{ short_description: '{{alert.name | truncate:255}}', priority: '{{severity | map:"crit=P1"}}' }],
  }),
  filters: webhookFilters,
  incident_id: template('Names the incident for the actions that change one, for example `{{ticket}}`.').nullable(),
  dedup_key: template(
    'Events with the same key are about the same incident: while it is open it is updated, not created again.',
  ).nullable(),
  dedup_scope: inboundWebhookId.nullable().meta({
    description: 'The webhook whose keys `dedup_key` shares, so that one can resolve what another created.',
  }),
  secret_enabled: z.boolean().meta({
    description: 'Whether events must prove themselves by a signature with the secret, or by an access token.',
  }),
  active: z.boolean().meta({ description: 'An inactive webhook is not found by those who send to it.' }),
};

const computed = {
  id: inboundWebhookId,
  url: z.string().meta({ format: 'uri', description: 'Where other systems send their events.' }),
  secret: z
    .string()
    .optional()
    .meta({
      description: 'Shown once, when it is made: on create, on rotation, and when `secret_enabled` becomes true.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  secret_created_at: timestamp('When the secret was made; null without one.').nullable(),
  previous_secret_until: timestamp('Until when secrets before it are accepted, too.').nullable(),
  created_by: z.string().meta({ format: 'email', description: 'Who created it.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When it was last changed.'),
};

export const inboundWebhook = z
  .strictObject({ ...computed, ...settings })
  .meta({ id: 'InboundWebhook', description: 'An address at which another system reports events.' });

export type InboundWebhook = z.infer<typeof inboundWebhook>;

const withReadOnlyFields = <Schema extends z.ZodObject>(schema: Schema): Schema => {
  readOnlyFields.add(schema, { names: Object.keys(computed) });
  return schema;
};

export const inboundWebhookCreation = withReadOnlyFields(
  z
    .strictObject({
      ...settings,
      description: settings.description.default(null),
      field_mapping: settings.field_mapping.default({}),
      filters: settings.filters.default([]),
      incident_id: settings.incident_id.default(null),
      dedup_key: settings.dedup_key.default(null),
      dedup_scope: settings.dedup_scope.default(null),
      secret_enabled: settings.secret_enabled.default(false),
      active: settings.active.default(true),
    })
    .meta({ id: 'InboundWebhookCreation', description: 'A new inbound webhook.' }),
);

export type InboundWebhookCreation = z.output<typeof inboundWebhookCreation>;

export const inboundWebhookUpdate = withReadOnlyFields(
  z
    .strictObject({
      ...z.object(settings).partial().shape,
      field_mapping: z
        .record(z.string().max(64), template('What the field becomes.').nullable())
        .optional()
        .meta({ description: 'Merged into what there is: a field that is not named stays, null takes one out.' }),
    })
    .meta({ id: 'InboundWebhookUpdate', description: 'The settings to change; null clears an optional one.' }),
);

export type InboundWebhookUpdate = z.output<typeof inboundWebhookUpdate>;

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

const example: InboundWebhook = {
  id: 'wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  url: 'https://incidents.example.com/prod/api/webhooks/inbound/wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  name: 'Prometheus',
  description: 'Alerts of the production cluster.',
  action: 'create_incident',
  field_mapping: {
    short_description: '{{alert.name}} on {{alert.host | default:"unknown host"}}',
    priority: '{{alert.severity | lower | map:"critical=P1,warning=P3" | default:"P4"}}',
  },
  filters: [{ field: 'alert.status', operator: 'eq', value: 'firing' }],
  incident_id: null,
  dedup_key: '{{alert.fingerprint}}',
  dedup_scope: null,
  secret_enabled: true,
  active: true,
  secret_created_at: '2026-03-01T09:30:00.000Z',
  previous_secret_until: null,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const { name, description, action, field_mapping, filters, dedup_key, secret_enabled } = example;

const payloadExample = {
  alert: { name: 'DiskFull', host: 'db-1', severity: 'critical', status: 'firing', fingerprint: 'c0ffee' },
};

const exampleEvent: InboundEvent = {
  id: 'evt_in_3M9K2V7XQ0B5T8N1RZC4WJ6HFD',
  webhook_id: example.id,
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
  filters: [{ ...filters[0]!, actual: 'firing', passed: true }],
  dedup_key: 'c0ffee',
  incident_id: null,
  rendered: { short_description: 'DiskFull on db-1', priority: 'P1' },
  incident: { short_description: 'DiskFull on db-1', priority: 'P1' },
  errors: [],
};

const base = { capability: 'webhooks', rateLimit: 'general', access: 'itsm_manager' } as const;

const shown = { description: 'The webhook.', body: inboundWebhook, headers: { ETag: etag }, example };

const withSecret = { ...example, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmXpXvU1n0cg=' };

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

export const inboundWebhookOperations = defineOperations({
  listInboundWebhooks: {
    ...base,
    method: 'GET',
    path: '/webhooks/inbound',
    summary: 'List inbound webhooks',
    description: 'Newest first.',
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of webhooks.',
        body: pageOf(inboundWebhook, 'InboundWebhookPage', 'A page of inbound webhooks.'),
        example: { data: [example], total: 1 },
      },
    },
  },
  createInboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound',
    summary: 'Create an inbound webhook',
    description: 'The answer holds the address for the sender and, once, the secret.',
    headers: idempotencyHeaders,
    body: inboundWebhookCreation,
    bodyExample: { name, description, action, field_mapping, filters, dedup_key, secret_enabled },
    responses: {
      201: {
        description: 'The webhook was created.',
        body: inboundWebhook,
        headers: { ETag: etag, Location: location, 'Idempotent-Replayed': idempotentReplayed },
        example: withSecret,
      },
    },
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  getInboundWebhook: {
    ...base,
    method: 'GET',
    path: '/webhooks/inbound/{id}',
    summary: 'Get an inbound webhook',
    description: 'Everything but the secret, which is shown only when it is made.',
    params,
    headers: ifNoneMatchHeaders,
    responses: {
      200: shown,
      304: { description: 'The webhook still has the given ETag.', headers: { ETag: etag } },
    },
  },
  updateInboundWebhook: {
    ...base,
    method: 'PATCH',
    path: '/webhooks/inbound/{id}',
    summary: 'Update an inbound webhook',
    description: 'A JSON merge patch. When `secret_enabled` becomes true, the answer holds the new secret, once.',
    params,
    headers: ifMatchHeaders,
    body: inboundWebhookUpdate,
    bodyExample: { filters, active: false },
    responses: { 200: { ...shown, description: 'The webhook after it.' } },
    errors: ['precondition_failed'],
  },
  deleteInboundWebhook: {
    ...base,
    method: 'DELETE',
    path: '/webhooks/inbound/{id}',
    summary: 'Delete an inbound webhook',
    description: 'Its address is not found any more. What it wrote stays.',
    params,
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The webhook was deleted.' } },
    errors: ['precondition_failed'],
  },
  rotateInboundSecret: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/rotate-secret',
    summary: 'Make a new secret',
    description: 'The secret before it is accepted for another 24 hours.',
    params,
    responses: { 200: { ...shown, description: 'The webhook with its new secret.', example: withSecret } },
  },
  testInboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/inbound/{id}/test',
    summary: 'Try a payload without writing anything',
    description: 'Shows filters, templates and the result, with the stored settings or with others that are tried out.',
    params,
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
      'KB. A mapping that makes no valid incident answers 422 and keeps the event for a replay.',
    params,
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
    params,
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
