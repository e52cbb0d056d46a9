import * as z from 'zod';
import { inboundWebhookParams } from './inbound-webhooks.ts';
import { defineOperations } from './operation.ts';
import { pageSchema, timestamp } from './records.ts';

// Calls of an inbound webhook that were rejected before they became events. The sender learns only the status.

export const maxRejections = 20;

export const rejectionReasons = [
  'inactive',
  'no_signature',
  'invalid_signature',
  'stale_timestamp',
  'invalid_token',
  'other_topic',
  'too_large',
  'not_json',
  'rate_limited',
  'key_reused',
] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

const rejection = z
  .strictObject({
    at: timestamp('Time of the call.'),
    reason: z.enum(rejectionReasons).meta({
      description:
        '`inactive`: the webhook is inactive. `no_signature`: neither a signature nor an access token. ' +
        '`invalid_signature`: the signature does not match the body and the secret. `stale_timestamp`: ' +
        '`webhook-timestamp` is more than 5 minutes off. `invalid_token`: the access token is invalid or not of an agent. ' +
        '`other_topic`: Amazon SNS signed the message, but its topic is not `topic_arn`. ' +
        '`too_large`: the body exceeds 256 KB. `not_json`: the body is not JSON. `rate_limited`: more than 100 events per ' +
        'second. `key_reused`: the same event ID with another body.',
    }),
    status: z.int().meta({ description: 'HTTP status of the response.' }),
    size_bytes: z.int().min(0).meta({ description: 'Size of the body.' }),
  })
  .meta({ id: 'InboundRejection', description: 'Rejected call. Its content is not stored.' });

export type InboundRejection = z.infer<typeof rejection>;

export const inboundRejectionOperations = defineOperations({
  listInboundRejections: {
    capability: 'webhooks',
    rateLimit: 'general',
    access: 'itsm_manager',
    method: 'GET',
    path: '/webhooks/inbound/{id}/rejections',
    summary: 'List rejected calls of an inbound webhook',
    description:
      `Lists the last ${maxRejections} rejected calls, newest first. They are retained for 7 days after the last one. If ` +
      'many calls are rejected at the same time, some of them are not listed. Events that the filters did not match or the ' +
      'mapping could not use are listed as received events.',
    params: inboundWebhookParams,
    responses: {
      200: {
        description: 'The rejected calls.',
        body: pageSchema(rejection, 'InboundRejectionPage', 'Rejected calls of an inbound webhook.'),
        example: {
          data: [{ at: '2026-03-01T09:31:00.000Z', reason: 'invalid_signature', status: 401, size_bytes: 118 }],
          total: 1,
        },
      },
    },
  },
});
