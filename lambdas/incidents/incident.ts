import type { Incident } from '../../contract/incidents.ts';
import type { StoredRecord } from '../records/record.ts';
import type { Sla } from '../sla/sla.ts';

/** The document of a stored incident: its fields as the interface shows them, and the clock behind `sla_breach_at`. */
export interface IncidentDocument extends Omit<Incident, keyof FromRecord> {
  sla: Sla;
}

export type IncidentRecord = StoredRecord<IncidentDocument>;

/** What callers see of an incident. */
export function showIncident({ id, created_at, updated_at, deleted, notes_count, document }: IncidentRecord): Incident {
  const { sla: _, ...fields } = document;
  return { id, number: id, ...fields, work_notes_count: notes_count, deleted, created_at, updated_at };
}

type FromRecord = Pick<Incident, 'id' | 'number' | 'work_notes_count' | 'deleted' | 'created_at' | 'updated_at'>;
