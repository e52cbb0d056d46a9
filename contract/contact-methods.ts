import * as z from 'zod';
import { chatKinds, contactKinds } from './contact-kinds.ts';
import { defineOperations } from './operation.ts';
import { notificationTopics } from './preferences.ts';
import { acrossFields, defaultToNull, id, idParams, line, location, timestamp, withReadOnlyFields } from './records.ts';
import { receiverUrl } from './webhook-settings.ts';

// How a person is reached: contact methods, and the rules that choose between them. Both belong to the caller.

export const contactMethodId = id('contactMethod', 'ID of the contact method.', 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE');

/** Includes the address of the account. */
export const maxContactMethods = 10;

export const codeDigits = 6;
export const codeMinutes = 10;
export const maxCodeTries = 5;

const kind = z.enum(contactKinds, { error: `must be one of ${contactKinds.join(', ')}` }).meta({
  id: 'ContactKind',
  description: '`email` and `sms` are verified with a code. `slack`, `teams` and `ntfy` are personal webhooks.',
});

const label = line(60, 'Name of the contact method for its owner.');

const setByService = {
  id: contactMethodId,
  is_account: z.boolean().meta({
    description: 'Whether this is the address of the account, which needs no verification and cannot be deleted.',
  }),
  is_verified: z.boolean().meta({ description: 'Whether messages are sent to it.' }),
  created_at: timestamp('Time of creation.').nullable(),
  code_expires_at: timestamp(
    'Time at which the last verification code expires; null if no code is pending.',
  ).nullable(),
  last_delivery: z
    .strictObject({
      at: timestamp('Time of the attempt.'),
      outcome: z.enum(['sent', 'retrying', 'failed']),
      error: z.string().nullable().meta({ description: 'Why it failed; otherwise null.' }),
    })
    .nullable()
    .meta({ description: 'Last message of the past 30 days.' }),
};

const contactMethod = z
  .strictObject({
    kind,
    address: z
      .string()
      .meta({ description: 'E-mail address, phone number, or the host of a webhook: its URL is a secret.' }),
    label: label.nullable(),
    ...setByService,
  })
  .meta({ id: 'ContactMethod', description: 'A way to reach the caller.' });

export type ContactMethodView = z.output<typeof contactMethod>;

const addressRules: Readonly<Record<(typeof contactKinds)[number], z.ZodType>> = {
  email: z.email('must be an e-mail address').max(254, 'must have at most 254 characters'),
  sms: z.e164('must be a phone number such as +4915112345678'),
  slack: receiverUrl,
  teams: receiverUrl,
  ntfy: receiverUrl,
};

type Given = { kind: (typeof contactKinds)[number]; address: string };

const creation = withReadOnlyFields(
  z
    .strictObject({
      kind,
      address: z
        .string()
        .max(2_048)
        .meta({
          description:
            'E-mail address, phone number in international form (E.164), or URL of a personal webhook. Webhooks need https at ' +
            'a public address; a local installation also accepts loopback addresses.',
          examples: ['+4915112345678'],
        }),
      ...defaultToNull({ label: label.nullable() }),
    })
    .refine(
      (given) => addressRules[given.kind].safeParse(given.address).success,
      acrossFields<Given>({
        of: ['kind', 'address'],
        at: 'address',
        error: (given) => addressRules[given.kind].safeParse(given.address).error?.issues[0]?.message ?? '',
      }),
    )
    .meta({ id: 'ContactMethodCreation', description: 'A new way to reach the caller.' }),
  setByService,
);

export type ContactMethodCreation = z.output<typeof creation>;

const accepted = z
  .strictObject({
    message_id: id('message', 'ID in the text of the message, and in the header `X-Message-Id` of an e-mail.'),
  })
  .meta({ id: 'AcceptedMessage', description: 'A message that is about to be sent.' });

const base = { capability: 'oncall', access: 'viewer', rateLimit: 'general' } as const;

const example: ContactMethodView = {
  id: 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  kind: 'sms',
  address: '+4915112345678',
  label: 'Work phone',
  is_account: false,
  is_verified: true,
  created_at: '2026-03-01T09:30:00.000Z',
  code_expires_at: null,
  last_delivery: { at: '2026-03-02T02:11:04.120Z', outcome: 'sent', error: null },
};

const pending: ContactMethodView = {
  ...example,
  is_verified: false,
  code_expires_at: '2026-03-01T09:40:00.000Z',
  last_delivery: null,
};

const acceptedExample = { message_id: 'msg_2Q8W4ZK1M7XB5T9N3RVC6JHF0D' };

const codeNote = `The code has ${codeDigits} digits and is valid for ${codeMinutes} minutes and ${maxCodeTries} tries.`;

export const contactMethodOperations = defineOperations({
  getContactMethods: {
    ...base,
    method: 'GET',
    path: '/me/contact-methods',
    summary: 'Get contact methods',
    description: "Returns the caller's contact methods, that of the account first. Programs have no account address.",
    responses: {
      200: {
        description: 'All contact methods.',
        body: z
          .strictObject({
            contact_methods: z.array(contactMethod),
            available_kinds: z
              .array(kind)
              .meta({ description: 'Kinds that this deployment can send to. E-mail and SMS are options of it.' }),
          })
          .meta({ id: 'ContactMethods', description: 'Contact methods of the caller.' }),
        example: { contact_methods: [example], available_kinds: ['email', 'sms', ...chatKinds] },
      },
    },
  },
  createContactMethod: {
    ...base,
    method: 'POST',
    path: '/me/contact-methods',
    summary: 'Create a contact method',
    description:
      'Adds an e-mail address, a phone number or a personal webhook. Sends a verification code to an e-mail address or a phone ' +
      `number. ${codeNote} A person has at most ${maxContactMethods} contact methods.`,
    body: creation,
    bodyExample: { kind: 'sms', address: '+4915112345678', label: 'Work phone' },
    responses: {
      201: {
        description: 'The contact method.',
        body: contactMethod,
        headers: { Location: { ...location, example: `/prod/api/v1/me/contact-methods/${example.id}` } },
        example: pending,
      },
    },
    errors: ['limit_reached', 'rate_limited'],
  },
  deleteContactMethod: {
    ...base,
    method: 'DELETE',
    path: '/me/contact-methods/{id}',
    summary: 'Delete a contact method',
    description: 'Deletes a contact method. Rules skip it from now on. The address of the account cannot be deleted.',
    params: idParams(contactMethodId),
    responses: { 204: { description: 'Deleted.' } },
  },
  verifyContactMethod: {
    ...base,
    method: 'POST',
    path: '/me/contact-methods/{id}/verify',
    summary: 'Verify a contact method',
    description: `Proves with the code that the caller receives what is sent there. ${codeNote}`,
    params: idParams(contactMethodId),
    body: z.strictObject({
      code: z
        .string()
        .regex(/^\d{6}$/, `must have ${codeDigits} digits`)
        .meta({ description: 'The code.', examples: ['274019'] }),
    }),
    bodyExample: { code: '274019' },
    responses: { 200: { description: 'The verified contact method.', body: contactMethod, example } },
    errors: ['limit_reached'],
  },
  sendContactCode: {
    ...base,
    method: 'POST',
    path: '/me/contact-methods/{id}/code',
    summary: 'Send a new verification code',
    description: 'Sends a new verification code, which replaces the last one. At most five codes per hour.',
    params: idParams(contactMethodId),
    responses: { 200: { description: 'The contact method.', body: contactMethod, example: pending } },
    errors: ['limit_reached'],
  },
  testContactMethod: {
    ...base,
    method: 'POST',
    path: '/me/contact-methods/{id}/test',
    summary: 'Send a test message',
    description:
      'Sends a test message through one verified contact method. `last_delivery` of the contact method shows the outcome. At ' +
      'most 20 test messages per hour.',
    params: idParams(contactMethodId),
    responses: { 202: { description: 'The message is about to be sent.', body: accepted, example: acceptedExample } },
  },
});

// Rules: which method is used at once, and which after some minutes without an acknowledgement.

const step = z
  .strictObject({
    method_id: contactMethodId,
    after_minutes: z
      .int()
      .min(0)
      .max(1_440)
      .meta({ description: 'Minutes without an acknowledgement; 0: at once.', examples: [0, 5] }),
  })
  .meta({ id: 'NotificationStep', description: 'Use of a contact method.' });

export type NotificationStep = z.output<typeof step>;

const steps = (description: string) =>
  z
    .array(step)
    .max(20)
    .refine(
      (given) => new Set(given.map((each) => `${each.method_id} ${each.after_minutes}`)).size === given.length,
      'must not contain the same step twice',
    )
    .meta({ description });

const topicNames = Object.keys(notificationTopics) as [keyof typeof notificationTopics];

const topics = z
  .array(z.enum(topicNames, { error: `must be one of ${topicNames.join(', ')}` }))
  .max(topicNames.length)
  .refine((given) => new Set(given).size === given.length, 'must not contain duplicates')
  .meta({ description: 'Topics of notifications that are sent, besides the list in the console.' });

const ruleFields = {
  pages: steps('For pages. A page that has ended is not sent.'),
  notifications: steps('For other notifications. Later steps are skipped once the notification is read.'),
  topics,
};

const isDefault = z.boolean().meta({ description: 'Whether the default applies.' });

const rules = z
  .strictObject({
    ...ruleFields,
    is_default: z
      .strictObject({ pages: isDefault, notifications: isDefault, topics: isDefault })
      .meta({ description: 'Rules that the caller has not set.' }),
  })
  .meta({ id: 'NotificationRules', description: 'Rules by which the caller is reached.' });

export type NotificationRulesView = z.output<typeof rules>;

const rulesUpdate = withReadOnlyFields(
  z
    .strictObject({
      pages: ruleFields.pages.nullable(),
      notifications: ruleFields.notifications.nullable(),
      topics: ruleFields.topics.nullable(),
    })
    .meta({ id: 'NotificationRulesUpdate', description: 'New rules; null restores a default.' }),
  { is_default: isDefault },
);

export type NotificationRulesUpdate = z.output<typeof rulesUpdate>;

const rulesExample: NotificationRulesView = {
  pages: [
    { method_id: 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE', after_minutes: 0 },
    { method_id: 'con_7ZQ3M9K0W4XB5T8N1RVC6JHF2D', after_minutes: 5 },
  ],
  notifications: [{ method_id: 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE', after_minutes: 0 }],
  topics: ['assignments', 'mentions', 'incidents', 'webhooks'],
  is_default: { pages: false, notifications: true, topics: true },
};

export const notificationRuleOperations = defineOperations({
  getNotificationRules: {
    ...base,
    method: 'GET',
    path: '/me/notification-rules',
    summary: 'Get notification rules',
    description:
      'Returns the rules in force. By default, pages use all verified contact methods at once; notifications about ' +
      'assignments, mentions, new incidents for stakeholders and failed webhooks use the address of the account.',
    responses: { 200: { description: 'The rules.', body: rules, example: rulesExample } },
  },
  updateNotificationRules: {
    ...base,
    method: 'PUT',
    path: '/me/notification-rules',
    summary: 'Replace notification rules',
    description:
      'Replaces the rules. An empty list of `notifications` sends none. If no contact method of `pages` can be used, pages ' +
      'use all verified ones.',
    body: rulesUpdate,
    bodyExample: { pages: null, notifications: [], topics: ['mentions'] },
    responses: { 200: { description: 'The rules.', body: rules, example: rulesExample } },
  },
  testNotificationRules: {
    ...base,
    method: 'POST',
    path: '/me/notification-rules/test',
    summary: 'Send a test page',
    description:
      'Sends a test page to the caller by the rules for pages, with all steps. `last_delivery` of the contact methods shows ' +
      'the outcome. At most 20 test messages per hour.',
    responses: { 202: { description: 'The page is about to be sent.', body: accepted, example: acceptedExample } },
  },
});
