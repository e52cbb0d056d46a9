import type { Role } from '../../contract/roles.ts';
import { notificationWrite } from '../notifications/notification.ts';
import { newId } from '../platform/ids.ts';
import type { Write } from '../records/item-store.ts';

interface Waiting {
  /** The record that waits. */
  id: string;
  event: 'change.submitted' | 'request.submitted';
  short_description: string;
  requested_by: string;
  /** The group that will have to do it, if there is one. */
  group: string | null;
}

/** Those who may decide are told as a group that has the name of their role. */
const deciders: Role = 'itsm_manager';

/** Tells managers, and the group that will do it, that something waits for an approval. */
export function waitingNotifications({ id, group, ...about }: Waiting, nowMs: number): Write[] {
  const created_at = new Date(nowMs).toISOString();
  const audiences = group === null ? [deciders] : [deciders, group];
  // The same for both, so that a manager who follows the group is told once.
  const notification = { id: newId('notification'), ...about, record_id: id, group, created_at };
  return audiences.map((name) => notificationWrite({ kind: 'group', name }, notification));
}
