import type { IncidentCreation } from '../../contract/incidents.ts';
import { newId } from '../platform/ids.ts';
import type { Write } from '../records/item-store.ts';
import { type Author, firstVersion } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { type IncidentRecord, incidentType, newIncident } from './incident.ts';
import { stakeholderNotification } from './stakeholder-notification.ts';

/** A new incident and everything that is written with it. The write named `record` is refused when the id is taken. */
export function draftIncident(
  creation: IncidentCreation,
  author: Author,
  nowMs: number,
  policy: SlaPolicy,
): { record: IncidentRecord; writes: Write[] } {
  const record = firstVersion(newId('incident'), newIncident(creation, author.actor, nowMs, policy), nowMs);
  const notifications = creation.notify_stakeholders ? [stakeholderNotification(record)] : [];
  return { record, writes: [...insertion(incidentType(policy), record, author), ...notifications] };
}
