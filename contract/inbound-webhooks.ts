import * as z from 'zod';
import { type InboundAction, inboundActions, inboundPresetNames } from './inbound-presets.ts';
import { incidentCreation, incidentUpdate } from './incidents.ts';
import { defineOperations } from './operation.ts';
import {
  defaultToNull,
  id,
  idParams,
  line,
  location,
  maxJsonBytes,
  patchFields,
  text,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { webhookOperations } from './webhook-operations.ts';
import { webhookFilters } from './webhook-settings.ts';
import { template } from './webhook-templates.ts';
import { workNoteCreation } from './work-notes.ts';

// Inbound webhooks: endpoints to which other systems send events.

/** Fields that a mapping can set, by action. */
export const mappableFields: Readonly<Record<InboundAction, readonly string[]>> = {
  create_incident: Object.keys(incidentCreation.shape).filter((name) => name !== 'state'),
  update_incident: Object.keys(incidentUpdate.shape),
  resolve_incident: Object.keys(incidentUpdate.shape).filter((name) => name !== 'state'),
  add_note: Object.keys(workNoteCreation.shape).filter((name) => name !== 'attachments'),
};

export const inboundWebhookId = id('inboundWebhook', 'ID of the webhook.', 'wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE');

export const inboundWebhookParams = idParams(inboundWebhookId);

const inboundAction = z.enum(inboundActions).meta({
  description:
    'Action to take for an event. `resolve_incident` passes through `in_progress` if the state machine requires it.',
});

const fieldMapping = z
  .record(z.string().max(64), template('Template for the field.'))
  .refine(...maxJsonBytes(16_000))
  .meta({
    description:
      'Templates by field. A template is text with placeholders such as `{{a.b[0].c}}`. `{{payload.a}}` and `{{$.a}}` are ' +
      'aliases of `{{a}}`, and the template `$.a.b` is short for `{{a.b}}`. Filters: `default:"x"`, `upper`, `lower`, ' +
      '`truncate:n`, `map:"crit=P1,warn=P2"`. Missing values render as empty text; fields that render empty are not set.',
    examples: [{ short_description: '{{alert.name | truncate:255}}', priority: '{{severity | map:"crit=P1"}}' }],
  });

const rule = z
  .strictObject({
    when: webhookFilters.min(1).meta({ description: 'Conditions on the payload. All must match.' }),
    action: inboundAction,
    field_mapping: fieldMapping.default({}),
  })
  .meta({ id: 'InboundRule', description: 'Action for the events that match its conditions.' });

export type InboundRule = z.output<typeof rule>;

const topicArn = z
  .string()
  .regex(/^arn:aws[a-z-]{0,20}:sns:[a-z0-9-]{1,40}:\d{12}:[\w-]{1,256}$/, 'must be the ARN of an Amazon SNS topic')
  .meta({
    description:
      'ARN of the Amazon SNS topic whose messages are accepted. Required for the preset `cloudwatch`, and only for it. ' +
      'Messages of other topics are rejected, and their subscriptions are not confirmed. null for a webhook of an earlier ' +
      'release, which accepts messages of all topics and confirms no further subscription until a topic is set.',
    examples: ['arn:aws:sns:eu-central-1:123456789012:alarms'],
  });

const settings = {
  name: line(100, 'Display name. Incidents created by the webhook show an address derived from it.'),
  description: text(2_000, 'Description of the webhook.').nullable(),
  action: inboundAction,
  field_mapping: fieldMapping,
  filters: webhookFilters.meta({
    description:
      'Conditions on the payload of every event, also of events that a rule matches. All must match. At most 8,000 bytes as JSON.',
  }),
  when: webhookFilters.meta({
    description:
      "Conditions for the webhook's own `action`, in addition to `filters`. All must match. At most 8,000 bytes as JSON.",
  }),
  rules: z
    .array(rule)
    .max(10)
    .refine(...maxJsonBytes(32_000))
    .meta({
      description:
        'Further actions, in order. The first rule whose conditions match replaces the `when`, `action` and `field_mapping` ' +
        'of the webhook for that event, so that one webhook can create, update and resolve an incident. `filters` apply to ' +
        'rules too.',
    }),
  incident_id: template('Template for the ID of the incident to update, for example `{{ticket}}`.').nullable(),
  dedup_key: template(
    'Template for the deduplication key. Events with the same key update the open incident instead of creating a new one.',
  ).nullable(),
  dedup_scope: inboundWebhookId.nullable().meta({
    description:
      'ID of a webhook to share deduplication keys with, so that one can resolve incidents the other created.',
  }),
  topic_arn: topicArn.nullable(),
  secret_enabled: z.boolean().meta({
    description: 'Whether events need a signature or an access token.',
  }),
  accept_repeated_bodies: z.boolean().meta({
    description:
      'Whether a repeated body, signed with `X-Service-Signature` or `X-Hub-Signature-256`, counts as a new event within 24 ' +
      'hours. false protects against replay attacks. Use true for senders whose bodies contain no timestamp or ID and that ' +
      'do not support Standard Webhooks.',
  }),
  active: z.boolean().meta({ description: 'Whether events are accepted. An inactive webhook returns 404 to senders.' }),
};

const preset = z.enum(inboundPresetNames).nullable().meta({
  description:
    'Sending system. Provides the action, its conditions, mapping, rules and deduplication key that the request does not set.',
});

const computed = {
  id: inboundWebhookId,
  url: z.string().meta({ format: 'uri', description: 'URL to send events to.' }),
  secret: z
    .string()
    .optional()
    .meta({
      description: 'Signing secret. Returned only on creation, on rotation and when `secret_enabled` becomes true.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  secret_created_at: timestamp('Creation time of the secret; null if there is none.').nullable(),
  previous_secret_until: timestamp('Time until which previous secrets are accepted.').nullable(),
  created_by: z.string().meta({ format: 'email', description: 'Creator of the webhook.' }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
};

export const inboundWebhook = z
  .strictObject({ ...computed, preset, ...settings })
  .meta({ id: 'InboundWebhook', description: 'Inbound webhook.' });

export type InboundWebhook = z.infer<typeof inboundWebhook>;

export const inboundWebhookCreation = withReadOnlyFields(
  z
    .strictObject({
      ...settings,
      action: inboundAction.optional().meta({ description: 'Action to take for an event. Required without `preset`.' }),
      preset: preset.default(null),
      field_mapping: settings.field_mapping.default({}),
      filters: settings.filters.default([]),
      when: settings.when.default([]),
      rules: settings.rules.default([]),
      ...defaultToNull({
        description: settings.description,
        incident_id: settings.incident_id,
        dedup_key: settings.dedup_key,
        dedup_scope: settings.dedup_scope,
        topic_arn: settings.topic_arn,
      }),
      secret_enabled: settings.secret_enabled.default(false),
      accept_repeated_bodies: settings.accept_repeated_bodies.default(false),
      active: settings.active.default(true),
    })
    .meta({ id: 'InboundWebhookCreation', description: 'New inbound webhook.' }),
  computed,
);

export type InboundWebhookCreation = z.output<typeof inboundWebhookCreation>;

export const inboundWebhookUpdate = withReadOnlyFields(
  z
    .strictObject({
      ...patchFields(settings),
      field_mapping: z
        .record(z.string().max(64), template('Template for the field.').nullable())
        .optional()
        .meta({ description: 'Merged with the stored mapping; null removes a field.' }),
    })
    .meta({
      id: 'InboundWebhookUpdate',
      description: 'Settings to update. null or an empty text clears an optional setting.',
    }),
  { ...computed, preset },
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
  filters: [],
  when: [{ field: 'alert.status', operator: 'eq', value: 'firing' }],
  rules: [
    {
      when: [{ field: 'alert.status', operator: 'eq', value: 'resolved' }],
      action: 'resolve_incident',
      field_mapping: { resolution: '{{alert.name}} recovered.' },
    },
  ],
  preset: null,
  incident_id: null,
  dedup_key: '{{alert.fingerprint}}',
  dedup_scope: null,
  topic_arn: null,
  secret_enabled: true,
  accept_repeated_bodies: false,
  active: true,
  secret_created_at: '2026-03-01T09:30:00.000Z',
  previous_secret_until: null,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const { name, description, action, field_mapping, when, rules, dedup_key, secret_enabled } = inboundWebhookExample;

const operations = webhookOperations({
  direction: 'inbound',
  params: inboundWebhookParams,
  webhook: inboundWebhook,
  example: inboundWebhookExample,
  secretExample: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmXpXvU1n0cg=',
  location,
  creation: inboundWebhookCreation,
  creationExample: { name, description, action, field_mapping, when, rules, dedup_key, secret_enabled },
  update: inboundWebhookUpdate,
  updateExample: { when, active: false },
  updatedExample: inboundWebhookExample,
  descriptions: {
    create: 'Creates an inbound webhook. The response contains the URL for the sender and, only once, the secret.',
    get: 'Returns the webhook without its secret.',
    update: 'If `secret_enabled` becomes true, the response contains the new secret once.',
    delete: 'Deletes the webhook. Its URL returns 404; incidents it created are kept.',
    rotate: 'Replaces the secret. The previous secret is accepted for another 24 hours.',
  },
});

export const inboundWebhookOperations = defineOperations({
  listInboundWebhooks: operations.list,
  createInboundWebhook: operations.create,
  getInboundWebhook: operations.get,
  updateInboundWebhook: operations.update,
  deleteInboundWebhook: operations.delete,
  rotateInboundSecret: operations.rotate,
});
