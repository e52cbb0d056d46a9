import {
  type Attempt,
  type DeliveredType,
  type DeliveryStatus,
  type DeliverySummary,
  type DeliveryView,
  mostAttempts,
} from '../../../contract/deliveries.ts';
import { timedIdFrom } from '../../platform/ids.ts';
import { type OutboundRecord, wants } from './webhook.ts';

// One event on its way to one webhook. The rules of its life are here; nothing in them reads or writes.

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
  /** What is sent, byte for byte the same each time. */
  payload: string;
}

export const laneNames = ['quick', 'slow'] as const;

export type Lane = (typeof laneNames)[number];

/** What is to be told to whom. */
export interface Parcel {
  webhookId: string;
  event: DeliveredType;
  eventId: string;
  payload: string;
}

/** How an attempt went. */
export interface AttemptResult extends Omit<Attempt, 'attempt'> {
  retryAfterSeconds: number | null;
}

/** The first delivery of an event to a webhook: the same event and webhook make the same delivery. */
export function firstDelivery(parcel: Parcel, atMs: number): Delivery {
  return newDelivery(parcel, atMs, `${parcel.eventId} ${parcel.webhookId}`, null);
}

/** Another delivery of the same bytes; `occasion` tells several of them apart. */
export function replayOf(delivery: Delivery, occasion: string, nowMs: number): Delivery {
  const { webhook_id: webhookId, event, event_id: eventId, payload } = delivery;
  return newDelivery({ webhookId, event, eventId, payload }, nowMs, `${delivery.id} ${occasion}`, delivery.id);
}

export function isOpen({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

/** The delivery after an attempt. A ping is tried once; a receiver that is gone for good is not asked again. */
export function afterAttempt(delivery: Delivery, { retryAfterSeconds, ...result }: AttemptResult): Delivery {
  const number = delivery.attempts.length + 1;
  if (number > mostAttempts) throw new Error(`${delivery.id} had all of its attempts`);
  const attempts = [...delivery.attempts, { attempt: number, ...result }];
  const endMs = Date.parse(result.at) + result.duration_ms;
  const end = new Date(endMs).toISOString();
  if (result.error === null) {
    return { ...delivery, attempts, status: 'delivered', next_attempt_at: null, finished_at: end };
  }
  const wait = isGone(result) || delivery.event === 'ping' ? null : waitAfter(number, retryAfterSeconds);
  if (wait === null) return { ...delivery, attempts, status: 'failed', next_attempt_at: null, finished_at: end };
  return {
    ...delivery,
    attempts,
    status: 'retrying',
    next_attempt_at: new Date(endMs + wait * 1_000).toISOString(),
  };
}

/** 410: the receiver wants nothing more, ever. */
export function isGone({ status }: Pick<Attempt, 'status'>): boolean {
  return status === 410;
}

export function cancelled(delivery: Delivery, nowMs: number): Delivery {
  return { ...delivery, status: 'cancelled', next_attempt_at: null, finished_at: new Date(nowMs).toISOString() };
}

/** Whole seconds until the next attempt, never less than the schedule says. */
export function secondsToWait({ next_attempt_at }: Pick<Delivery, 'next_attempt_at'>, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(next_attempt_at!) - nowMs) / 1_000));
}

export function showSummary({ attempts, payload: _, ...delivery }: Delivery): DeliverySummary {
  return { ...delivery, attempts_made: attempts.length, last_status: attempts.at(-1)?.status ?? null };
}

export function showDelivery(delivery: Delivery): DeliveryView {
  return { ...showSummary(delivery), attempts: [...delivery.attempts], payload: JSON.parse(delivery.payload) };
}

function newDelivery(parcel: Parcel, atMs: number, seed: string, replay_of: string | null): Delivery {
  return {
    id: timedIdFrom('delivery', seed, atMs),
    webhook_id: parcel.webhookId,
    event: parcel.event,
    event_id: parcel.eventId,
    status: 'pending',
    attempts: [],
    next_attempt_at: null,
    replay_of,
    created_at: new Date(atMs).toISOString(),
    finished_at: null,
    payload: parcel.payload,
  };
}

// When a delivery is tried again. The receiver may ask for more time, never for less.

/** Seconds before attempts 2 to 5. */
const delaysSeconds = [30, 2 * 60, 10 * 60, 30 * 60] as const;

/** A receiver that asks for more than this has other troubles; it must not hold a delivery for ever. */
const longestSeconds = 24 * 60 * 60;

/** Seconds to wait after the given attempt failed; null when it was the last one. */
export function waitAfter(attempt: number, retryAfterSeconds: number | null): number | null {
  const delay = delaysSeconds[attempt - 1];
  if (delay === undefined || attempt >= mostAttempts) return null;
  return Math.max(delay, Math.min(retryAfterSeconds ?? 0, longestSeconds));
}

/** The header `Retry-After`: seconds, or a date. Null when it says neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}

// Deactivating a webhook stops whatever is open, in that one write, however much it is: whether an open delivery is still
// wanted follows from its webhook. Readers see it cancelled from that moment on; whoever would make its next attempt
// stores that it is (docs/decisions/0015-stopped-deliveries.md).

/** A ping tries a webhook out, whether it is active or not. */
export function isStopped(delivery: Delivery, { document }: OutboundRecord): boolean {
  return isOpen(delivery) && delivery.event !== 'ping' && !wants(document, delivery.created_at);
}

/** The delivery as it is beside its webhook. */
export function asStopped(delivery: Delivery, webhook: OutboundRecord): Delivery {
  return isStopped(delivery, webhook) ? stopped(delivery, webhook, Date.parse(webhook.updated_at)) : delivery;
}

/** The moment of the end is that of the deactivation, unless an attempt was on its way then. */
export function stopped(delivery: Delivery, webhook: OutboundRecord | undefined, nowMs: number): Delivery {
  const stop = webhook && !webhook.deleted ? webhook.document.stopped_at : null;
  const last = delivery.attempts.at(-1);
  const lastMs = last ? Date.parse(last.at) + last.duration_ms : Date.parse(delivery.created_at);
  return cancelled(delivery, Math.max(stop ? Date.parse(stop) : nowMs, lastMs));
}
