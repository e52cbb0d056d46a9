import type { FieldProblem } from '../../../contract/errors.ts';
import type { InboundEvent, InboundLabResult, Proof, receivedStatuses } from '../../../contract/inbound-events.ts';
import type { routes } from '../../../contract/routes.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { deriveId, newId } from '../../platform/ids.ts';
import { ServiceError, summarize, truncateProblems } from '../../platform/service-error.ts';
import { findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { isNewValue, isOpen, runAction } from './actions.ts';
import { type BodyRule, buildClaimWrites, findClaim, findKnown } from './dedup.ts';
import {
  AlreadyReceived,
  buildEventWrites,
  type Finish,
  findEvent,
  findEventWithWebhook,
  hashBody,
  type InboundTools,
  type Outcome,
  parsePayload,
  type StoredEvent,
  storeEvent,
  Unprocessable,
} from './events.ts';
import { type EventPlan, planEvent } from './mapping.ts';
import { findConfirmation } from './sns.ts';
import {
  applyPreset,
  applySettingsPatch,
  assertConsistent,
  type InboundSettings,
  type InboundWebhookDocument,
  type InboundWebhookRecord,
} from './webhook.ts';

// Processes an authenticated event. The action and the event are one transaction, so an acknowledged event has taken
// effect, and a duplicate finds the stored event and does nothing.

interface ReceivedEvent {
  webhook: InboundWebhookRecord;
  /** The sender's id of the event, which identifies duplicates. Without an id, every event is new. */
  eventId: string | undefined;
  body: Buffer;
  payload: unknown;
  proof: Proof;
  /** Whether the same body is the same event. */
  bodyRule: BodyRule;
  replayOf: string | null;
}

interface ProcessedEvent {
  event: InboundEvent;
  /** Whether this is the result of an earlier delivery. */
  repeated: boolean;
}

export async function processEvent(received: ReceivedEvent, tools: InboundTools): Promise<ProcessedEvent> {
  const before = received.eventId === undefined ? undefined : await findStoredEvent(received.eventId, tools);
  if (before && before.event.status !== 'failed') return toDuplicateResult(before, received);
  const claimant = await findClaimant(received, tools);
  if (claimant) return toDuplicateResult(claimant, received);
  const eventId = received.eventId ?? newId('inboundEvent');
  // A new attempt replaces the failed one.
  const receivedAt = before?.event.received_at ?? toIso(tools.clock.now());
  try {
    return {
      event: await runEvent({ received, eventId, receivedAt, nowMs: tools.clock.now() }, tools),
      repeated: false,
    };
  } catch (error) {
    if (!(error instanceof AlreadyReceived)) throw error;
    const winner = (await findClaimant(received, tools)) ?? (await findStoredEvent(eventId, tools));
    if (!winner) throw error;
    return toDuplicateResult(winner, received);
  }
}

function findStoredEvent(eventId: string, { store, clock }: InboundTools): Promise<StoredEvent | undefined> {
  return findEvent(store, eventId, clock.now());
}

/** The earlier event with the same body, if it makes this one a duplicate. */
async function findClaimant(
  { bodyRule, webhook, body }: ReceivedEvent,
  tools: InboundTools,
): Promise<StoredEvent | undefined> {
  if (bodyRule !== 'unique') return undefined;
  const eventId = await findClaim(tools.store, webhook.id, hashBody(body), tools.clock.now());
  return eventId === undefined ? undefined : findStoredEvent(eventId, tools);
}

interface Draft {
  received: ReceivedEvent;
  eventId: string;
  receivedAt: string;
  nowMs: number;
}

async function runEvent(draft: Draft, tools: InboundTools): Promise<InboundEvent> {
  const { webhook, payload } = draft.received;
  const plan = withDedupKey(planEvent(webhook.document, payload), webhook.document, draft.eventId);
  const finish: Finish = (status, incidentId) => buildOutcome(draft, plan, status, incidentId, null);
  const { preset, topic_arn } = webhook.document;
  const confirmation = preset === 'cloudwatch' ? findConfirmation(payload, topic_arn) : undefined;
  try {
    if (confirmation) return await confirm(confirmation.url, finish, tools);
    if (!plan.passed) return await storeEvent(finish('filtered', null), tools);
    if (!plan.input) throw new Unprocessable(plan.problems);
    return await runAction(plan, plan.input, webhook, finish, tools);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    const event = await storeEvent(buildOutcome(draft, plan, 'failed', null, error.problems), tools);
    throw createMappingError(event, error.problems);
  }
}

/** As PagerDuty does: a sender that leaves the key out learns it from the response, and can resolve with it. */
function withDedupKey(plan: EventPlan, { dedup_key }: InboundSettings, eventId: string): EventPlan {
  const isCreation = plan.input?.action === 'create_incident';
  return dedup_key !== null && plan.dedupKey === null && isCreation ? { ...plan, dedupKey: eventId } : plan;
}

/** The sender may retry when the call fails. */
async function confirm(url: string | undefined, finish: Finish, tools: InboundTools): Promise<InboundEvent> {
  if (url === undefined)
    throw new Unprocessable([{ field: 'SubscribeURL', message: 'must be an address of Amazon SNS for topic_arn' }]);
  try {
    await tools.confirmSubscription(url);
  } catch (error) {
    throw new ServiceError('unavailable', 'The subscription could not be confirmed.', { cause: error });
  }
  return storeEvent(finish('confirmed', null), tools);
}

function buildOutcome(
  { received, eventId, receivedAt, nowMs }: Draft,
  { dedupKey }: EventPlan,
  status: InboundEvent['status'],
  incidentId: string | null,
  problems: FieldProblem[] | null,
): Outcome {
  const event: InboundEvent = {
    id: eventId,
    webhook_id: received.webhook.id,
    received_at: receivedAt,
    status,
    incident_id: incidentId,
    dedup_key: dedupKey,
    proof: received.proof,
    size_bytes: received.body.byteLength,
    replay_of: received.replayOf,
    error: problems && { detail: summarize(problems), errors: truncateProblems(problems) },
  };
  // A failed event had no effect, so the sender may send the same body again.
  const claims = status === 'failed' ? [] : buildClaimWrites(received.bodyRule, event, hashBody(received.body), nowMs);
  return { event, writes: [...buildEventWrites(event, received.body, nowMs), ...claims] };
}

function toDuplicateResult(before: { event: InboundEvent; bodyHash: string }, { body }: ReceivedEvent): ProcessedEvent {
  if (before.bodyHash === hashBody(body)) return { event: before.event, repeated: true };
  throw new ServiceError(
    'idempotency_key_reused',
    'An event with the same ID and a different body was received before.',
  );
}

function createMappingError(event: InboundEvent, problems: FieldProblem[]): ServiceError {
  return new ServiceError('mapping_failed', `${summarize(problems)} The event was stored and can be replayed.`, {
    members: { errors: truncateProblems(problems), event_id: event.id },
  });
}

/** Also works for an inactive webhook, because a person starts the replay. */
export function replayInboundEvent(tools: InboundTools): UseCase<typeof routes.replayInboundEvent> {
  return async ({ params, headers }, { caller, clock }) => {
    const { webhook, stored } = await findEventWithWebhook(tools.store, params, clock.now());
    const key = headers['Idempotency-Key'];
    const seed = `${webhook.id} replay ${stored.event.id} ${caller.id} ${key}`;
    const body = stored.body();
    const processed = await processEvent(
      {
        webhook,
        eventId: key === undefined ? undefined : deriveId('inboundEvent', seed),
        body,
        payload: parsePayload(body),
        proof: 'replay',
        bodyRule: 'none',
        replayOf: stored.event.id,
      },
      tools,
    );
    return toReceivedResult(processed);
  };
}

/** A duplicate gets the response of the first event. */
export function toReceivedResult({ event, repeated }: ProcessedEvent) {
  // Failed events are thrown, not returned.
  const status = event.status as (typeof receivedStatuses)[number];
  return {
    status: 202 as const,
    ...(repeated && { headers: { 'Idempotent-Replayed': 'true' } }),
    body: {
      event_id: event.id,
      status,
      incident_id: event.incident_id,
      ...(event.dedup_key !== null && { dedup_key: event.dedup_key }),
    },
  };
}

/** Tests a webhook: builds the same plan as for a received event and reports its effects, without writing. */
export function testInboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.testInboundWebhook> {
  return async ({ params: { id }, body }) => {
    const { document } = await findRecord<InboundWebhookDocument>(store, id);
    const settings = applySettingsPatch(document, body.settings ?? {});
    return { status: 200, body: await predictResult(store, settings, body.payload, id) };
  };
}

export function previewInboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.previewInboundWebhook> {
  return async ({ body }) => ({
    status: 200,
    body: await predictResult(store, applyPreset(body.settings), body.payload),
  });
}

/** A webhook without an ID does not exist yet, so it has no deduplication keys. */
async function predictResult(
  store: Pick<ItemStore, 'get'>,
  settings: InboundSettings,
  payload: unknown,
  id?: string,
): Promise<InboundLabResult> {
  assertConsistent(settings);
  const plan = planEvent(settings, payload);
  const { rule, passed, trace, rendered, dedupKey, input, problems } = plan;
  const found = await findTargetIncident(store, plan, settings.dedup_scope ?? id);
  return {
    status: passed ? predictStatus(plan, found) : 'filtered',
    rule,
    passed,
    filters: trace,
    dedup_key: dedupKey,
    incident_id: found?.id ?? null,
    rendered,
    incident: input && toFields(input),
    errors: findMissingTarget(plan, found) ?? problems,
  };
}

interface Found {
  id: string;
  open: boolean;
  fields: Readonly<Record<string, unknown>>;
}

async function findTargetIncident(
  store: Pick<ItemStore, 'get'>,
  plan: EventPlan,
  scope: string | undefined,
): Promise<Found | undefined> {
  const key = plan.dedupKey;
  const known = key === null || scope === undefined ? undefined : await findKnown(store, { scope, key });
  const id = plan.incidentId ?? known?.incidentId;
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  const record = item && toRecord<IncidentDocument>(item);
  return record && !record.deleted ? { id: record.id, open: isOpen(record), fields: known?.fields ?? {} } : undefined;
}

function predictStatus(plan: EventPlan, found: Found | undefined): InboundLabResult['status'] {
  const { input, incidentId, rendered } = plan;
  if (!input || findMissingTarget(plan, found)) return 'failed';
  if (input.action === 'create_incident') {
    if (!found?.open) return 'created';
    const sent = Object.entries(rendered).filter(([, text]) => text.trim() !== '');
    return sent.some(([field, text]) => isNewValue(field, text, found.fields[field])) ? 'updated' : 'deduplicated';
  }
  if (!found) return 'ignored';
  if (found.open || input.action === 'add_note' || (incidentId !== null && input.action === 'update_incident')) {
    return 'updated';
  }
  return input.action === 'resolve_incident' ? 'deduplicated' : 'ignored';
}

/** An incident that the payload names by its ID must exist. */
function findMissingTarget({ input, incidentId }: EventPlan, found: Found | undefined) {
  if (!input || incidentId === null || found) return undefined;
  return [{ field: 'incident_id', message: 'is not found' }];
}

function toFields(input: NonNullable<EventPlan['input']>): Record<string, unknown> {
  if (input.action === 'create_incident') {
    return Object.fromEntries(Object.entries(input.creation).filter(([, value]) => value !== null));
  }
  return input.action === 'add_note' ? input.note : input.changes;
}
