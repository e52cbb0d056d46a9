import { hasRole, roles } from '../../contract/roles.ts';
import { kept } from '../events/event-log.ts';
import type { Caller } from '../platform/caller.ts';
import type { Item, ItemStore, Write } from '../records/item-store.ts';
import { recordSortKey, toItemKey } from '../records/record-item.ts';
import {
  type Audience,
  type Notification,
  notificationPartition,
  notificationPrefix,
  notificationSortKey,
  toNotification,
} from './notification.ts';

export type ReadNotification = Notification & { read: boolean };

/** Of each audience. Beyond that, what is older is not seen; nobody reads so many in 30 days. */
const most = 5_000;

/** Everything that is for the caller, or for a group, newest first, with what the caller has read of it. */
export async function readInbox(
  store: Pick<ItemStore, 'get' | 'range'>,
  caller: Pick<Caller, 'email' | 'roles'>,
  nowMs: number,
  group?: string,
): Promise<ReadNotification[]> {
  const filter = kept(nowMs);
  const [reader, marks] = await Promise.all([
    findReader(store, caller.email),
    store.range({ pk: readerPartition(caller.email), prefix: readPrefix, filter }, most),
  ]);
  const audiences: Audience[] = group === undefined ? listAudiences(caller, reader) : [{ kind: 'group', name: group }];
  const ranges = audiences.map((audience) => {
    const pk = notificationPartition(audience);
    return store.range({ pk, prefix: notificationPrefix, order: 'newest first', filter }, most);
  });
  const read = new Set(marks.map(({ sk }) => sk!.S!.slice(readPrefix.length)));
  const all = (await Promise.all(ranges)).flat().map(toNotification);
  const once = [...new Map(all.map((each) => [each.id, each])).values()];
  return once
    .map((each) => ({ ...each, read: isRead(each, reader, read) }))
    .sort((a, b) => (notificationSortKey(a.id) < notificationSortKey(b.id) ? 1 : -1));
}

export function countUnread(inbox: readonly ReadNotification[]): number {
  return inbox.filter(({ read }) => !read).length;
}

function isRead({ id, created_at }: Notification, { readUntil }: Reader, read: ReadonlySet<string>): boolean {
  return created_at <= readUntil || read.has(id);
}

// What somebody follows and has read. A notification of a group is stored once, so reading it is noted for the reader.
//
// | Access pattern                   | Call    | Key                                                          |
// |----------------------------------|---------|--------------------------------------------------------------|
// | what somebody follows            | GetItem | pk = notification#reader#<address>, sk = #                    |
// | what somebody has read, one each | Query   | pk = notification#reader#<address>, sk = read#<id>            |

export interface Reader {
  groups: readonly string[];
  /** Everything up to this moment is read. */
  readUntil: string;
}

export const readPrefix = 'read#';

export function readerPartition(email: string): string {
  return `notification#reader#${email}`;
}

export async function findReader(store: Pick<ItemStore, 'get'>, email: string): Promise<Reader> {
  const item = await store.get(readerPartition(email), recordSortKey);
  return { groups: JSON.parse(item?.groups?.S ?? '[]'), readUntil: item?.read_until?.S ?? '' };
}

/** Whom notifications have to be for in order to be for the caller. */
export function listAudiences({ email, roles: held }: Pick<Caller, 'email' | 'roles'>, { groups }: Reader): Audience[] {
  const names = new Set([...roles.filter((role) => hasRole(held, role)), ...groups]);
  return [{ kind: 'user', name: email }, ...[...names].map((name): Audience => ({ kind: 'group', name }))];
}

export function followWrite(email: string, groups: readonly string[]): Write {
  const update = {
    Key: toItemKey(readerPartition(email), recordSortKey),
    UpdateExpression: 'SET #groups = :groups',
    ExpressionAttributeNames: { '#groups': 'groups' },
    ExpressionAttributeValues: { ':groups': { S: JSON.stringify(groups) } },
  };
  return { name: 'reader', update };
}

/** Refused when more was read already. */
export function readUntilWrite(email: string, until: string): Write {
  const update = {
    Key: toItemKey(readerPartition(email), recordSortKey),
    UpdateExpression: 'SET read_until = :until',
    ConditionExpression: 'attribute_not_exists(read_until) OR read_until < :until',
    ExpressionAttributeValues: { ':until': { S: until } },
  };
  return { name: 'reader', update };
}

/** Kept as long as the notification itself. */
export function readWrite(email: string, id: string, expires_at: Item[string]): Write {
  return { name: 'read', put: { Item: { ...toItemKey(readerPartition(email), `${readPrefix}${id}`), expires_at } } };
}
