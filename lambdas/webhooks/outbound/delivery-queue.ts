import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import * as z from 'zod';
import { deliveryId } from '../../../contract/deliveries.ts';
import { outboundWebhookId } from '../../../contract/webhook-settings.ts';
import { sqsClient } from '../../platform/clients/sqs.ts';
import { type Clock, clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { retry } from '../../platform/retry.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { createEventStore, createRecordStore } from '../../records/wiring.ts';
import type { Delivery, Lane } from './delivery.ts';
import { createDeliveryStore, type DeliveryStore } from './delivery-store.ts';
import { type OutboundWebhookList, outboundWebhookList } from './webhook-list.ts';

// Tells the workers that a delivery is due. A new delivery travels whole, so that its worker need not read it. One that
// may have been worked on before travels by its id alone, so that its worker has to; the machine that waits between
// attempts sends such messages, too, with the number of the attempt (lib/retry-definition.ts).

export interface DeliveryQueue {
  send(lane: Lane, messages: readonly DeliveryMessage[]): Promise<void>;
}

export type DeliveryMessage = { fresh: Delivery } | { known: { webhook_id: string; id: string }; attempt?: number };

export interface DeliveryTools {
  records: Pick<ItemStore, 'get'>;
  /** The table of the deliveries. */
  events: Pick<ItemStore, 'transact'>;
  webhooks: OutboundWebhookList;
  deliveries: DeliveryStore;
  queue: DeliveryQueue;
  clock: Clock;
}

export function createDeliveryTools(): DeliveryTools {
  const { DELIVERY_QUEUE_URL, SLOW_DELIVERY_QUEUE_URL } = env('DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL');
  const records = createRecordStore();
  return {
    records,
    events: createEventStore(),
    webhooks: outboundWebhookList(records),
    deliveries: createDeliveryStore(),
    queue: deliveryQueue(sqsClient(), { quick: DELIVERY_QUEUE_URL, slow: SLOW_DELIVERY_QUEUE_URL }),
    clock,
  };
}

export function deliveryQueue(client: SQSClient, queueUrls: Readonly<Record<Lane, string>>): DeliveryQueue {
  return {
    async send(lane, messages) {
      const queueUrl = queueUrls[lane];
      await pMap(splitIntoBatches(messages.map(toMessageBody)), (bodies) => sendBatch(client, queueUrl, bodies), {
        concurrency,
      });
    },
  };
}

export function parseMessage(body: string): DeliveryMessage {
  return message.parse(JSON.parse(body)) as DeliveryMessage;
}

const concurrency = 4;
const maxAttempts = 3;

/** SQS takes ten messages in one call. */
const maxMessages = 10;
const maxBytes = 240_000;

/** A payload larger than this is read by the worker. */
const maxInlineBytes = 60_000;

const message = z.union([
  z.object({ fresh: z.looseObject({ id: deliveryId, webhook_id: outboundWebhookId, payload: z.string() }) }),
  z.object({
    known: z.object({ id: deliveryId, webhook_id: outboundWebhookId }),
    attempt: z.int().min(1).optional(),
  }),
]);

function toMessageBody(message: DeliveryMessage): string {
  const whole = JSON.stringify(message);
  if ('known' in message || Buffer.byteLength(whole) <= maxInlineBytes) return whole;
  const { id, webhook_id } = message.fresh;
  return JSON.stringify({ known: { id, webhook_id } });
}

function* splitIntoBatches(bodies: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const body of bodies) {
    const size = Buffer.byteLength(body);
    if (batch.length === maxMessages || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(body);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function sendBatch(client: SQSClient, queueUrl: string, bodies: readonly string[]): Promise<void> {
  let entries = bodies.map((MessageBody, place) => ({ Id: String(place), MessageBody }));
  const attempt = async () => {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
    if (Failed.length === 0) return true;
    const failed = new Set(Failed.map(({ Id }) => Id));
    entries = entries.filter(({ Id }) => failed.has(Id));
    return undefined;
  };
  const exhausted = () => new Error(`${entries.length} deliveries could not be queued`);
  await retry(attempt, { maxAttempts, exhausted });
}
