import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { deliveryId } from '../../../contract/deliveries.ts';
import { outboundWebhookId } from '../../../contract/webhook-settings.ts';
import { sendMessages, sqsClient, toMessageBody } from '../../platform/clients/sqs.ts';
import { type Clock, clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type ServiceEvent, toFilterView } from '../../records/service-event.ts';
import { createEventStore, createRecordStore } from '../../records/wiring.ts';
import { evaluateFilters } from '../filter.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createDeliveryStore, type DeliveryStore } from './delivery-store.ts';
import { formatPayload } from './payload-format.ts';
import { isWanted, type OutboundRecord } from './webhook.ts';
import { createOutboundWebhookList, type OutboundWebhookList } from './webhook-list.ts';

const queueNames = ['quick', 'slow'] as const;

/** The queues of first attempts. */
export type QueueName = (typeof queueNames)[number];

interface QueueTools {
  webhooks: OutboundWebhookList;
  deliveries: Pick<DeliveryStore, 'create'>;
  queue: DeliveryQueue<QueueName>;
  clock: Clock;
}

/** Creates and queues a delivery for every matching webhook. Safe to retry. */
export async function queueEvents(events: readonly ServiceEvent[], tools: QueueTools): Promise<number> {
  if (events.length === 0) return 0;
  const { webhooks, slow } = await tools.webhooks.withSlow(tools.clock.now());
  const deliveries = events.flatMap((event) =>
    findReceivers(event, webhooks).map(({ id, document }) => {
      const payload = formatPayload(document.format, event.id, event.payload);
      return createDelivery({ webhookId: id, event: event.type, eventId: event.id, payload }, Date.parse(event.at));
    }),
  );
  await storeAndQueue(assignQueues(deliveries, slow), tools);
  return deliveries.length;
}

/** Stores before queueing: the redrive finds deliveries whose message was lost. */
export async function storeAndQueue(
  queued: Readonly<Partial<Record<QueueName, readonly Delivery[]>>>,
  { deliveries: store, queue, clock }: Pick<QueueTools, 'deliveries' | 'queue' | 'clock'>,
): Promise<void> {
  const existing = await store.create(Object.values(queued).flat(), clock.now());
  // An existing delivery may have been attempted, so its worker reads it first.
  const toMessage = (one: Delivery): DeliveryMessage =>
    existing.has(one.id) ? { known: { webhook_id: one.webhook_id, id: one.id } } : { fresh: one };
  await Promise.all(queueNames.map((name) => queue.send(name, (queued[name] ?? []).map(toMessage))));
}

/** Finds the webhooks that subscribe to an event. */
export function findReceivers(event: ServiceEvent, webhooks: readonly OutboundRecord[]): OutboundRecord[] {
  const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
  if (subscribed.length === 0) return [];
  const view = toFilterView(event);
  return subscribed.filter(({ document }) => evaluateFilters(document.filters, view).passed);
}

function isSubscribed(webhook: OutboundRecord, event: ServiceEvent): boolean {
  const { document } = webhook;
  if (!isWanted(document, event.at) || !document.events.includes(event.type)) return false;
  return document.include_own || !isOwn(webhook, event);
}

/** Whether the receiver made the change itself, through its inbound webhook or its API client. */
function isOwn({ id, document }: OutboundRecord, { origin }: ServiceEvent): boolean {
  if (origin.kind === 'webhook') return origin.id !== null && [id, document.inbound_webhook_id].includes(origin.id);
  return origin.client !== undefined && origin.client === document.client_id;
}

// Two queues with separate workers, so that receivers that hang do not delay others. The slow queue gets deliveries to
// receivers that were slow within the last minute. It also gets large bursts to one webhook, which could occupy all
// workers of the quick queue before the receiver is known to be slow.

/**
 * Deliveries to one webhook per batch of 100 changes. An ordinary burst to a working receiver stays in the quick queue.
 */
const maxQuick = 200;

export function assignQueues(
  deliveries: readonly Delivery[],
  slow: ReadonlySet<string>,
): Record<QueueName, Delivery[]> {
  const queued: Record<QueueName, Delivery[]> = { quick: [], slow: [] };
  const counts = new Map<string, number>();
  for (const delivery of deliveries) {
    const { webhook_id } = delivery;
    const count = (counts.get(webhook_id) ?? 0) + 1;
    counts.set(webhook_id, count);
    queued[slow.has(webhook_id) || count > maxQuick ? 'slow' : 'quick'].push(delivery);
  }
  return queued;
}

// Queues due deliveries. The message of a new delivery contains the whole delivery, so that its worker need not read it.
// If a delivery may have been attempted, the message contains only its id, so that its worker reads the stored one. The retry state machine sends such
// messages with the number of the attempt (lib/retry-definition.ts).

export interface DeliveryQueue<Name extends string> {
  send(queueName: Name, messages: readonly DeliveryMessage[], delaySeconds?: number): Promise<void>;
}

export type DeliveryMessage = { fresh: Delivery } | { known: { webhook_id: string; id: string }; attempt?: number };

export interface DeliveryTools {
  records: Pick<ItemStore, 'get'>;
  /** The table of the deliveries. */
  events: Pick<ItemStore, 'transact'>;
  webhooks: OutboundWebhookList;
  deliveries: DeliveryStore;
  queue: DeliveryQueue<QueueName>;
  clock: Clock;
}

export function createDeliveryTools(): DeliveryTools {
  const { DELIVERY_QUEUE_URL, SLOW_DELIVERY_QUEUE_URL } = env('DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL');
  const records = createRecordStore();
  return {
    records,
    events: createEventStore(),
    webhooks: createOutboundWebhookList(records),
    deliveries: createDeliveryStore(),
    queue: createSqsDeliveryQueue(sqsClient(), { quick: DELIVERY_QUEUE_URL, slow: SLOW_DELIVERY_QUEUE_URL }),
    clock,
  };
}

export function createSqsDeliveryQueue<Name extends string>(
  client: SQSClient,
  queueUrls: Readonly<Record<Name, string>>,
): DeliveryQueue<Name> {
  return {
    async send(queueName, messages, delaySeconds = 0) {
      await sendMessages(client, queueUrls[queueName], messages.map(formatMessage), delaySeconds);
    },
  };
}

export function parseMessage(body: string): DeliveryMessage {
  return message.parse(JSON.parse(body)) as DeliveryMessage;
}

/** A worker reads a payload larger than this from the table. */
const maxInlineBytes = 60_000;

const message = z.union([
  z.object({ fresh: z.looseObject({ id: deliveryId, webhook_id: outboundWebhookId, payload: z.string() }) }),
  z.object({
    known: z.object({ id: deliveryId, webhook_id: outboundWebhookId }),
    attempt: z.int().min(1).optional(),
  }),
]);

function formatMessage(message: DeliveryMessage): string {
  const whole = toMessageBody(message);
  if ('known' in message || Buffer.byteLength(whole) <= maxInlineBytes) return whole;
  const { id, webhook_id } = message.fresh;
  return JSON.stringify({ known: { id, webhook_id } });
}
