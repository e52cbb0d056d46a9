import * as z from 'zod';
import { eventType } from './events.ts';
import { defineOperations } from './operation.ts';
import { outboundWebhookId } from './outbound-webhook-id.ts';
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
  pageOf,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { webhookFilters } from './webhook-filters.ts';
import { receiverUrl, sentHeaders, sentHeadersPatch, shownHeaders } from './webhook-receivers.ts';

// Webhooks that tell other systems what happens in the service.

const settings = {
  name: line(100, 'The display name.'),
  url: receiverUrl,
  events: z
    .array(eventType)
    .min(1)
    .transform((types) => [...new Set(types)])
    .meta({ description: 'The types of events it receives.', examples: [['incident.created', 'incident.resolved']] }),
  filters: webhookFilters.meta({
    description:
      'Conditions on the payload, all of which must hold, such as `incident.priority`, `data.priority`, `event` or ' +
      '`changes.state.to`.',
  }),
  sign_payloads: z.boolean().meta({ description: 'Whether deliveries are signed with the secret.' }),
  active: z.boolean().meta({
    description: 'Whether events are delivered. Deactivating cancels what is on its way.',
  }),
  timeout_seconds: z.int().min(1).max(30).meta({ description: 'How long the receiver may take to answer.' }),
  inbound_webhook_id: z
    .string()
    .regex(/^wh_in_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id of an inbound webhook')
    .nullable()
    .meta({
      description:
        'The inbound webhook by which the receiver reports back. What comes in through it is not echoed to the ' +
        'receiver, unless `include_own` is true.',
    }),
  client_id: z
    .string()
    .regex(/^[\w+]{1,128}$/, 'must be the id of an API client')
    .nullable()
    .meta({
      description:
        'The API client as which the receiver changes records (the `id` that `GET /me` shows it). What that client ' +
        'changes, bulk jobs included, is not echoed to the receiver, unless `include_own` is true.',
    }),
  include_own: z.boolean().meta({ description: 'Whether to receive the echo of changes that the receiver caused.' }),
};

const computed = {
  id: outboundWebhookId,
  secret: z
    .string()
    .optional()
    .meta({
      description:
        'Shown once, when it is made: on create, on rotation, when `sign_payloads` becomes true, and when the origin of ' +
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
        'Only in the response of an update that changed the origin of `url`: what the service removed, because it was ' +
        'meant for the previous receiver.',
    }),
  disabled_reason: z
    .string()
    .nullable()
    .meta({ description: 'Why the service itself deactivated it; null when it did not.' }),
  created_by: z.string().meta({ format: 'email', description: 'The owner, who is told when a delivery fails.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When it was last changed.'),
};

export const outboundWebhook = z
  .strictObject({ ...computed, ...settings, headers: shownHeaders })
  .meta({ id: 'OutboundWebhook', description: 'A receiver of events.' });

export type OutboundWebhook = z.infer<typeof outboundWebhook>;

export const outboundWebhookCreation = withReadOnlyFields(
  z
    .strictObject({
      ...settings,
      headers: sentHeaders.default({}),
      filters: settings.filters.default([]),
      sign_payloads: settings.sign_payloads.default(false),
      active: settings.active.default(true),
      timeout_seconds: settings.timeout_seconds.default(10),
      inbound_webhook_id: settings.inbound_webhook_id.default(null),
      client_id: settings.client_id.default(null),
      include_own: settings.include_own.default(false),
    })
    .meta({ id: 'OutboundWebhookCreation', description: 'A new outbound webhook.' }),
  computed,
);

export type OutboundWebhookCreation = z.output<typeof outboundWebhookCreation>;

export const outboundWebhookUpdate = withReadOnlyFields(
  z
    .strictObject({ ...z.object(settings).partial().shape, headers: sentHeadersPatch.optional() })
    .meta({ id: 'OutboundWebhookUpdate', description: 'The settings to change.' }),
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
  disabled_reason: null,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const base = { capability: 'webhooks', access: 'itsm_manager', rateLimit: 'general' } as const;

const params = idParams(outboundWebhookId);

const webhookLocation = {
  description: 'The address of what was created.',
  example: `/prod/api/v1/webhooks/outbound/${outboundWebhookExample.id}`,
};

const withSecret = { ...outboundWebhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=' };

export const outboundWebhookOperations = defineOperations({
  listOutboundWebhooks: {
    ...base,
    method: 'GET',
    path: '/webhooks/outbound',
    summary: 'List outbound webhooks',
    description: 'All of them, newest first.',
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of webhooks.',
        body: pageOf(outboundWebhook, 'OutboundWebhookPage', 'A page of outbound webhooks.'),
        example: { data: [outboundWebhookExample], total: 1 },
      },
    },
  },
  createOutboundWebhook: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound',
    summary: 'Create an outbound webhook',
    description: 'The caller becomes its owner. With `sign_payloads` the answer carries the secret, this once.',
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
    description: 'Without its secret and without the values of its headers.',
    params,
    headers: ifNoneMatchHeaders,
    responses: {
      200: {
        description: 'The webhook.',
        body: outboundWebhook,
        headers: { ETag: etag },
        example: outboundWebhookExample,
      },
      304: { description: 'The webhook still has the given ETag.', headers: { ETag: etag } },
    },
  },
  updateOutboundWebhook: {
    ...base,
    method: 'PATCH',
    path: '/webhooks/outbound/{id}',
    summary: 'Update an outbound webhook',
    description:
      'A JSON merge patch. Deactivating cancels what is on its way; events that happen meanwhile are not delivered ' +
      'later. Setting `sign_payloads` for the first time makes a secret, which the answer carries this once. Changing ' +
      'the origin (scheme, host or port) of `url` drops the stored headers and replaces the secret at once, so that the ' +
      'new receiver learns nothing that was entrusted to the previous one. The same request may carry new `headers`; ' +
      'the response lists the consequences in `notices` and shows the new `secret` once.',
    params,
    headers: ifMatchHeaders,
    body: outboundWebhookUpdate,
    bodyExample: { url: 'https://chat.example.net/incidents' },
    responses: {
      200: {
        description: 'The webhook after it.',
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
    description: 'What is on its way is cancelled.',
    params,
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The webhook was deleted.' } },
    errors: ['precondition_failed'],
  },
  rotateOutboundSecret: {
    ...base,
    method: 'POST',
    path: '/webhooks/outbound/{id}/rotate-secret',
    summary: 'Replace the secret of an outbound webhook',
    description:
      'The answer carries the new secret, this once. For 24 hours deliveries are signed with the old one too: ' +
      '`webhook-signature` holds both signatures, `X-Service-Signature` the new one and ' +
      '`X-Service-Signature-Previous` the old one.',
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
