import type { DynamoDBRecord } from 'aws-lambda';
import type { NotificationTopic } from '../../contract/preferences.ts';
import { toIso } from '../platform/clock.ts';
import { deriveTimedId, parseIdTime } from '../platform/ids.ts';
import { withheldAsDeleted } from '../records/change-record.ts';
import { type Item, readString } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';

// | Access pattern                                       | Call    | Key                                                |
// |------------------------------------------------------|---------|----------------------------------------------------|
// | the notifications of a person or group, newest first | Query   | pk = notification#<kind>#<name>, sk = <created_at>#<id> |
// | one notification                                     | GetItem | the same; the id contains the time of creation     |

export interface Audience {
  /** `topic`: only subscribers of the service's topic, who receive all other notifications as well. */
  kind: 'user' | 'group' | 'topic';
  /** An email address or the name of a group. Each role is also a group. */
  name: string;
}

export type Notification = { id: string; event: string; created_at: string } & Readonly<Record<string, unknown>>;

const retentionDays = 30;

/** Sort keys are times, so all of them start with 2 until the year 3000. */
export const notificationPrefix = '2';

/** People type addresses with and without capitals, so the key of a person is in lower case. */
export function toNotificationPartition({ kind, name }: Audience): string {
  return `notification#${kind}#${kind === 'user' ? name.toLowerCase() : name}`;
}

export function parseAudience(pk: string): Audience {
  const [, kind = '', ...name] = pk.split('#');
  return { kind: kind as Audience['kind'], name: name.join('#') };
}

/** The partitions to read: earlier releases stored an address with its capitals. */
export function listNotificationPartitions(audience: Audience): string[] {
  return [...new Set([toNotificationPartition(audience), `notification#${audience.kind}#${audience.name}`])];
}

/** Of a notification that is not published to the service's topic. */
export const personalType = 'personal notification';

/**
 * Derives the stored id from the given id and the time, so writing the same notification again fails. Use one id for
 * several audiences, so that a member of two of them is notified once.
 */
export function buildNotificationWrite(
  audience: Audience,
  notification: Notification,
  type: 'notification' | typeof personalType = 'notification',
): Write {
  const createdAtMs = Date.parse(notification.created_at);
  const id = deriveTimedId('notification', notification.id, createdAtMs);
  const put = {
    Item: {
      ...toItemKey(toNotificationPartition(audience), toNotificationSortKey(id)),
      type: { S: type },
      document: { S: JSON.stringify({ ...notification, id }) },
      expires_at: { N: String(Math.ceil(createdAtMs / 1_000) + retentionDays * 86_400) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'notification', put };
}

// A completion means that a record no longer needs attention, and clears its audience's notifications. It is stored in
// the same partition, so one query reads both.

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

/** Undefined for an event without a topic, which cannot be turned off. */
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
  'proposal.submitted': 'approvals',
  'change.approved': 'decisions',
  'change.rejected': 'decisions',
  'request.approved': 'decisions',
  'request.rejected': 'decisions',
  'proposal.applied': 'decisions',
  'proposal.failed': 'decisions',
  'proposal.rejected': 'decisions',
  'sla.breach_warning': 'sla',
  'sla.breached': 'sla',
  'webhook.delivery_failed': 'webhooks',
  'webhook.disabled': 'webhooks',
};

/** The id of the record whose fields the notification quotes. */
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

/** Publishes a message to the subscribers of the service's topic. */
export type Publish = (subject: string, message: string) => Promise<void>;

/** The item of a new notification in a stream entry. Undefined for other items, updates and expired notifications. */
export function findNewNotification({ dynamodb }: DynamoDBRecord): Item | undefined {
  const { Keys = {}, NewImage, OldImage } = dynamodb ?? {};
  if (OldImage || NewImage?.type?.S !== 'notification') return undefined;
  return { pk: { S: readString(Keys, 'pk') }, document: { S: readString(NewImage, 'document') } };
}

/** Publishes a sentence for people, followed by the notification as JSON for programs. */
export async function publishNotification(notification: Notification, publish: Publish): Promise<void> {
  const { subject, sentence } = toMessage(notification);
  await publish(toPrintable(subject), `${sentence}\n\n${JSON.stringify(notification, null, 2)}\n`);
}

interface Message {
  subject: string;
  sentence: string;
}

function toMessage(notification: Notification): Message {
  const { webhook_id, webhook_name, delivered_event, incident_id, priority, short_description, group } = notification;
  switch (notification.event) {
    case 'webhook.disabled':
      return {
        subject: `Webhook ${webhook_id} was deactivated`,
        sentence: `The receiver of the webhook "${webhook_name}" responded with 410 Gone, so the webhook was deactivated.`,
      };
    case 'webhook.delivery_failed':
      return {
        subject: `Webhook ${webhook_id} failed`,
        sentence: `The webhook "${webhook_name}" did not receive ${delivered_event}.`,
      };
    case 'incident.created':
      return {
        subject: `New incident ${incident_id} (${priority})`,
        sentence: `${incident_id} (${priority}${group === null ? '' : `, for ${group}`}): ${short_description}`,
      };
    case 'sla.breach_warning':
    case 'sla.breached': {
      const verb = notification.event === 'sla.breached' ? 'breached its SLA' : 'is about to breach its SLA';
      const id = getQuotedRecord(notification);
      return {
        subject: `${id}${priority === undefined ? '' : ` (${priority})`} ${verb}`,
        sentence: `${id} ${verb}: ${short_description}`,
      };
    }
    default:
      return { subject: notification.event, sentence: `${notification.event}: ${short_description ?? ''}` };
  }
}

/** SNS takes a subject of at most 100 printable ASCII characters. */
function toPrintable(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}
