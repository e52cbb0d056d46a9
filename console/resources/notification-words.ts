import type { ServiceClient } from '../../client/index.ts';
import { formatPerson } from '../ui/person.ts';
import { stripMarkup } from '../ui/plain-text.ts';
import { toRecordPath } from '../ui/record-path.ts';
import { incidentPath } from './incident-words.ts';
import { deliveryPath } from './webhook-words.ts';

export type Notification = Awaited<ReturnType<ServiceClient['listNotifications']>>['data'][number];

/** Topics of notifications, as the settings of a person name them. */
export const topicNames = {
  assignments: 'Incidents assigned to me',
  mentions: 'Mentions of me in notes',
  notes: 'Notes on my incidents',
  decisions: 'Decisions on my changes, requests and proposals',
  approvals: 'Changes, requests and proposals to approve',
  sla: 'SLA warnings and breaches',
  incidents: 'New incidents of followed groups',
  webhooks: 'Failed webhooks',
} as const;

interface Words {
  text: string;
  /** The subject of the notification. */
  subject: string;
  /** The page to open. */
  path?: string | undefined;
}

/** The note, or the incident when the note is withheld. */
const quote = (field: (name: string) => string) =>
  field('excerpt') === '' ? field('short_description') : `“${stripMarkup(field('excerpt'))}”`;

export function describeNotification(notification: Notification): Words {
  const field = (name: string) => String(notification[name] ?? '');
  if (notification.withheld === 'record_deleted') {
    return { text: `About ${field('incident_id') || field('record_id')}`, subject: 'This record was deleted.' };
  }
  const subject = field('short_description');
  const by = formatPerson(field('by'));
  const incident = { subject, path: incidentPath(field('incident_id')) };
  const noted = field('incident_id') || field('record_id');
  switch (notification.event) {
    case 'incident.created':
      return { text: `New ${field('priority')} incident ${field('incident_id')}`, ...incident };
    case 'page.exhausted':
      return { text: `Nobody acknowledged ${field('incident_id')}`, ...incident };
    case 'sla.breach_warning':
      return { text: `${field('incident_id')} is about to breach its SLA`, ...incident };
    case 'sla.breached':
      return { text: `${field('incident_id')} breached its SLA`, ...incident };
    case 'incident.assigned':
      return { text: `${by} assigned ${field('incident_id')} to you`, ...incident };
    case 'note.added':
      return { text: `${by} added a note to ${noted}`, path: toRecordPath(noted), subject: quote(field) };
    case 'note.mentioned':
      return { text: `${by} mentioned you in ${noted}`, path: toRecordPath(noted), subject: quote(field) };
    case 'change.approved':
    case 'change.rejected':
    case 'request.approved':
    case 'request.rejected':
    case 'proposal.rejected': {
      const [kind, verdict] = notification.event.split('.');
      const path = `/${kind}s/${field('record_id')}`;
      return { text: `${by} ${verdict} ${field('record_id')}`, subject, path };
    }
    case 'proposal.applied':
    case 'proposal.failed': {
      const end = notification.event === 'proposal.applied' ? '' : ', but it could not be applied';
      const path = `/proposals/${field('record_id')}`;
      return { text: `${by} approved ${field('record_id')}${end}`, subject, path };
    }
    case 'change.submitted':
    case 'request.submitted':
    case 'proposal.submitted': {
      const [kind] = notification.event.split('.');
      const what = notification.done ? 'was submitted for approval' : 'is awaiting approval';
      return { text: `${field('record_id')} ${what}`, subject, path: `/${kind}s/${field('record_id')}` };
    }
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
