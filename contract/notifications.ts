import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { cursor, flag, idParams, limit, line, moment, pageOf, timestamp } from './records.ts';

// What the service has to tell people: that a delivery failed, that an incident of their group is late, that something
// waits for their approval.

const notificationId = z
  .string()
  .regex(/^ntf_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the notification.' });

const notification = z
  .looseObject({
    id: notificationId,
    event: z.string().meta({ description: 'What it tells of.', examples: ['webhook.delivery_failed'] }),
    created_at: timestamp('When it was made.'),
    read: z.boolean().meta({ description: 'Whether the caller has read it.' }),
  })
  .meta({
    id: 'Notification',
    description:
      'Further fields depend on `event`. `webhook.delivery_failed` and `webhook.disabled`: `webhook_id`, ' +
      '`webhook_name`, `delivery_id`, `delivered_event`, `last_status`, `error`, `replay_url`. `incident.created`, ' +
      '`sla.breach_warning` and `sla.breached`: `incident_id`, `group`, `short_description`, `priority`. ' +
      '`change.submitted` and `request.submitted`: `record_id`, `group`, `short_description`, `requested_by`. Once the ' +
      'record is deleted, callers below `itsm_manager` see `withheld: "record_deleted"` instead of its fields.',
  });

const unread = z.int().min(0).meta({ description: 'How many of them all the caller has not read.' });

const settings = z
  .strictObject({
    groups: z
      .array(line(100, 'The name of an assignment group.'))
      .max(20)
      .refine((groups) => new Set(groups).size === groups.length, 'must not have the same group twice')
      .meta({ description: 'The assignment groups whose notifications the caller gets.', examples: [['network']] }),
  })
  .meta({ id: 'NotificationSettings', description: 'What the caller wants to be told.' });

const base = { capability: 'notifications', access: 'viewer', rateLimit: 'general' } as const;

const settingsExample = { groups: ['network', 'service desk'] };

const example = {
  id: 'ntf_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
  event: 'webhook.delivery_failed',
  created_at: '2026-03-01T10:55:15.900Z',
  read: false,
  webhook_id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  webhook_name: 'Chat room of the mail team',
  delivery_id: 'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D',
  delivered_event: 'incident.resolved',
  last_status: 503,
  error: 'answered with 503',
  replay_url:
    '/prod/api/v1/webhooks/outbound/wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE/deliveries/' +
    'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D/replay',
};

export const notificationOperations = defineOperations({
  listNotifications: {
    ...base,
    method: 'GET',
    path: '/notifications',
    summary: 'List notifications',
    description:
      "The caller's notifications of the last 30 days, newest first: those to the caller, to the caller's roles and to " +
      'the groups that the caller follows.',
    query: z.strictObject({
      group: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: 'The notifications of this group instead, whether the caller follows it or not.' }),
      unread: flag('Only those that the caller has not read.'),
      limit,
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of notifications.',
        body: z
          .strictObject({ ...pageOf(notification, '', '').shape, unread })
          .meta({ id: 'NotificationPage', description: 'A page of notifications.' }),
        example: { data: [example], total: 1, unread: 1 },
      },
    },
  },
  readNotification: {
    ...base,
    method: 'POST',
    path: '/notifications/{id}/read',
    summary: 'Mark a notification as read',
    description: 'For the caller; others who got it still have to read it. Doing so again changes nothing.',
    params: idParams(notificationId),
    responses: { 200: { description: 'The notification.', body: notification, example: { ...example, read: true } } },
  },
  readAllNotifications: {
    ...base,
    method: 'POST',
    path: '/notifications/read',
    summary: 'Mark all notifications as read',
    description: 'All that were made up to a moment, so that what came after somebody looked is not missed.',
    body: z.strictObject({ until: moment('The last moment that counts; the present one if absent or later.') }),
    bodyExample: { until: '2026-03-01T10:55:15.900Z' },
    responses: {
      200: {
        description: 'How much is left.',
        body: z
          .strictObject({ read_until: timestamp('Everything up to this moment is read.'), unread })
          .meta({ id: 'ReadNotifications', description: 'Up to when the caller has read everything.' }),
        example: { read_until: '2026-03-01T10:55:15.900Z', unread: 0 },
      },
    },
  },
  getNotificationSettings: {
    ...base,
    method: 'GET',
    path: '/notifications/settings',
    summary: 'Get what the caller is notified of',
    description: 'The groups that the caller follows; none until the caller chose some.',
    responses: { 200: { description: 'The settings.', body: settings, example: settingsExample } },
  },
  updateNotificationSettings: {
    ...base,
    method: 'PATCH',
    path: '/notifications/settings',
    summary: 'Choose what the caller is notified of',
    description: 'Replaces the groups that the caller follows. Anybody may follow any group.',
    body: settings,
    bodyExample: settingsExample,
    responses: { 200: { description: 'The settings after it.', body: settings, example: settingsExample } },
  },
});
