import type { ServiceClient } from '../../../client/index.ts';
import { incidentPath } from '../incidents/incident-words.ts';
import { deliveryPath } from '../webhooks/webhook-words.ts';

export type Notification = Awaited<ReturnType<ServiceClient['listNotifications']>>['data'][number];

interface Words {
  text: string;
  /** The subject of the notification. */
  subject: string;
  /** The page to open. */
  path?: string;
}

export function describeNotification(notification: Notification): Words {
  const field = (name: string) => String(notification[name] ?? '');
  if (notification.withheld === 'record_deleted') {
    return { text: `About ${field('incident_id') || field('record_id')}`, subject: 'This record was deleted.' };
  }
  const subject = field('short_description');
  const incident = { subject, path: incidentPath(field('incident_id')) };
  switch (notification.event) {
    case 'incident.created':
      return { text: `New ${field('priority')} incident ${field('incident_id')}`, ...incident };
    case 'sla.breach_warning':
      return { text: `${field('incident_id')} is about to breach its SLA`, ...incident };
    case 'sla.breached':
      return { text: `${field('incident_id')} breached its SLA`, ...incident };
    case 'change.submitted':
      return { text: `${field('record_id')} is awaiting approval`, subject, path: `/changes/${field('record_id')}` };
    case 'request.submitted':
      return { text: `${field('record_id')} is awaiting approval`, subject, path: `/requests/${field('record_id')}` };
    case 'webhook.delivery_failed':
    case 'webhook.disabled': {
      const what = notification.event === 'webhook.disabled' ? 'was deactivated' : 'delivery failed';
      const path = deliveryPath(field('webhook_id'), field('delivery_id'));
      return { text: `Webhook ${what}`, subject: field('webhook_name'), path };
    }
    default:
      return { text: notification.event, subject };
  }
}
