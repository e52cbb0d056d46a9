import { notificationWrite } from '../notifications/notification.ts';
import { newId } from '../platform/ids.ts';
import type { Write } from '../records/item-store.ts';
import type { IncidentRecord } from './incident.ts';

/** Tells the assignment group of a new incident; an incident that is nobody's yet has nobody to tell. */
export function groupNotification({ id, created_at, document }: IncidentRecord): Write[] {
  const { assignment_group: group, short_description, priority } = document;
  if (group === null) return [];
  const about = { event: 'incident.created', incident_id: id, created_at, group, short_description, priority };
  return [notificationWrite({ kind: 'group', name: group }, { id: newId('notification'), ...about })];
}
