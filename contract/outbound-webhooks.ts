import * as z from 'zod';
import { eventType } from './events.ts';
import { idPatterns } from './ids.ts';
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
  pageSchema,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import {
  outboundWebhookId,
  receiverUrl,
  sentHeaders,
  sentHeadersPatch,
  shownHeaders,
  webhookFilters,
} from './webhook-settings.ts';

// Outbound webhooks deliver events to other systems.

export const outboundFormats = ['service', 'cloudevents', 'slack', 'teams'] as const;

export type OutboundFormat = (typeof outboundFormats)[number];

const settings = {
  name: line(100, 'Display name.'),
  url: receiverUrl,
  events: z
    .array(eventType)
    .min(1)
    .transform((types) => [...new Set(types)])
    // The API document describes responses by the result, which a transformation alone does not name.
    .pipe(z.array(eventType))
    .meta({ description: 'Event types to deliver.', examples: [['incident.created', 'incident.resolved']] }),
  filters: webhookFilters.meta({
    description:
      'Conditions on payload fields such as `incident.priority`, `data.priority`, `event` or `changes.state.to`. All must ' +
      'match.',
  }),
  format: z.enum(outboundFormats).meta({
    description:
      'Format of the request body. `service`: `EventPayload`. `cloudevents`: CloudEvents 1.0 in structured mode. `slack`: ' +
      'message for a Slack incoming webhook. `teams`: Adaptive Card for a Microsoft Teams workflow.',
  }),
  sign_payloads: z.boolean().meta({ description: 'Whether to sign deliveries with the secret.' }),
  active: z.boolean().meta({
    description: 'Whether to deliver events. Deactivating the webhook cancels pending deliveries.',
  }),
  timeout_seconds: z.int().min(1).max(30).meta({ description: 'Response timeout in seconds.' }),
  inbound_webhook_id: z
    .string()
    .regex(idPatterns.inboundWebhook, 'must be the id of an inbound webhook')
    .nullable()
    .meta({
      description:
        'Inbound webhook that the receiver uses. Changes made through it are not delivered to the receiver unless ' +
        '`include_own` is true.',
    }),
  client_id: z
    .string()
    .regex(/^[\w+]{1,128}$/, 'must be the id of an API client')
    .nullable()
    .meta({
      description:
        'API client that the receiver uses (its `id` in `GET /me`). Changes made by that client, including bulk jobs, are ' +
        'not delivered to the receiver unless `include_own` is true.',
    }),
  include_own: z.boolean().meta({ description: 'Whether to deliver changes that the receiver made itself.' }),
};

const computed = {
  id: outboundWebhookId,
  secret: z
    .string()
    .optional()
    .meta({
      description:
        'Signing secret. Returned only on creation, on rotation, when `sign_payloads` becomes true, and when the origin of ' +
        '`url` changes.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI='],
    }),
  notices: z
    .array(
      z.strictObject({
        code: z.enum(['headers_dropped', 'secret_replaced']),
        message: z.string(),
      }),
    )
    .optional()
    .meta({
      description:
        'Headers and secrets that were removed because an update changed the origin of `url`. Present only in the response ' +
        'to that update.',
    }),
  disabled_reason: z
    .string()
    .nullable()
    .meta({ description: 'Reason the service deactivated the webhook; null if it did not.' }),
  created_by: z
    .string()
    .meta({ format: 'email', description: 'Owner of the webhook, who is notified of failed deliveries.' }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
};

export const outboundWebhook = z
  .strictObject({ ...computed, ...settings, headers: shownHeaders })
  .meta({ id: 'OutboundWebhook', description: 'Outbound webhook.' });

export type OutboundWebhook = z.infer<typeof outboundWebhook>;

export const outboundWebhookCreation = withReadOnlyFields(
  z
    .strictObject({
      ...settings,
      headers: sentHeaders.default({}),
      filters: settings.filters.default([]),
      format: settings.format.default('service'),
      sign_payloads: settings.sign_payloads.default(false),
      active: settings.active.default(true),
      timeout_seconds: settings.timeout_seconds.default(10),
      inbound_webhook_id: settings.inbound_webhook_id.default(null),
      client_id: settings.client_id.default(null),
      include_own: settings.include_own.default(false),
    })
    .meta({ id: 'OutboundWebhookCreation', description: 'New outbound webhook.' }),
  computed,
);

export type OutboundWebhookCreation = z.output<typeof outboundWebhookCreation>;

export const outboundWebhookUpdate = withReadOnlyFields(
  z
    .strictObject({ ...z.object(settings).partial().shape, headers: sentHeadersPatch.optional() })
    .meta({ id: 'OutboundWebhookUpdate', description: 'Settings to update.' }),
  computed,
);

export type OutboundNotice = NonNullable<OutboundWebhook['notices']>[number];

export type OutboundWebhookUpdate = z.output<typeof outboundWebhookUpdate>;

export const outboundWebhookExample: OutboundWebhook = {
  id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  name: 'Chat room of the mail team',
  url: 'https://hooks.example.com/incidents',
  events: ['incident.created', 'incident.resolved'],
  filters: [{ field: 'incident.priority', operator: 'in', value: ['P1', 'P2'] }],
  headers: { 'X-Room': '[hidden]' },
  sign_payloads: true,
  active: true,
  timeout_seconds: 10,
  inbound_webhook_id: null,
  client_id: null,
  include_own: false,
  format: 'service',
  disabled_reason: null,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const base = { capability: 'webhooks', access: 'itsm_manager', rateLimit: 'general' } as const;

const params = idParams(outboundWebhookId);

const webhookLocation = {
  description: 'URL of the webhook.',
  example: `/prod/api/v1/webhooks/outbound/${outboundWebhookExample.id}`,
};

const withSecret = { ...outboundWebhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=' };

export const outboundWebhookOperations = defineOperations({
  listOutboundWebhooks: {
    ...base,
    method: 'GET',
    path: '/webhooks/outbound',
    summary: 'List outbound webhooks',
    description: 'Lists outbound webhooks, newest first.',
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of webhooks.',
        body: pageSchema(outboundWebhook, 'OutboundWebhookPage', 'A page of outbound webhooks.'),
        example: { data: [outboundWebhookExample], total: 1 },
      },
    },
  },
  createOutboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound',
    summary: 'Create an outbound webhook',
    description:
      'Creates an outbound webhook owned by the caller. If `sign_payloads` is true, the response contains the secret once.',
    headers: idempotencyHeaders,
    body: outboundWebhookCreation,
    bodyExample: {
      name: outboundWebhookExample.name,
      url: outboundWebhookExample.url,
      events: outboundWebhookExample.events,
      filters: outboundWebhookExample.filters,
      headers: { 'X-Room': 'mail' },
      sign_payloads: true,
    },
    responses: {
      201: {
        description: 'The webhook was created.',
        body: outboundWebhook,
        headers: { ETag: etag, Location: webhookLocation, 'Idempotent-Replayed': idempotentReplayed },
        example: withSecret,
      },
    },
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  getOutboundWebhook: {
    ...base,
    method: 'GET',
    path: '/webhooks/outbound/{id}',
    summary: 'Get an outbound webhook',
    description: 'Returns the webhook without its secret and header values.',
    params,
    headers: ifNoneMatchHeaders,
    responses: {
      200: {
        description: 'The webhook.',
        body: outboundWebhook,
        headers: { ETag: etag },
        example: outboundWebhookExample,
      },
      304: { description: 'The webhook has not changed.', headers: { ETag: etag } },
    },
  },
  updateOutboundWebhook: {
    ...base,
    method: 'PATCH',
    path: '/webhooks/outbound/{id}',
    summary: 'Update an outbound webhook',
    description:
      'Applies a JSON merge patch. Deactivating the webhook cancels pending deliveries; events that occur while it is ' +
      'inactive are not delivered later. Enabling `sign_payloads` creates a secret, which the response contains once. ' +
      'Changing the origin (scheme, host or port) of `url` removes the stored headers and replaces the secret, so that the ' +
      'new receiver does not get credentials of the previous one. The same request may set new `headers`. The response ' +
      'lists what was removed in `notices` and contains the new `secret` once.',
    params,
    headers: ifMatchHeaders,
    body: outboundWebhookUpdate,
    bodyExample: { url: 'https://chat.example.net/incidents' },
    responses: {
      200: {
        description: 'The updated webhook.',
        body: outboundWebhook,
        headers: { ETag: etag },
        example: {
          ...withSecret,
          url: 'https://chat.example.net/incidents',
          headers: {},
          notices: [
            { code: 'headers_dropped', message: 'The origin of url changed, so these headers were dropped: X-Room.' },
            { code: 'secret_replaced', message: 'The origin of url changed, so a new secret replaced the old one.' },
          ],
        },
      },
    },
    errors: ['precondition_failed'],
  },
  deleteOutboundWebhook: {
    ...base,
    method: 'DELETE',
    path: '/webhooks/outbound/{id}',
    summary: 'Delete an outbound webhook',
    description: 'Deletes the webhook and cancels pending deliveries.',
    params,
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The webhook was deleted.' } },
    errors: ['precondition_failed'],
  },
  rotateOutboundSecret: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound/{id}/rotate-secret',
    summary: 'Rotate the secret of an outbound webhook',
    description:
      'Replaces the secret and returns the new one once. For 24 hours, deliveries are signed with both secrets: ' +
      '`webhook-signature` contains both signatures, `X-Service-Signature` the new one and ' +
      '`X-Service-Signature-Previous` the previous one.',
    params,
    responses: {
      200: {
        description: 'The webhook with its new secret.',
        body: outboundWebhook,
        headers: { ETag: etag },
        example: withSecret,
      },
    },
  },
});
