import * as z from 'zod';
import { defineOperations } from './operation.ts';
import {
  outboundWebhook,
  outboundWebhookCreation,
  outboundWebhookExample,
  outboundWebhookUpdate,
} from './outbound-webhook-schemas.ts';
import {
  cursor,
  etag,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  ifMatchHeaders,
  ifNoneMatchHeaders,
  limit,
  pageSchema,
} from './records.ts';
import { outboundWebhookId } from './webhook-settings.ts';

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
