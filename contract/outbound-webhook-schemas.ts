import * as z from 'zod';
import { eventType } from './events.ts';
import { idPatterns } from './ids.ts';
import { defaultToNull, line, patchFields, timestamp, withReadOnlyFields } from './records.ts';
import {
  outboundWebhookId,
  receiverUrl,
  sentHeaders,
  sentHeadersPatch,
  shownHeaders,
  webhookFilters,
} from './webhook-settings.ts';

// The settings of an outbound webhook, which delivers events to another system.

export const outboundFormats = ['service', 'cloudevents', 'slack', 'teams'] as const;

export type OutboundFormat = (typeof outboundFormats)[number];

const settings = {
  name: line(100, 'Display name.'),
  url: receiverUrl,
  events: z
    .array(eventType)
    .min(1)
    .transform((types) => [...new Set(types)])
    // A transformation has no output schema, which the API document needs for responses.
    .pipe(z.array(eventType))
    .meta({ description: 'Event types to deliver.', examples: [['incident.created', 'incident.resolved']] }),
  filters: webhookFilters.meta({
    description:
      'Conditions on the event, all of which must match: `event`, `changes.state.to`, `data.<field of the payload>`, and ' +
      '`incident.<field>`, `change.<field>`, `request.<field>` or `ci.<field>` for every field of the record. Unknown ' +
      'fields are rejected.',
  }),
  format: z.enum(outboundFormats).meta({
    description:
      'Format of the request body. `service`: `event`, `timestamp`, `service_instance` and `data`. `cloudevents`: ' +
      'CloudEvents 1.0 in structured mode. `slack`: message for a Slack incoming webhook. `teams`: Adaptive Card for a ' +
      'Microsoft Teams workflow.',
  }),
  sign_payloads: z.boolean().meta({ description: 'Whether to sign deliveries with the secret.' }),
  active: z.boolean().meta({
    description: 'Whether to deliver events. Deactivating the webhook cancels pending deliveries.',
  }),
  timeout_seconds: z.int().min(1).max(30).meta({ description: 'Seconds in which the whole response must arrive.' }),
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
      ...defaultToNull({ inbound_webhook_id: settings.inbound_webhook_id, client_id: settings.client_id }),
      include_own: settings.include_own.default(false),
    })
    .meta({ id: 'OutboundWebhookCreation', description: 'New outbound webhook.' }),
  computed,
);

export type OutboundWebhookCreation = z.output<typeof outboundWebhookCreation>;

export const outboundWebhookUpdate = withReadOnlyFields(
  z
    .strictObject({ ...patchFields(settings), headers: sentHeadersPatch.optional() })
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
