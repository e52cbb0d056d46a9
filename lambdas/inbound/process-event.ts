import type { FieldProblem } from '../../contract/errors.ts';
import type { InboundEvent, Proof } from '../../contract/inbound-webhooks.ts';
import { ServiceError } from '../platform/service-error.ts';
import { act } from './act.ts';
import { eventWrites, findEvent, hashOf } from './event-item.ts';
import {
  AlreadyReceived,
  type Finish,
  type InboundTools,
  type Outcome,
  storeAlone,
  Unprocessable,
} from './event-outcome.ts';
import type { InboundWebhookRecord } from './inbound-webhook.ts';
import { planEvent } from './mapping.ts';

// What happens to an event that was let in. What it does and the event itself are one transaction, so an event that is
// acknowledged has done its work, and one that comes again finds itself and does nothing.

/** An event that came in. */
export interface Arrival {
  webhook: InboundWebhookRecord;
  eventId: string;
  body: Buffer;
  payload: unknown;
  proof: Proof;
  replayOf: string | null;
}

export interface Processed {
  event: InboundEvent;
  /** Whether this is what became of it when it came before. */
  repeated: boolean;
}

export async function processEvent(arrival: Arrival, tools: InboundTools): Promise<Processed> {
  const before = await findEvent(tools.store, arrival.eventId, tools.clock.now());
  if (before && before.event.status !== 'failed') return received(before, arrival);
  // A second attempt takes the place of the one that failed.
  const receivedAt = before?.event.received_at ?? new Date(tools.clock.now()).toISOString();
  const plan = planEvent(arrival.webhook.document, arrival.payload);
  const draft: Draft = { arrival, receivedAt, dedupKey: plan.dedupKey, nowMs: tools.clock.now() };
  const finish: Finish = (status, incidentId) => finished(draft, status, incidentId, null);
  try {
    if (!plan.passed) return { event: await storeAlone(finish('filtered', null), tools), repeated: false };
    if (!plan.input) throw new Unprocessable(plan.problems);
    return { event: await act(plan, plan.input, arrival.webhook, finish, tools), repeated: false };
  } catch (error) {
    if (error instanceof AlreadyReceived) {
      const now = await findEvent(tools.store, arrival.eventId, tools.clock.now());
      if (now) return received(now, arrival);
    }
    if (!(error instanceof Unprocessable)) throw error;
    throw mappingFailed(await storeAlone(finished(draft, 'failed', null, error.problems), tools), error.problems);
  }
}

interface Draft {
  arrival: Arrival;
  receivedAt: string;
  dedupKey: string | null;
  nowMs: number;
}

function finished(
  { arrival, receivedAt, dedupKey, nowMs }: Draft,
  status: InboundEvent['status'],
  incidentId: string | null,
  problems: FieldProblem[] | null,
): Outcome {
  const event: InboundEvent = {
    id: arrival.eventId,
    webhook_id: arrival.webhook.id,
    received_at: receivedAt,
    status,
    incident_id: incidentId,
    dedup_key: dedupKey,
    proof: arrival.proof,
    size_bytes: arrival.body.byteLength,
    replay_of: arrival.replayOf,
    error: problems && { detail: detailOf(problems), errors: problems },
  };
  return { event, writes: eventWrites(event, arrival.body, nowMs) };
}

function received(before: { event: InboundEvent; bodyHash: string }, { body }: Arrival): Processed {
  if (before.bodyHash === hashOf(body)) return { event: before.event, repeated: true };
  throw new ServiceError('idempotency_key_reused', 'An event with the same id and another body was received before.');
}

function mappingFailed(event: InboundEvent, problems: FieldProblem[]): ServiceError {
  return new ServiceError('mapping_failed', `${detailOf(problems)} The event is kept and can be replayed.`, {
    members: { errors: problems, event_id: event.id },
  });
}

function detailOf(problems: readonly FieldProblem[]): string {
  const [first] = problems;
  if (problems.length === 1) return `${first!.field} ${first!.message}.`;
  return `${problems.length} fields are not valid; errors lists them.`;
}
