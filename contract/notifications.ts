import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { cursor, limit, pageOf, timestamp } from './records.ts';

// What the service has to tell people: that a delivery failed, that there is a new incident for their group.

const notification = z
  .looseObject({
    id: z
      .string()
      .regex(/^ntf_[0-9A-HJKMNP-TV-Z]{26}$/)
      .meta({ description: 'The id of the notification.' }),
    event: z.string().meta({ description: 'What it tells of.', examples: ['webhook.delivery_failed'] }),
    created_at: timestamp('When it was made.'),
  })
  .meta({
    id: 'Notification',
    description:
      'Further fields depend on `event`. `webhook.delivery_failed` and `webhook.disabled`: `webhook_id`, ' +
      '`webhook_name`, `delivery_id`, `delivered_event`, `last_status`, `error`, `replay_url`. `incident.created`: ' +
      '`incident_id`, `group`, `short_description`, `priority`. `change.submitted` and `request.submitted`, which wait ' +
      'for an approval: `record_id`, `group`, `short_description`, `requested_by`.',
  });

export const notificationOperations = defineOperations({
  listNotifications: {
    capability: 'notifications',
    method: 'GET',
    path: '/notifications',
    summary: 'List notifications',
    description: "The caller's own notifications of the last 30 days, or those of a group; newest first.",
    access: 'viewer',
    rateLimit: 'general',
    query: z.strictObject({
      group: z.string().min(1).max(100).optional().meta({ description: 'The notifications of this assignment group.' }),
      limit,
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of notifications.',
        body: pageOf(notification, 'NotificationPage', 'A page of notifications.'),
        example: {
          data: [
            {
              id: 'ntf_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
              event: 'webhook.delivery_failed',
              created_at: '2026-03-01T10:55:15.900Z',
              webhook_id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
              webhook_name: 'Chat room of the mail team',
              delivery_id: 'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D',
              delivered_event: 'incident.resolved',
              last_status: 503,
              error: 'answered with 503',
              replay_url:
                '/prod/api/v1/webhooks/outbound/wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE/deliveries/' +
                'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D/replay',
            },
          ],
          total: 1,
        },
      },
    },
  },
});
