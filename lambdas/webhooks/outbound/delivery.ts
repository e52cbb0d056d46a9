import type {
  Attempt,
  DeliveredType,
  DeliveryStatus,
  DeliverySummary,
  DeliveryView,
} from '../../../contract/deliveries.ts';
import { maxAttempts } from '../../../contract/retry-schedule.ts';
import { toIso } from '../../platform/clock.ts';
import { deriveTimedId, toShard } from '../../platform/ids.ts';
import { getNextDelaySeconds } from './retry-delay.ts';
import { isWanted, type OutboundRecord } from './webhook.ts';

// The life cycle of a delivery: one event sent to one webhook. Pure rules without I/O.

export interface Delivery {
  id: string;
  webhook_id: string;
  event: DeliveredType;
  event_id: string;
  status: DeliveryStatus;
  attempts: readonly Attempt[];
  next_attempt_at: string | null;
  replay_of: string | null;
  created_at: string;
  finished_at: string | null;
  /** The request body; every attempt sends the same bytes. */
  payload: string;
  /** The partition of the webhook's deliveries. Deliveries of earlier releases have none: they share one partition. */
  shard?: number;
}

/** One event to deliver to one webhook. */
interface DeliveryJob {
  webhookId: string;
  event: DeliveredType;
  eventId: string;
  payload: string;
}

export interface AttemptResult extends Omit<Attempt, 'attempt'> {
  retryAfterSeconds: number | null;
}

/** Creates the delivery of an event to a webhook. The same event and webhook always yield the same id. */
export function createDelivery(job: DeliveryJob, atMs: number): Delivery {
  return newDelivery(job, atMs, `${job.eventId} ${job.webhookId}`, null);
}

/** Creates another delivery of the same bytes. `occasion` makes the ids of several replays differ. */
export function createReplay(delivery: Delivery, occasion: string, nowMs: number): Delivery {
  const { webhook_id: webhookId, event, event_id: eventId, payload } = delivery;
  return newDelivery({ webhookId, event, eventId, payload }, nowMs, `${delivery.id} ${occasion}`, delivery.id);
}

export function isOpen({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

/** Whether the event is lost unless another delivery of it arrives. Cancelled events are unwanted, but not their replays. */
export function isLost({ event, status, replay_of }: Pick<Delivery, 'event' | 'status' | 'replay_of'>): boolean {
  return event !== 'ping' && (status === 'failed' || (status === 'cancelled' && replay_of !== null));
}

/** Applies the result of an attempt. Pings and receivers that responded 410 Gone are not retried. */
export function applyAttempt(delivery: Delivery, { retryAfterSeconds, ...result }: AttemptResult): Delivery {
  const number = delivery.attempts.length + 1;
  if (number > maxAttempts) throw new Error(`${delivery.id} has no attempts left`);
  const attempts = [...delivery.attempts, { attempt: number, ...result }];
  const endMs = Date.parse(result.at) + result.duration_ms;
  const end = toIso(endMs);
  if (result.error === null) {
    return { ...delivery, attempts, status: 'delivered', next_attempt_at: null, finished_at: end };
  }
  const wait = isGone(result) || delivery.event === 'ping' ? null : getNextDelaySeconds(number, retryAfterSeconds);
  if (wait === null) return { ...delivery, attempts, status: 'failed', next_attempt_at: null, finished_at: end };
  return {
    ...delivery,
    attempts,
    status: 'retrying',
    next_attempt_at: toIso(endMs + wait * 1_000),
  };
}

/** 410 Gone: the receiver unsubscribed. */
export function isGone({ status }: Pick<Attempt, 'status'>): boolean {
  return status === 410;
}

export function cancelDelivery(delivery: Delivery, nowMs: number): Delivery {
  return { ...delivery, status: 'cancelled', next_attempt_at: null, finished_at: toIso(nowMs) };
}

export function toDeliverySummary({ attempts, payload: _, shard: __, ...delivery }: Delivery): DeliverySummary {
  return { ...delivery, attempts_made: attempts.length, last_status: attempts.at(-1)?.status ?? null };
}

export function toDeliveryResponse(delivery: Delivery): DeliveryView {
  return { ...toDeliverySummary(delivery), attempts: [...delivery.attempts], payload: JSON.parse(delivery.payload) };
}

function newDelivery(job: DeliveryJob, atMs: number, seed: string, replay_of: string | null): Delivery {
  const id = deriveTimedId('delivery', seed, atMs);
  return {
    id,
    webhook_id: job.webhookId,
    event: job.event,
    event_id: job.eventId,
    status: 'pending',
    attempts: [],
    next_attempt_at: null,
    replay_of,
    created_at: toIso(atMs),
    finished_at: null,
    payload: job.payload,
    shard: toShard(id, deliveryShards),
  };
}

/** A partition accepts about 125 deliveries a second, because ids rise with time and DynamoDB cannot split it. */
export const deliveryShards = 16;

// Deactivating a webhook cancels all of its open deliveries with one write, because the state of an open delivery depends
// on its webhook. Reads show it as cancelled immediately; the next attempt stores it
// (docs/decisions/0015-outbound-webhooks.md).

/** Pings are sent to inactive webhooks too. */
export function isStopped(delivery: Delivery, { document }: OutboundRecord): boolean {
  return isOpen(delivery) && delivery.event !== 'ping' && !isWanted(document, delivery.created_at);
}

/** Shows an open delivery of an inactive webhook as cancelled. */
export function toVisibleDelivery(delivery: Delivery, webhook: OutboundRecord): Delivery {
  return isStopped(delivery, webhook) ? cancelStopped(delivery, webhook, Date.parse(webhook.updated_at)) : delivery;
}

/** Ends when the webhook was deactivated, or after an attempt that was in progress then. */
export function cancelStopped(delivery: Delivery, webhook: OutboundRecord | undefined, nowMs: number): Delivery {
  const stop = webhook && !webhook.deleted ? webhook.document.stopped_at : null;
  const last = delivery.attempts.at(-1);
  const lastMs = last ? Date.parse(last.at) + last.duration_ms : Date.parse(delivery.created_at);
  return cancelDelivery(delivery, Math.max(stop ? Date.parse(stop) : nowMs, lastMs));
}
