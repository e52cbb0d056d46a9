import type { NotificationTopic } from '../../contract/preferences.ts';
import { toIso } from '../platform/clock.ts';
import { deriveTimedId, parseIdTime } from '../platform/ids.ts';
import { withheldAsDeleted } from '../records/change-record.ts';
import { type Item, readString, type Write } from '../records/item-store.ts';
import { toItemKey } from '../records/record-item.ts';

// | Access pattern                                       | Call    | Key                                                |
// |------------------------------------------------------|---------|----------------------------------------------------|
// | the notifications of a person or group, newest first | Query   | pk = notification#<kind>#<name>, sk = <created_at>#<id> |
// | one of them                                          | GetItem | the same: the id tells when it was made            |

export interface Audience {
  /** `topic`: nobody but those who subscribed to the service's topic, who get everything that is for others, too. */
  kind: 'user' | 'group' | 'topic';
  /** An e-mail address, or the name of a group; whoever has a role belongs to the group of its name. */
  name: string;
}

export type Notification = { id: string; event: string; created_at: string } & Readonly<Record<string, unknown>>;

const retentionDays = 30;

/** Of the sort keys, which are times. */
export const notificationPrefix = '2';

export function toNotificationPartition({ kind, name }: Audience): string {
  return `notification#${kind}#${name}`;
}

/**
 * The id given is what makes the notification one of a kind; the stored one tells its time as well. Written again, it is
 * refused. To notify several audiences of the same thing, use the same id: a member of two of them is notified once.
 */
export function buildNotificationWrite(
  audience: Audience,
  given: Notification,
  type: 'notification' | 'personal notification' = 'notification',
): Write {
  const createdAtMs = Date.parse(given.created_at);
  const id = deriveTimedId('notification', given.id, createdAtMs);
  const put = {
    Item: {
      ...toItemKey(toNotificationPartition(audience), toNotificationSortKey(id)),
      type: { S: type },
      document: { S: JSON.stringify({ ...given, id }) },
      expires_at: { N: String(Math.ceil(createdAtMs / 1_000) + retentionDays * 86_400) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'notification', put };
}

// A completion says that a record no longer needs attention, and clears the notifications of its audience. It is stored
// among them, so that one query reads both.

export interface Completion {
  record_id: string;
  /** Clears the notifications of these topics up to this time. */
  topics: readonly NotificationTopic[];
  at: string;
}

const completionType = 'notification completion';

export function buildCompletionWrite(audience: Audience, completion: Completion): Write {
  const { record_id, topics, at } = completion;
  const put = {
    Item: {
      ...toItemKey(toNotificationPartition(audience), `${at}#done#${record_id}#${topics}`),
      type: { S: completionType },
      document: { S: JSON.stringify(completion) },
      expires_at: { N: String(Math.ceil(Date.parse(at) / 1_000) + retentionDays * 86_400) },
    },
  };
  return { name: 'completion', put };
}

export function isCompletion(item: Item): boolean {
  return item.type?.S === completionType;
}

export function toCompletion(item: Item): Completion {
  return JSON.parse(readString(item, 'document'));
}

/** Undefined for an event that has no topic, which nobody can switch off. */
export function getTopic(event: string): NotificationTopic | undefined {
  return topics[event];
}

const topics: Readonly<Record<string, NotificationTopic>> = {
  'incident.assigned': 'assignments',
  'incident.created': 'incidents',
  'note.added': 'notes',
  'note.mentioned': 'mentions',
  'change.submitted': 'approvals',
  'request.submitted': 'approvals',
  'change.approved': 'decisions',
  'change.rejected': 'decisions',
  'request.approved': 'decisions',
  'request.rejected': 'decisions',
  'sla.breach_warning': 'sla',
  'sla.breached': 'sla',
  'webhook.delivery_failed': 'webhooks',
  'webhook.disabled': 'webhooks',
};

/** The record whose fields the notification quotes. */
export function getQuotedRecord({ incident_id, record_id }: Notification): string | undefined {
  const id = incident_id ?? record_id;
  return typeof id === 'string' ? id : undefined;
}

/** The notification without the fields of its record. */
export function removeQuotes<Given extends Notification>(notification: Given): Given {
  const quoted = new Set(['short_description', 'priority', 'requested_by', 'excerpt', 'decision_note']);
  const rest = Object.entries(notification).filter(([name]) => !quoted.has(name));
  return { ...(Object.fromEntries(rest) as Given), ...withheldAsDeleted };
}

export function toNotificationSortKey(id: string): string {
  return `${toIso(parseIdTime('notification', id))}#${id}`;
}

export function toNotification(item: Item): Notification {
  return JSON.parse(readString(item, 'document'));
}
