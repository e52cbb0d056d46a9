import type { Incident, IncidentCreation, IncidentPatch } from '../../contract/incidents.ts';
import { encodeListing } from '../lists/listing.ts';
import { changesBetween, patched } from '../records/changes.ts';
import type { Changes, StoredRecord } from '../records/record.ts';
import type { Resource } from '../records/resource.ts';
import { dueKeys } from '../sla/due-keys.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { nextSla, type Sla, startSla } from '../sla/sla.ts';
import { slaBreachAt, slaChanges } from '../sla/sla-fields.ts';
import { aboutKeys } from './about-keys.ts';
import { incidentListing } from './incident-listing.ts';
import { entered } from './incident-state.ts';

/** The document of a stored incident: its fields as the interface shows them, and the clock behind `sla_breach_at`. */
export interface IncidentDocument extends Omit<Incident, keyof FromRecord> {
  sla: Sla;
}

export type IncidentRecord = StoredRecord<IncidentDocument>;

/** What callers see of an incident. */
export function showIncident({ id, created_at, updated_at, deleted, document, ...record }: IncidentRecord): Incident {
  const { sla: _, ...fields } = document;
  const { notes_count: work_notes_count, suggested_resolution: ai_suggested_resolution = null } = record;
  return {
    id,
    number: id,
    ...fields,
    work_notes_count,
    ai_suggested_resolution,
    deleted,
    created_at,
    updated_at,
  };
}

export function newIncident(
  creation: IncidentCreation,
  openedBy: string,
  nowMs: number,
  policy: SlaPolicy,
): IncidentDocument {
  const sla = startSla(creation.priority, nowMs);
  return {
    short_description: creation.short_description,
    priority: creation.priority,
    state: creation.state,
    description: creation.description ?? null,
    category: creation.category ?? null,
    subcategory: creation.subcategory ?? null,
    impact: creation.impact ?? null,
    urgency: creation.urgency ?? null,
    assignment_group: creation.assignment_group ?? null,
    assigned_to: creation.assigned_to ?? null,
    ci_id: creation.ci_id ?? null,
    parent_problem_id: creation.parent_problem_id ?? null,
    change_id: creation.change_id ?? null,
    resolution: creation.resolution ?? null,
    sla_breach_at: slaBreachAt(sla, policy),
    opened_by: openedBy,
    resolved_at: null,
    closed_at: null,
    reopen_count: 0,
    sla,
  };
}

/** The incident after a patch; refuses a state that cannot follow. */
export function changedIncident(
  before: IncidentDocument,
  patch: IncidentPatch,
  nowMs: number,
  policy: SlaPolicy,
): IncidentDocument {
  const after = {
    ...patched(before, patch as Partial<IncidentDocument>),
    ...entered(before, patch.state ?? before.state, nowMs),
  };
  if (after.state === before.state && after.priority === before.priority) return after;
  const sla = nextSla(before.sla, after, nowMs, policy);
  return { ...after, sla, sla_breach_at: slaBreachAt(sla, policy) };
}

/** What the records mechanism has to know of incidents. */
export function incidentType(policy: SlaPolicy): Resource<IncidentDocument, Incident> {
  return {
    name: incidentListing.type,
    collection: 'incidents',
    show: showIncident,
    listing: (record) => encodeListing(incidentListing, { ...record.document, ...record }),
    indexKeys: ({ id, created_at, deleted, document }) => ({
      due_pk: null,
      due_sk: null,
      ...(deleted ? {} : dueKeys(id, document.sla, policy)),
      ...aboutKeys({ id, created_at, deleted, document }),
    }),
    changes: incidentChanges,
  };
}

/** The clock is not a field, but the marks it sets are told. */
export function incidentChanges(
  { sla: old, ...before }: IncidentDocument,
  { sla, ...after }: IncidentDocument,
): Changes {
  return { ...changesBetween(before, after), ...(old ? slaChanges(old, sla) : {}) };
}

type FromRecord = Pick<
  Incident,
  'id' | 'number' | 'work_notes_count' | 'ai_suggested_resolution' | 'deleted' | 'created_at' | 'updated_at'
>;
