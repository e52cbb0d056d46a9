import type { RecordChange } from '../events/event.ts';
import { incidentEvents } from '../events/event-rules.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { Write } from '../records/item-store.ts';
import { type Audience, notificationWrite } from './notification.ts';

/** Tells the group and the assignee of an incident that its service level is, or will soon be, breached. */
export function slaNotifications(change: RecordChange): Write[] {
  if (change.type !== 'incident' || change.before === null || change.after.deleted) return [];
  const {
    assignment_group: group,
    assigned_to,
    short_description,
    priority,
  } = change.after.document as IncidentDocument;
  const audiences: Audience[] = [
    ...(group === null ? [] : [{ kind: 'group', name: group } as const]),
    ...(assigned_to === null ? [] : [{ kind: 'user', name: assigned_to } as const]),
  ];
  const marks = incidentEvents.toEvents(change).filter(({ type }) => type.startsWith('sla.'));
  // A late change may set both marks; a breach makes the warning superfluous.
  return marks.slice(-1).flatMap(({ type }) => {
    const about = { incident_id: change.id, group, short_description, priority };
    // The same change makes the same notification, however often the stream tells of it.
    const id = `${change.id} ${change.version} ${type}`;
    return audiences.map((audience) =>
      notificationWrite(audience, { id, event: type, created_at: change.at, ...about }),
    );
  });
}
