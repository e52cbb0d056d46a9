import type { IncidentPatch } from '../../contract/incidents.ts';
import type { Change } from '../records/change-record.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { changedIncident, type IncidentDocument, type IncidentRecord } from './incident.ts';
import { newWorkNote, noteWrite } from './work-note.ts';

/** What an update makes of an incident; its note is written with it. */
export function incidentChange(
  before: IncidentRecord,
  { work_note, ...patch }: IncidentPatch & { work_note?: string | undefined },
  actor: string,
  nowMs: number,
  policy: SlaPolicy,
): Change<IncidentDocument> {
  const document = changedIncident(before.document, patch, nowMs, policy);
  if (work_note === undefined) return { document };
  const note = newWorkNote(before.id, { body: work_note, visibility: 'team', attachments: [] }, actor, nowMs);
  return { document, notes: 1, alongside: [noteWrite(note)] };
}
