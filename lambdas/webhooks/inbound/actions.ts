import type { InboundEvent } from '../../../contract/inbound-events.ts';
import { type IncidentCreation, incidentPatch } from '../../../contract/incidents.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import type { IncidentDocument, IncidentRecord } from '../../incidents/incident.ts';
import { requireValue } from '../../platform/require-value.ts';
import { retry } from '../../platform/retry.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { type Change, notFound } from '../../records/change-record.ts';
import { writeOnce } from '../../records/idempotency.ts';
import { newNote, toNoteWrite } from '../../records/notes.ts';
import type { Author, StoredRecord } from '../../records/record.ts';
import { buildNoteCountUpdate, recordSortKey, toRecord } from '../../records/record-item.ts';
import { diffTracked } from '../../sla/track-sla.ts';
import { buildKnownIncidentWrite, type DedupKey, findKnown, type KnownIncident, toDedupPartition } from './dedup.ts';
import { AlreadyReceived, type Finish, type InboundTools, storeEvent, Unprocessable } from './events.ts';
import type { ActionInput, EventPlan, IncidentChanges } from './mapping.ts';
import { type InboundWebhookRecord, toWebhookAuthor } from './webhook.ts';

// The four actions follow the same rules as API requests. Each stores the event in the transaction of its change.

/** A concurrent change invalidated the attempt; the next attempt reads the new state. */
class StateChanged extends Error {}

interface Action {
  author: Author;
  finish: Finish;
  tools: InboundTools;
}

export async function runAction(
  plan: EventPlan,
  input: ActionInput,
  webhook: InboundWebhookRecord,
  finish: Finish,
  tools: InboundTools,
): Promise<InboundEvent> {
  const scope = webhook.document.dedup_scope ?? webhook.id;
  const dedup = plan.dedupKey === null ? undefined : { scope, key: plan.dedupKey };
  const action: Action = { author: toWebhookAuthor(webhook, tools.serviceDomain), finish, tools };
  const settle = () => retryUntilSettled(() => attemptOnce(plan, input, dedup, action), tools);
  return dedup ? tools.runInOrder(toDedupPartition(dedup), settle) : settle();
}

async function retryUntilSettled(attempt: () => Promise<InboundEvent>, { wait }: InboundTools): Promise<InboundEvent> {
  const settle = () =>
    attempt().catch((error: unknown) => {
      if (!(error instanceof StateChanged)) throw toUnprocessable(error);
      return undefined;
    });
  const exhausted = () =>
    new ServiceError('unavailable', 'Too many concurrent events for the same incident. Try again.');
  return retry(settle, { wait, exhausted });
}

function attemptOnce(
  plan: EventPlan,
  input: ActionInput,
  dedup: DedupKey | undefined,
  action: Action,
): Promise<InboundEvent> {
  if (input.action === 'create_incident') return createOrUpdate(input.creation, plan, dedup, action);
  return changeTarget(input, plan, dedup, action);
}

async function createOrUpdate(
  creation: IncidentCreation,
  plan: EventPlan,
  dedup: DedupKey | undefined,
  action: Action,
): Promise<InboundEvent> {
  const known = dedup && (await findKnown(action.tools.store, dedup));
  const incident = known && (await findIncident(known.incidentId, action));
  const fields = listSentFields(creation, plan);
  if (dedup && known && incident && isOpen(incident)) return refreshIncident(fields, dedup, known, action);
  const { author, finish, tools } = action;
  const nowMs = tools.clock.now();
  const { body } = await writeOnce(
    tools.store,
    undefined,
    nowMs,
    async () => {
      const { record, writes } = await tools.rules.create(creation, author, nowMs);
      const { event, writes: stored } = finish('created', record.id);
      const keys = dedup ? [buildKnownIncidentWrite(dedup, record.id, fields, known)] : [];
      return {
        writes: [...stored, ...keys, ...writes],
        response: { status: 202, body: event },
        onConditionFailed: throwIfConcurrent,
      };
    },
    tools.wait,
  );
  return body;
}

/** The fields that the payload sets, without the defaults that the service adds. */
function listSentFields(creation: IncidentCreation, { rendered }: EventPlan): KnownIncident['fields'] {
  const sent = Object.entries(creation).filter(([field]) => field in incidentPatch.shape && rendered[field]?.trim());
  return Object.fromEntries(sent);
}

/**
 * Changes only the fields that differ from the sender's last event, so manual edits remain. A repeated alert can raise the
 * priority but never lower it; otherwise an event without a severity would undo a P1.
 */
async function refreshIncident(
  fields: KnownIncident['fields'],
  dedup: DedupKey,
  known: KnownIncident,
  action: Action,
): Promise<InboundEvent> {
  const changed = Object.entries(fields).filter(([field, value]) => isNewValue(field, value, known.fields[field]));
  if (changed.length === 0) return storeEvent(action.finish('deduplicated', known.incidentId), action.tools);
  const changes = Object.fromEntries(changed) as IncidentChanges;
  const keys = [buildKnownIncidentWrite(dedup, known.incidentId, { ...known.fields, ...changes }, known)];
  try {
    return await changeIncident(known.incidentId, action, (before, nowMs) => {
      if (!isOpen(before)) throw new StateChanged();
      const changed = action.tools.rules.change(before, changes, action.author.actor, nowMs);
      return { ...changed, additionalWrites: [...(changed.additionalWrites ?? []), ...keys] };
    });
  } catch (error) {
    // The incident was deleted in the meantime; the next attempt creates another one.
    if (error instanceof ServiceError && error.code === 'not_found') throw new StateChanged();
    throw error;
  }
}

/** The test operation predicts the outcome with the same rule. */
export function isNewValue(field: string, value: unknown, before: unknown): boolean {
  const isLower = field === 'priority' && typeof before === 'string' && String(value) > before;
  return value !== before && !isLower;
}

async function changeTarget(
  input: Exclude<ActionInput, { action: 'create_incident' }>,
  plan: EventPlan,
  dedup: DedupKey | undefined,
  action: Action,
): Promise<InboundEvent> {
  const incident = await findTarget(plan, dedup, action);
  // No error: senders retry or raise an alarm on errors, and an alert may end after its incident was resolved.
  if (!incident) return storeEvent(action.finish('ignored', null), action.tools);
  if (input.action === 'add_note') return addNote(incident.id, input.note, action);
  if (input.action === 'resolve_incident') return resolveIncident(incident, input.changes, action);
  if (dedup && !isOpen(incident)) return storeEvent(action.finish('ignored', null), action.tools);
  return changeIncident(incident.id, action, (before, nowMs) =>
    action.tools.rules.change(before, input.changes, action.author.actor, nowMs),
  );
}

/** The incident that the event is about, by its id or by its key. Undefined when no incident has the key. */
async function findTarget(
  plan: EventPlan,
  dedup: DedupKey | undefined,
  action: Action,
): Promise<IncidentRecord | undefined> {
  const id = plan.incidentId ?? (dedup && (await findKnown(action.tools.store, dedup))?.incidentId);
  const incident = id === undefined ? undefined : await findIncident(id, action);
  if (incident && !incident.deleted) return incident;
  if (plan.incidentId === null) return undefined;
  throw notFound(plan.incidentId);
}

async function resolveIncident(
  incident: IncidentRecord,
  changes: IncidentChanges,
  action: Action,
): Promise<InboundEvent> {
  if (!isOpen(incident)) return storeEvent(action.finish('deduplicated', incident.id), action.tools);
  const { rules } = action.tools;
  return changeIncident(incident.id, action, (before, nowMs) => {
    if (!isOpen(before)) throw new StateChanged();
    return rules.resolve(before, changes, action.author.actor, nowMs);
  });
}

async function addNote(
  incidentId: string,
  creation: Parameters<typeof newNote>[1],
  { author, finish, tools }: Action,
): Promise<InboundEvent> {
  const nowMs = tools.clock.now();
  const { body } = await writeOnce(
    tools.store,
    undefined,
    nowMs,
    () => {
      const note = newNote(incidentId, creation, author.actor, nowMs);
      const count = buildNoteCountUpdate(
        incidentId,
        { notes: 1, private: note.visibility === 'private' ? 1 : 0 },
        nowMs,
      );
      const { event, writes } = finish('updated', incidentId);
      const gone = (by: string) => {
        if (by === 'record') throw notFound(incidentId);
        throwIfConcurrent(by);
      };
      return {
        writes: [...writes, count, toNoteWrite(note)],
        response: { status: 202, body: event },
        onConditionFailed: gone,
      };
    },
    tools.wait,
  );
  return body;
}

/** Changes the incident and stores the event. An event that changes nothing is `deduplicated`. */
async function changeIncident(
  id: string,
  { author, finish, tools }: Action,
  apply: (before: IncidentRecord, nowMs: number) => Change<IncidentDocument>,
): Promise<InboundEvent> {
  let outcome: InboundEvent | undefined;
  await tools.change({
    id,
    author,
    apply: (before: StoredRecord<IncidentDocument>, nowMs) => {
      const changed = apply(before, nowMs);
      const same = Object.keys(diffTracked(before.document, changed.document)).length === 0;
      const { event, writes } = finish(same && !changed.notes ? 'deduplicated' : 'updated', id);
      outcome = event;
      return { ...changed, additionalWrites: [...(changed.additionalWrites ?? []), ...writes] };
    },
    onConditionFailed: (by) => {
      throwIfConcurrent(by);
      throw new Error(`the condition of "${by}" did not hold for an event about ${id}`);
    },
  });
  return requireValue(outcome);
}

function throwIfConcurrent(by: string): void {
  if (by === 'event' || by === 'body') throw new AlreadyReceived();
  if (by === 'dedup') throw new StateChanged();
}

async function findIncident(id: string, { tools }: Action): Promise<IncidentRecord | undefined> {
  const item = await tools.store.get(id, recordSortKey);
  return item && toRecord<IncidentDocument>(item);
}

export function isOpen({ deleted, document }: Pick<IncidentRecord, 'deleted' | 'document'>): boolean {
  return !deleted && openIncidentStates.includes(document.state);
}

/** Reports an invalid request as a problem of the mapping. */
function toUnprocessable(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'invalid_transition')
    return new Unprocessable([{ field: 'state', message: `cannot change: ${error.message}` }]);
  if (error.code === 'not_found')
    return new Unprocessable([{ field: 'incident_id', message: `is not found: ${error.message}` }]);
  if (error.code === 'invalid_input' && Array.isArray(error.extra.members?.errors))
    return new Unprocessable(error.extra.members.errors);
  return error;
}
