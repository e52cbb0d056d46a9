import { kept } from '../events/event-item.ts';
import type { Caller } from '../platform/caller.ts';
import type { ItemStore } from '../records/item-store.ts';
import {
  type Audience,
  type Notification,
  notificationPartition,
  notificationPrefix,
  notificationSortKey,
  toNotification,
} from './notification.ts';
import { audiencesOf, findReader, type Reader, readerPartition, readPrefix } from './reader.ts';

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
  const audiences: Audience[] = group === undefined ? audiencesOf(caller, reader) : [{ kind: 'group', name: group }];
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

export function unreadOf(inbox: readonly ReadNotification[]): number {
  return inbox.filter(({ read }) => !read).length;
}

function isRead({ id, created_at }: Notification, { readUntil }: Reader, read: ReadonlySet<string>): boolean {
  return created_at <= readUntil || read.has(id);
}
