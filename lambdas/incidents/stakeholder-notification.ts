import { type Audience, notificationWrite } from '../notifications/notification.ts';
import { newId } from '../platform/ids.ts';
import type { Write } from '../records/item-store.ts';
import type { IncidentRecord } from './incident.ts';

/** Tells of a new incident: its assignment group, if it has one, and in any case who subscribed to the service's topic. */
export function stakeholderNotification({ id, created_at, document }: IncidentRecord): Write {
  const { assignment_group: group, short_description, priority } = document;
  const audience: Audience = group === null ? { kind: 'topic', name: 'stakeholders' } : { kind: 'group', name: group };
  const about = { event: 'incident.created', incident_id: id, created_at, group, short_description, priority };
  return notificationWrite(audience, { id: newId('notification'), ...about });
}
