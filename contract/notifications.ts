import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { cursor, flag, id, idParams, limit, line, pageSchema, timeBound, timestamp } from './records.ts';

// Notifications for users, such as failed deliveries, SLA breaches and pending approvals.

const notificationId = id('notification', 'ID of the notification.');

const notification = z
  .looseObject({
    id: notificationId,
    event: z.string().meta({ description: 'Type of the notification.', examples: ['webhook.delivery_failed'] }),
    created_at: timestamp('Time of creation.'),
    read: z.boolean().meta({ description: 'Whether the caller has read it.' }),
    done: z
      .boolean()
      .optional()
      .meta({
        description:
          'Present when the record no longer needs attention: the incident is closed or handed over, or the approval is ' +
          'decided. Such a notification does not count as unread.',
      }),
  })
  .meta({
    id: 'Notification',
    description:
      'Notification. Additional fields depend on `event`. `webhook.delivery_failed` and `webhook.disabled`: `webhook_id`, ' +
      '`webhook_name`, `delivery_id`, `delivered_event`, `last_status`, `error`, `replay_url`. `incident.created`: ' +
      '`incident_id`, `group`, `short_description`, `priority`, `by`. `sla.breach_warning` and `sla.breached`: `group`, ' +
      '`short_description`, and `incident_id` and `priority` of an incident or `record_id` of a change or request. ' +
      '`change.submitted` and `request.submitted`: `record_id`, `group`, `short_description`, `requested_by`. ' +
      '`incident.assigned`: `incident_id`, `group`, `short_description`, `priority`, `by`. `note.added` (on records that ' +
      'the caller works on or opened) and `note.mentioned` (the note contains `@` and the email address): `incident_id` or ' +
      '`record_id`, `note_id`, `short_description`, `priority`, `by`, `excerpt`. `change.approved`, `change.rejected`, ' +
      '`request.approved` and `request.rejected`: `record_id`, `short_description`, `by`, `decision_note`. ' +
      '`proposal.submitted`: `record_id`, `group`, `short_description`, `requested_by`; `proposal.applied`, ' +
      '`proposal.failed` and `proposal.rejected`: `record_id`, `short_description`, `by`, `decision_note`, `error`. If ' +
      'the record is deleted, callers without the role `itsm_manager` see `withheld: "record_deleted"` instead.',
  });

const unread = z.int().min(0).meta({ description: 'Number of unread notifications.' });

const settings = z
  .strictObject({
    groups: z
      .array(line(100, 'Name of an assignment group.'))
      .max(20)
      .refine((groups) => new Set(groups).size === groups.length, 'must not contain duplicates')
      .meta({ description: 'Assignment groups whose notifications the caller receives.', examples: [['network']] }),
  })
  .meta({ id: 'NotificationSettings', description: 'Notification settings of the caller.' });

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
  error: 'returned 503',
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
      "Lists the notifications of the last 30 days, newest first: those for the caller, for the caller's roles and for " +
      'the groups the caller follows. Topics that are switched off in the preferences are left out.',
    query: z.strictObject({
      group: z.string().min(1).max(100).optional().meta({
        description: 'Return the notifications of this group instead, even if the caller does not follow it.',
      }),
      unread: flag('Return only unread notifications.'),
      limit,
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of notifications.',
        body: z
          .strictObject({ ...pageSchema(notification, '', '').shape, unread })
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
    description: 'Marks the notification as read for the caller only. Safe to repeat.',
    params: idParams(notificationId),
    responses: { 200: { description: 'The notification.', body: notification, example: { ...example, read: true } } },
  },
  readAllNotifications: {
    ...base,
    method: 'POST',
    path: '/notifications/read',
    summary: 'Mark all notifications as read',
    description: 'Marks all notifications up to a given time as read. Later notifications stay unread.',
    body: z.strictObject({
      until: timeBound('Time up to which to mark notifications as read. Defaults to the current time.'),
    }),
    bodyExample: { until: '2026-03-01T10:55:15.900Z' },
    responses: {
      200: {
        description: 'Number of remaining unread notifications.',
        body: z
          .strictObject({ read_until: timestamp('Time up to which notifications are read.'), unread })
          .meta({ id: 'ReadNotifications', description: 'Read position of the caller.' }),
        example: { read_until: '2026-03-01T10:55:15.900Z', unread: 0 },
      },
    },
  },
  getNotificationSettings: {
    ...base,
    method: 'GET',
    path: '/notifications/settings',
    summary: 'Get notification settings',
    description: 'Returns the groups the caller follows. Empty by default.',
    responses: { 200: { description: 'The settings.', body: settings, example: settingsExample } },
  },
  updateNotificationSettings: {
    ...base,
    method: 'PATCH',
    path: '/notifications/settings',
    summary: 'Update notification settings',
    description: 'Replaces the groups the caller follows. Callers can follow any group.',
    body: settings,
    bodyExample: settingsExample,
    responses: { 200: { description: 'The updated settings.', body: settings, example: settingsExample } },
  },
});
