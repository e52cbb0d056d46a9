import { toIso } from '../platform/clock.ts';
import { parseIdTime, timedIdFrom } from '../platform/ids.ts';
import { withheldAsDeleted } from '../records/find-record.ts';
import type { Item, Write } from '../records/item-store.ts';
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

const keptDays = 30;

/** Of the sort keys, which are times. */
export const notificationPrefix = '2';

export function notificationPartition({ kind, name }: Audience): string {
  return `notification#${kind}#${name}`;
}

/**
 * The id given is what makes the notification one of a kind; the stored one tells its time as well. Written again, it is
 * refused. To tell several audiences of the same thing, give the same id: whoever belongs to two of them is told once.
 */
export function notificationWrite(audience: Audience, given: Notification): Write {
  const createdAtMs = Date.parse(given.created_at);
  const id = timedIdFrom('notification', given.id, createdAtMs);
  const put = {
    Item: {
      ...toItemKey(notificationPartition(audience), notificationSortKey(id)),
      type: { S: 'notification' },
      document: { S: JSON.stringify({ ...given, id }) },
      expires_at: { N: String(Math.ceil(createdAtMs / 1_000) + keptDays * 86_400) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'notification', put };
}

/** The record whose fields the notification quotes. */
export function quotedRecord({ incident_id, record_id }: Notification): string | undefined {
  const id = incident_id ?? record_id;
  return typeof id === 'string' ? id : undefined;
}

/** The notification without the fields of its record. */
export function withoutQuotes<Given extends Notification>(notification: Given): Given {
  const quoted = new Set(['short_description', 'priority', 'requested_by']);
  const rest = Object.entries(notification).filter(([name]) => !quoted.has(name));
  return { ...(Object.fromEntries(rest) as Given), ...withheldAsDeleted };
}

export function notificationSortKey(id: string): string {
  return `${toIso(parseIdTime('notification', id))}#${id}`;
}

export function toNotification(item: Item): Notification {
  return JSON.parse(item.document!.S!);
}
