import { idFormats } from '../../contract/ids.ts';
import type { Incident, IncidentCreation, IncidentPatch } from '../../contract/incidents.ts';
import {
  type IncidentState,
  incidentStates,
  incidentTransitions,
  openIncidentStates,
  priorities,
} from '../../contract/states.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { type Audience, buildNotificationWrite } from '../notifications/notification.ts';
import { toIso } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { applyPatch, assertTransition, type Change, diffFields, type StateMachine } from '../records/change-record.ts';
import type { Write } from '../records/item-store.ts';
import { type Author, type Changes, createFirstVersion, type Resource, type StoredRecord } from '../records/record.ts';
import { buildInsert } from '../records/record-item.ts';
import {
  advanceSla,
  diffMarks,
  formatBreachAt,
  getBreachAt,
  getWarningAt,
  markDue,
  type Sla,
  type SlaPolicy,
  startSla,
  toDueKeys,
  toIsoOrNull,
} from './sla/sla.ts';
import { newWorkNote, toNoteWrite } from './work-notes.ts';

export const incidentListing: ListingSpec = {
  type: 'incident',
  idPrefix: idFormats.incident.prefix,
  times: ['resolved_at', 'sla_breach_at', 'sla_warning_at', 'acknowledged_at'],
  addedTimes: [3, 1],
  nullsLast: ['sla_breach_at'],
  enums: {
    priority: priorities,
    state: incidentStates,
  },
  strings: ['assignment_group', 'assigned_to', 'category'],
  words: ['short_description', 'category', 'description'],
  references: ['ci_id', 'opened_by'],
};

/** The stored document: the response fields plus the SLA clock behind `sla_breach_at`. */
export interface IncidentDocument extends Omit<Incident, keyof FromRecord> {
  sla: Sla;
  /** The last step of a page beyond the first one. */
  escalation?: Escalation;
}

/** Like the marks of the SLA, it is part of the history and emits an event, but not part of the response. */
export interface Escalation {
  page_id: string;
  /** Counts from 1. */
  step: number;
  /** How often all steps were repeated before. */
  repetition: number;
}

export type IncidentRecord = StoredRecord<IncidentDocument>;

export function toIncidentResponse({
  id,
  created_at,
  updated_at,
  deleted,
  document,
  ...record
}: IncidentRecord): Incident {
  const { sla: _sla, escalation: _escalation, ...fields } = document;
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

/** The rules of incidents under one SLA policy. */
export interface IncidentRules {
  resource: Resource<IncidentDocument, Incident>;
  newDocument(creation: IncidentCreation, openedBy: string, nowMs: number): IncidentDocument;
  /** Rejects a transition that is not allowed. */
  applyPatch(before: IncidentDocument, patch: IncidentPatch, nowMs: number): IncidentDocument;
  /** Rejects an incident that needs no work. Changes nothing if it is acknowledged already. */
  acknowledge(before: IncidentDocument, by: string, nowMs: number): IncidentDocument;
  /** Sets the SLA marks that are due, and the breach time under the current policy. */
  markDue(document: IncidentDocument, nowMs: number): IncidentDocument;
  /** Builds a new incident with all writes that create it. The write named `record` fails when the id is taken. */
  create(creation: IncidentCreation, author: Author, nowMs: number): { record: IncidentRecord; writes: Write[] };
  /** Builds the change for an update; the work note is written with it. */
  change(before: IncidentRecord, patch: PatchWithNote, actor: string, nowMs: number): Change<IncidentDocument>;
}

type PatchWithNote = IncidentPatch & { work_note?: string | undefined };

export function createIncidentRules(policy: SlaPolicy): IncidentRules {
  const withSla = <Fields extends object>(fields: Fields, sla: Sla) => ({
    ...fields,
    sla,
    sla_breach_at: formatBreachAt(sla, policy),
  });

  const resource: IncidentRules['resource'] = {
    name: incidentListing.type,
    collection: 'incidents',
    toResponse: toIncidentResponse,
    listing: (record) =>
      encodeListing(incidentListing, { ...record.document, ...record, ...toListedSla(record.document.sla, policy) }),
    indexKeys: ({ id, created_at, deleted, document }) => ({
      due_pk: null,
      due_sk: null,
      ...(deleted ? {} : toDueKeys(id, document.sla, policy)),
      ...toAboutKeys({ id, created_at, deleted, document }),
    }),
    changes: diffIncidents,
  };

  const newDocument: IncidentRules['newDocument'] = ({ notify_stakeholders: _, ...fields }, openedBy, nowMs) => {
    const ends = { resolved_at: null, closed_at: null, ...unacknowledged };
    const document = { ...fields, opened_by: openedBy, ...ends, reopen_count: 0 };
    return withSla(document, startSla(fields.priority, nowMs));
  };

  const applyIncidentPatch: IncidentRules['applyPatch'] = (before, patch, nowMs) => {
    const after = {
      ...applyPatch(before, patch as Partial<IncidentDocument>),
      ...transition(before, patch.state ?? before.state, nowMs),
    };
    // Somebody else has to take responsibility now.
    const isReopened = after.state === 'reopened' && before.state !== 'reopened';
    if (isReopened || after.assignment_group !== before.assignment_group) Object.assign(after, unacknowledged);
    if (after.state === before.state && after.priority === before.priority) return after;
    return withSla(after, advanceSla(before.sla, after, nowMs, policy));
  };

  return {
    resource,
    newDocument,
    applyPatch: applyIncidentPatch,
    acknowledge(before, by, nowMs) {
      if (before.acknowledged_at !== null) return before;
      assertNeedsWork(before.state);
      const state = before.state === 'new' ? 'in_progress' : before.state;
      return { ...applyIncidentPatch(before, { state }, nowMs), acknowledged_at: toIso(nowMs), acknowledged_by: by };
    },
    markDue: (document, nowMs) => withSla(document, markDue(document.sla, nowMs, policy)),
    create(creation, author, nowMs) {
      const record = createFirstVersion(newId('incident'), newDocument(creation, author.actor, nowMs), nowMs);
      const notifications = creation.notify_stakeholders ? [buildStakeholderNotification(record)] : [];
      return { record, writes: [...buildInsert(resource, record, author), ...notifications] };
    },
    change(before, { work_note, ...patch }, actor, nowMs) {
      const document = applyIncidentPatch(before.document, patch, nowMs);
      if (work_note === undefined) return { document };
      const note = newWorkNote(before.id, { body: work_note, visibility: 'team', attachments: [] }, actor, nowMs);
      return { document, notes: 1, additionalWrites: [toNoteWrite(note)] };
    },
  };
}

/**
 * The times that lists filter and sort by. While the clock is not running, a breach keeps the time of its mark, so an
 * incident is breached if and only if this time has passed.
 */
function toListedSla(sla: Sla, policy: SlaPolicy): { sla_breach_at: string | null; sla_warning_at: string | null } {
  const warningAt = getWarningAt(sla, policy);
  const breachAt = getBreachAt(sla, policy) ?? sla.marks[sla.priority]?.breached_at ?? null;
  return { sla_breach_at: toIsoOrNull(breachAt), sla_warning_at: toIsoOrNull(warningAt) };
}

const unacknowledged = { acknowledged_at: null, acknowledged_by: null };

function assertNeedsWork(state: IncidentState): void {
  if (openIncidentStates.includes(state)) return;
  throw new ServiceError('invalid_transition', `An incident in state ${state} cannot be acknowledged.`, {
    members: { allowed_transitions: incidentTransitions[state] },
  });
}

/** The SLA clock is internal, but its marks are part of the history. */
export function diffIncidents({ sla: old, ...before }: IncidentDocument, { sla, ...after }: IncidentDocument): Changes {
  return { ...diffFields(before, after), ...(old ? diffMarks(old, sla) : {}) };
}

type FromRecord = Pick<
  Incident,
  'id' | 'number' | 'work_notes_count' | 'ai_suggested_resolution' | 'deleted' | 'created_at' | 'updated_at'
>;

const machine: StateMachine<IncidentState> = {
  subject: 'An incident',
  transitions: incidentTransitions,
};

interface StateFields {
  state: IncidentState;
  resolved_at: string | null;
  closed_at: string | null;
  reopen_count: number;
}

/** Moves to a state and sets the fields that depend on it. Staying in the same state is always allowed. */
export function transition(from: StateFields, to: IncidentState, nowMs: number): StateFields {
  const { resolved_at, closed_at, reopen_count } = from;
  if (to === from.state) return { state: to, resolved_at, closed_at, reopen_count };
  assertTransition(machine, from.state, to);
  const at = toIso(nowMs);
  return {
    state: to,
    resolved_at: to === 'resolved' ? at : to === 'reopened' ? null : resolved_at,
    closed_at: to === 'closed' ? at : closed_at,
    reopen_count: to === 'reopened' ? reopen_count + 1 : reopen_count,
  };
}

type Keyed = Pick<
  StoredRecord<{ ci_id: string | null; state: IncidentState }>,
  'id' | 'created_at' | 'deleted' | 'document'
>;

/** Keys of the sparse index `about`: open incidents by configuration item, newest last. */
export function toAboutKeys({ id, created_at, deleted, document: { ci_id, state } }: Keyed) {
  const isOpen = !deleted && ci_id !== null && openIncidentStates.includes(state);
  return isOpen ? { about_pk: ci_id, about_sk: `${created_at}#${id}` } : { about_pk: null, about_sk: null };
}

/** Notifies the assignment group of a new incident, or the stakeholders topic when there is no group. */
export function buildStakeholderNotification({ id, created_at, document }: IncidentRecord): Write {
  const { assignment_group: group, short_description, priority, opened_by: by } = document;
  const audience: Audience = group === null ? { kind: 'topic', name: 'stakeholders' } : { kind: 'group', name: group };
  const about = { event: 'incident.created', incident_id: id, created_at, group, short_description, priority, by };
  return buildNotificationWrite(audience, { id: newId('notification'), ...about });
}
