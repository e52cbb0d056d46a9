import { type IncidentDocument, incidentChanges } from '../incidents/incident.ts';
import type { Changes } from '../records/record.ts';
import type { EventRule, NamedEvent } from './event-rules.ts';

/** What is told of an incident. The marks of its service level are events of their own, not changes of fields. */
export const incidentEvents: EventRule = {
  collection: 'incidents',
  eventsOf({ before, after }) {
    const document = after.document as IncidentDocument;
    const { short_description, priority, state } = document;
    const data = { short_description, priority, state };
    if (!before) return [{ type: 'incident.created', data }];
    const { sla_warned_at, sla_breached_at, ...fields } = incidentChanges(
      before.document as IncidentDocument,
      document,
    );
    const deletion = after.deleted && !before.deleted ? { deleted: { from: false, to: true } } : {};
    return [
      ...changeEvents({ ...fields, ...deletion }, data),
      ...(sla_warned_at ? [{ type: 'sla.breach_warning' as const, data }] : []),
      ...(sla_breached_at ? [{ type: 'sla.breached' as const, data }] : []),
    ];
  },
};

function changeEvents(changes: Changes, told: Record<string, unknown>): NamedEvent[] {
  if (Object.keys(changes).length === 0) return [];
  const data = { ...told, changes };
  return [
    { type: 'incident.updated', data },
    ...(changes.state?.to === 'resolved' ? [{ type: 'incident.resolved' as const, data }] : []),
    ...(changes.priority ? [{ type: 'incident.priority_changed' as const, data }] : []),
  ];
}
