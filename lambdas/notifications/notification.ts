import type { Item, Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';

// | Access pattern                                       | Call  | Key                                                |
// |------------------------------------------------------|-------|----------------------------------------------------|
// | the notifications of a person or group, newest first | Query | pk = notification#<kind>#<name>, sk = <created_at>#<id> |

export interface Audience {
  /** `topic`: nobody but those who subscribed to the service's topic, who get everything that is for others, too. */
  kind: 'user' | 'group' | 'topic';
  /** An e-mail address, or the name of a group. */
  name: string;
}

export type Notification = { id: string; event: string; created_at: string } & Readonly<Record<string, unknown>>;

const keptDays = 30;

export function notificationPartition({ kind, name }: Audience): string {
  return `notification#${kind}#${name}`;
}

export function notificationWrite(audience: Audience, notification: Notification): Write {
  const { created_at, id } = notification;
  const put = {
    Item: {
      ...keyOf(notificationPartition(audience), `${created_at}#${id}`),
      type: { S: 'notification' },
      document: { S: JSON.stringify(notification) },
      expires_at: { N: String(Math.ceil(Date.parse(created_at) / 1_000) + keptDays * 86_400) },
    },
  };
  return { name: 'notification', put };
}

export function toNotification(item: Item): Notification {
  return JSON.parse(item.document!.S!);
}
