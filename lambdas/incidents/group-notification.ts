import { newId } from '../platform/ids.ts';
import type { Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';
import type { IncidentRecord } from './incident.ts';

const keptDays = 30;

/** Tells the assignment group of a new incident; an incident that is nobody's yet has nobody to tell. */
export function groupNotification({ id, created_at, document }: IncidentRecord): Write[] {
  const { assignment_group: group, short_description, priority } = document;
  if (group === null) return [];
  const notification = { id: newId('notification'), event: 'incident.created', incident_id: id, created_at };
  const put = {
    Item: {
      ...keyOf(`notification#group#${group}`, `${created_at}#${notification.id}`),
      type: { S: 'notification' },
      document: { S: JSON.stringify({ ...notification, group, short_description, priority }) },
      expires_at: { N: String(Math.ceil(Date.parse(created_at) / 1_000) + keptDays * 86_400) },
    },
  };
  return [{ name: 'notification', put }];
}
