import type { IncidentPatch } from '../../contract/incidents.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { Change, Changer } from '../records/change-record.ts';
import { apiAuthor } from '../records/record.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { changedIncident, type IncidentDocument, type IncidentRecord } from './incident.ts';
import { incidentAnswer } from './incident-answer.ts';
import { newWorkNote, noteWrite } from './work-note.ts';

export function updateIncident(
  change: Changer<IncidentDocument>,
  policy: SlaPolicy,
): UseCase<typeof routes.updateIncident> {
  return async ({ params, headers, body }, { caller }) => {
    const author = apiAuthor(caller);
    const record = await change({
      id: params.id,
      author,
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => incidentChange(before, body, author.actor, nowMs, policy),
    });
    return { status: 200, ...incidentAnswer(record) };
  };
}

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
