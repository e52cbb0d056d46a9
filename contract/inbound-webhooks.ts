import * as z from 'zod';
import { incidentCreation, incidentUpdate } from './incidents.ts';
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
  text,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { webhookFilters } from './webhook-filters.ts';
import { template } from './webhook-templates.ts';
import { workNoteCreation } from './work-notes.ts';

// Webhooks through which other systems push events into the service. What becomes of the events is in inbound-events.ts.

export const inboundActions = ['create_incident', 'update_incident', 'resolve_incident', 'add_note'] as const;

export type InboundAction = (typeof inboundActions)[number];

/** The fields that a mapping may fill, by action. A resolution and a note on it go with `resolve_incident`. */
export const mappableFields: Readonly<Record<InboundAction, readonly string[]>> = {
  create_incident: Object.keys(incidentCreation.shape).filter((name) => name !== 'state'),
  update_incident: Object.keys(incidentUpdate.shape),
  resolve_incident: Object.keys(incidentUpdate.shape).filter((name) => name !== 'state'),
  add_note: Object.keys(workNoteCreation.shape).filter((name) => name !== 'attachments'),
};

export const inboundWebhookId = z
  .string()
  .regex(/^wh_in_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the webhook.', examples: ['wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE'] });

export const inboundWebhookParams = idParams(inboundWebhookId);

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
  accept_repeated_bodies: z.boolean().meta({
    description:
      'Whether the same body, signed with `X-Service-Signature` or `X-Hub-Signature-256`, counts as a new event when it ' +
      'comes again within 24 hours. False protects against replayed requests. True is for senders whose bodies hold ' +
      'neither a time nor an id and which cannot sign an id as Standard Webhooks does.',
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
      accept_repeated_bodies: settings.accept_repeated_bodies.default(false),
      active: settings.active.default(true),
    })
    .meta({ id: 'InboundWebhookCreation', description: 'A new inbound webhook.' }),
  computed,
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
  computed,
);

export type InboundWebhookUpdate = z.output<typeof inboundWebhookUpdate>;

export const inboundWebhookExample: InboundWebhook = {
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
  accept_repeated_bodies: false,
  active: true,
  secret_created_at: '2026-03-01T09:30:00.000Z',
  previous_secret_until: null,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const { name, description, action, field_mapping, filters, dedup_key, secret_enabled } = inboundWebhookExample;

const base = { capability: 'webhooks', rateLimit: 'general', access: 'itsm_manager' } as const;

const shown = {
  description: 'The webhook.',
  body: inboundWebhook,
  headers: { ETag: etag },
  example: inboundWebhookExample,
};

const withSecret = { ...inboundWebhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmXpXvU1n0cg=' };

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
        example: { data: [inboundWebhookExample], total: 1 },
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
    params: inboundWebhookParams,
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
    params: inboundWebhookParams,
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
    params: inboundWebhookParams,
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
    params: inboundWebhookParams,
    responses: { 200: { ...shown, description: 'The webhook with its new secret.', example: withSecret } },
  },
});
