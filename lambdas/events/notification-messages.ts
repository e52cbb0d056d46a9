import {
  getQuotedRecord,
  getTopic,
  type Notification,
  parseAudience,
  personalType,
  toNotification,
} from '../notifications/notification.ts';
import type { MessageRequest } from '../oncall/channels/message.ts';
import { type Item, readString } from '../records/items.ts';
import type { Write } from '../records/write-items.ts';

// The messages that notifications lead to. The rules of each person decide whether and how they are sent
// (docs/decisions/0130-messages.md).

/** Notifications about a person's own work, which are stored by the writes of the same batch. */
export function toPersonalMessages(writes: readonly Write[]): MessageRequest[] {
  return writes.flatMap((write) => {
    if (!('put' in write) || write.put.Item?.type?.S !== personalType) return [];
    return toMessages(write.put.Item, [parseAudience(readString(write.put.Item, 'pk')).name]);
  });
}

/** A notification to people, except the one who caused it. */
export function toMessages(item: Item, people: readonly string[]): MessageRequest[] {
  const notification = toNotification(item);
  const topic = getTopic(notification.event);
  if (topic === undefined) return [];
  const { title, reason } = describe(notification);
  const by = String(notification.by ?? '').toLowerCase();
  const { webhook_id } = notification;
  return people
    .filter((email) => email.toLowerCase() !== by)
    .map((to) => ({
      id: `${notification.id} ${to.toLowerCase()}`,
      to,
      urgency: 'notification',
      record_id: getQuotedRecord(notification) ?? (typeof webhook_id === 'string' ? webhook_id : null),
      title,
      reason,
      topic,
      notification_id: notification.id,
    }));
}

/** The record is named by the message itself. */
function describe(notification: Notification): { title: string; reason: string } {
  const { event, by, priority, group, short_description, webhook_name, delivered_event, excerpt, error } = notification;
  const title = String(short_description ?? webhook_name ?? event);
  const reason = (text: string) => ({ title, reason: text });
  const [kind, step = ''] = event.split('.');
  const subject = priority === undefined ? 'This record' : `This ${priority} incident`;
  switch (event) {
    case 'incident.assigned':
      return reason(`${by} assigned this ${priority} incident to you.`);
    case 'incident.created':
      return reason(`This ${priority} incident is new for ${group}, a group that you follow.`);
    case 'note.mentioned':
      return reason(`${by} mentioned you in a note: ${excerpt}`);
    case 'note.added':
      return reason(`${by} added a note: ${excerpt}`);
    case 'sla.breach_warning':
      return reason(`${subject} is about to breach its SLA.`);
    case 'sla.breached':
      return reason(`${subject} has breached its SLA.`);
    case 'webhook.delivery_failed':
      return reason(`Your webhook "${webhook_name}" did not receive ${delivered_event} in five attempts: ${error}.`);
    case 'webhook.disabled':
      return reason(`The receiver of your webhook "${webhook_name}" responded with 410 Gone, so it was deactivated.`);
    default:
      return reason(step === 'submitted' ? `This ${kind} needs approval.` : `${by} decided on your ${kind}: ${step}.`);
  }
}
