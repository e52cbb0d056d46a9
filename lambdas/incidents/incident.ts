import type { Incident, IncidentCreation, IncidentPatch } from '../../contract/incidents.ts';
import { endedStates, type IncidentState, incidentTransitions, openIncidentStates } from '../../contract/states.ts';
import { encodeListing } from '../lists/listing.ts';
import { toIso } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { applyPatch, assertTransition, type Change, type StateMachine } from '../records/change-record.ts';
import { newNote, toNoteWrite } from '../records/notes.ts';
import { type Author, createFirstVersion, type Linked, type Resource, type StoredRecord } from '../records/record.ts';
import { stakeholderRequest } from '../records/record-change.ts';
import { buildInsert } from '../records/record-item.ts';
import { buildReferenceChecks } from '../records/references.ts';
import type { Write } from '../records/write-items.ts';
import type { Levels } from '../sla/level-store.ts';
import type { Sla } from '../sla/sla.ts';
import { createSlaTracker, diffTracked, type SlaTracker, type TrackedKind } from '../sla/track-sla.ts';
import { incidentListing } from './incident-listing.ts';

/** The stored document: the response fields plus the SLA clock behind `sla_breach_at`. */
export interface IncidentDocument extends Omit<Incident, keyof FromRecord>, Linked {
  sla?: Sla;
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
  const { sla: _sla, escalation: _escalation, links: _links, ...fields } = document;
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

/** The rules of incidents under the current service levels. */
export interface IncidentRules {
  resource: Resource<IncidentDocument, Incident>;
  sla: SlaTracker<IncidentDocument>;
  newDocument(creation: IncidentCreation, openedBy: string, nowMs: number): IncidentDocument;
  /** Rejects a transition that is not allowed. */
  applyPatch(before: IncidentDocument, patch: IncidentPatch, nowMs: number): IncidentDocument;
  /** Rejects an incident that needs no work. Changes nothing if it is acknowledged already. */
  acknowledge(before: IncidentDocument, by: string, nowMs: number): IncidentDocument;
  /** Builds a new incident with all writes that create it. The write named `record` fails when the id is taken. */
  create(
    creation: IncidentCreation,
    author: Author,
    nowMs: number,
  ): Promise<{ record: IncidentRecord; writes: Write[] }>;
  /** Builds the change for an update; the work note is written with it. */
  change(before: IncidentRecord, patch: PatchWithNote, actor: string, nowMs: number): Change<IncidentDocument>;
  /** Only `in_progress` can change to resolved, so other open states change to it first, in the same transaction. */
  resolve(before: IncidentRecord, patch: PatchWithNote, actor: string, nowMs: number): Change<IncidentDocument>;
}

type PatchWithNote = IncidentPatch & { work_note?: string | undefined };

export const trackedIncident: TrackedKind<IncidentDocument> = {
  kind: 'incident',
  ended: endedStates.incident,
  fields: ({ assignment_group, category, priority }) => ({ assignment_group, category, priority }),
};

export function createIncidentRules(levels: Levels): IncidentRules {
  const sla = createSlaTracker(trackedIncident, levels);

  const resource: IncidentRules['resource'] = {
    name: incidentListing.type,
    collection: 'incidents',
    prepare: sla.prepare,
    toResponse: toIncidentResponse,
    listing: (record) =>
      encodeListing(incidentListing, {
        ...record.document,
        ...record,
        was_reopened: record.document.reopen_count > 0 ? 'yes' : null,
        ...sla.list(record.document),
      }),
    indexKeys: (record) => ({ ...sla.indexKeys(record), ...toAboutKeys(record) }),
    changes: diffTracked,
  };

  const newDocument: IncidentRules['newDocument'] = ({ notify_stakeholders: _, ...fields }, openedBy, nowMs) => {
    const ends = { resolved_at: null, closed_at: null, external_id: null, ...unacknowledged };
    return sla.start({ ...fields, opened_by: openedBy, ...ends, reopen_count: 0 }, nowMs);
  };

  const patchFields = (before: IncidentDocument, patch: IncidentPatch, nowMs: number): IncidentDocument => {
    const after = {
      ...applyPatch(before, patch as Partial<IncidentDocument>),
      ...transition(before, patch.state ?? before.state, nowMs),
    };
    // Somebody else has to take responsibility now.
    const isReopened = after.state === 'reopened' && before.state !== 'reopened';
    if (isReopened || after.assignment_group !== before.assignment_group) Object.assign(after, unacknowledged);
    return after;
  };

  const applyIncidentPatch: IncidentRules['applyPatch'] = (before, patch, nowMs) =>
    sla.follow(before, patchFields(before, patch, nowMs), nowMs);

  const change: IncidentRules['change'] = (before, { work_note, ...patch }, actor, nowMs) => {
    const document = applyIncidentPatch(before.document, patch, nowMs);
    const additionalWrites = buildReferenceChecks(pickReferences(document, before.document));
    if (work_note === undefined) return { document, additionalWrites };
    const note = newNote(before.id, { body: work_note, visibility: 'team', attachments: [] }, actor, nowMs);
    return { document, additionalWrites, notes: 1, followUp: toNoteWrite(note) };
  };

  return {
    resource,
    sla,
    newDocument,
    applyPatch: applyIncidentPatch,
    acknowledge(before, by, nowMs) {
      if (before.acknowledged_at !== null) return before;
      assertNeedsWork(before.state);
      const state = before.state === 'new' ? 'in_progress' : before.state;
      const acknowledgement = { acknowledged_at: toIso(nowMs), acknowledged_by: by };
      return sla.follow(before, { ...patchFields(before, { state }, nowMs), ...acknowledgement }, nowMs);
    },
    async create(creation, author, nowMs) {
      await sla.prepare();
      const record = createFirstVersion(newId('incident'), newDocument(creation, author.actor, nowMs), nowMs);
      const added = creation.notify_stakeholders ? stakeholderRequest : {};
      const writes = buildInsert(resource, record, author, added);
      return { record, writes: [...writes, ...buildReferenceChecks(pickReferences(record.document))] };
    },
    change,
    resolve(before, changes, actor, nowMs) {
      const { state } = before.document;
      const isStarted = state === 'in_progress' || state === 'resolved';
      const started = isStarted
        ? before.document
        : applyIncidentPatch(before.document, { state: 'in_progress' }, nowMs);
      const resolved = change({ ...before, document: started }, { ...changes, state: 'resolved' }, actor, nowMs);
      return isStarted ? resolved : { ...resolved, through: [started] };
    },
  };
}

/** The references that are not in the document before. */
function pickReferences({ parent_problem_id, change_id }: References, before?: References) {
  return {
    ...(parent_problem_id !== before?.parent_problem_id && { parent_problem_id }),
    ...(change_id !== before?.change_id && { change_id }),
  };
}

type References = Pick<Incident, 'parent_problem_id' | 'change_id'>;

const unacknowledged = { acknowledged_at: null, acknowledged_by: null };

function assertNeedsWork(state: IncidentState): void {
  if (openIncidentStates.includes(state)) return;
  throw new ServiceError('invalid_transition', `An incident in state ${state} cannot be acknowledged.`, {
    members: { allowed_transitions: incidentTransitions[state] },
  });
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
