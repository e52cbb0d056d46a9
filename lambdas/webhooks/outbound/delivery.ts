import { hash } from 'node:crypto';
import {
  type Attempt,
  type DeliveredType,
  type DeliveryStatus,
  type DeliverySummary,
  type DeliveryView,
  maxAttempts,
} from '../../../contract/deliveries.ts';
import type { OutboundFormat } from '../../../contract/outbound-webhook-schemas.ts';
import { toConsoleUrl } from '../../events/event.ts';
import { toIso } from '../../platform/clock.ts';
import { deriveTimedId } from '../../platform/ids.ts';
import { requireValue } from '../../platform/require-value.ts';
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

export const laneNames = ['quick', 'slow'] as const;

export type Lane = (typeof laneNames)[number];

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

/** Whole seconds until the next attempt, rounded up so that it is never early. */
export function getSecondsUntilRetry({ next_attempt_at }: Pick<Delivery, 'next_attempt_at'>, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(requireValue(next_attempt_at)) - nowMs) / 1_000));
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
    shard: toShard(id),
  };
}

/** A partition accepts about 125 deliveries a second, because ids rise with time and DynamoDB cannot split it. */
export const deliveryShards = 16;

export function toShard(deliveryId: string): number {
  return (hash('sha256', deliveryId, 'buffer')[0] ?? 0) % deliveryShards;
}

// The retry schedule. `Retry-After` can lengthen a delay but not shorten it.

/** Seconds before attempts 2 to 5. */
const delaysSeconds = [30, 2 * 60, 10 * 60, 30 * 60] as const;

/** Limits `Retry-After`, so that a receiver cannot postpone a delivery forever. */
const maxDelaySeconds = 24 * 60 * 60;

/** Seconds to wait after the given attempt failed; null when it was the last one. */
export function getNextDelaySeconds(attempt: number, retryAfterSeconds: number | null): number | null {
  const delay = delaysSeconds[attempt - 1];
  if (delay === undefined || attempt >= maxAttempts) return null;
  return Math.max(delay, Math.min(retryAfterSeconds ?? 0, maxDelaySeconds));
}

/** Parses `Retry-After`: a number of seconds or a date. Returns null for any other text. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}

// Deactivating a webhook cancels all of its open deliveries with one write, because the state of an open delivery depends
// on its webhook. Reads show it as cancelled immediately; the next attempt stores it
// (docs/decisions/0015-stopped-deliveries.md).

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

// The body of a delivery in the format that its receiver expects. The service's own format is the event itself.

interface Event {
  event: string;
  timestamp: string;
  service_instance: string;
  data: Readonly<Record<string, unknown>> & { id: string; url: string };
}

export function formatPayload(format: OutboundFormat | undefined, eventId: string, payload: string): string {
  if (format === undefined || format === 'service') return payload;
  return JSON.stringify(formatters[format](JSON.parse(payload), eventId));
}

export function toContentType(format: OutboundFormat | undefined): string {
  return format === 'cloudevents' ? 'application/cloudevents+json; charset=utf-8' : 'application/json';
}

const formatters: Record<Exclude<OutboundFormat, 'service'>, (event: Event, eventId: string) => object> = {
  cloudevents: ({ event, timestamp, service_instance, data }, eventId) => ({
    specversion: '1.0',
    id: eventId,
    source: `/incident-service/${encodeURIComponent(service_instance)}`,
    type: event,
    subject: data.id,
    time: timestamp,
    datacontenttype: 'application/json',
    data,
  }),
  slack: (event) => {
    const { title, link, summary, facts } = describe(event);
    const details = facts.map(({ name, value }) => `${name}: *${escapeSlack(value)}*`).join('   ');
    const text = `*${escapeSlack(title)}* <${link}|${event.data.id}>\n${escapeSlack(summary)}`;
    return {
      text: `${escapeSlack(title)} ${event.data.id} ${escapeSlack(summary)}`.trim(),
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text } },
        ...(details === '' ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: details }] }]),
      ],
    };
  },
  teams: (event) => {
    const { title, link, summary, facts } = describe(event);
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        { type: 'TextBlock', size: 'Medium', weight: 'Bolder', wrap: true, text: `${title}: ${event.data.id}` },
        ...(summary === '' ? [] : [{ type: 'TextBlock', wrap: true, text: escapeMarkdown(summary) }]),
        { type: 'FactSet', facts: facts.map(({ name, value }) => ({ title: name, value })) },
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
    };
    return {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
    };
  },
};

/** The parts of a human-readable message. */
function describe({ event, data }: Event) {
  const words = event.replace('sla.', 'SLA ').replace(/[._]/g, ' ');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const facts = [
    { name: 'Priority', value: text(data.priority) },
    { name: 'State', value: text(data.state).replace('_', ' ') },
  ];
  return {
    title: words.charAt(0).toUpperCase() + words.slice(1),
    // Events of earlier releases have the address of the API here.
    link: toConsoleUrl(data.url),
    summary: text(data.short_description) || text(data.name),
    facts: facts.filter(({ value }) => value !== ''),
  };
}

/** Escapes the three control characters of Slack. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Adaptive Cards render a subset of Markdown: links, emphasis and lists. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]()#]/g, '\\$&');
}
