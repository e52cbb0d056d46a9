import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../platform/log.ts';
import { type AttemptTools, attemptDelivery } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryMessage, parseMessage } from './delivery-queue.ts';
import type { OutboundRecord } from './outbound-webhook.ts';
import type { RetryMachine } from './retry-machine.ts';

// Works off messages of the queues, all of a batch side by side: a receiver that hangs holds up this batch and no other.
// The first attempt is asked for by whoever made the delivery, a later one by the machine that waited for it.

export interface WorkerTools extends AttemptTools {
  findWebhook(webhookId: string): Promise<OutboundRecord | undefined>;
  machine: RetryMachine;
}

export async function attemptDeliveries({ Records }: SQSEvent, tools: WorkerTools): Promise<SQSBatchResponse> {
  const done = await Promise.all(
    Records.map(async (record) => {
      try {
        await deliver(record, tools);
        return [];
      } catch (error) {
        tools.log('error', 'a message will come again', { message_id: record.messageId, ...errorFields(error) });
        return [{ itemIdentifier: record.messageId }];
      }
    }),
  );
  return { batchItemFailures: done.flat() };
}

async function deliver(record: SQSRecord, tools: WorkerTools): Promise<void> {
  const message = parseMessage(record.body);
  const delivery = await deliveryOf(message, record, tools);
  if (!delivery) return;
  const wanted = 'known' in message ? (message.attempt ?? 1) : 1;
  // A message may come again after its attempt was made, because somebody died before the rest of this.
  const after = delivery.attempts.length < wanted ? await attempt(delivery, tools) : delivery;
  if (after.status === 'retrying') await tools.machine.start(after, tools.clock.now());
}

async function attempt(delivery: Delivery, tools: WorkerTools): Promise<Delivery> {
  return attemptDelivery(delivery, await tools.findWebhook(delivery.webhook_id), tools);
}

/** A message that comes for the second time may have been worked on, so what is stored counts, not what it says. */
async function deliveryOf(
  message: DeliveryMessage,
  { attributes }: SQSRecord,
  tools: WorkerTools,
): Promise<Delivery | undefined> {
  if ('fresh' in message && Number(attributes.ApproximateReceiveCount) <= 1) return message.fresh;
  const { webhook_id: webhookId, id: deliveryId } = 'fresh' in message ? message.fresh : message.known;
  const found = await tools.deliveries.find({ webhookId, deliveryId });
  if (!found) tools.log('warn', 'a delivery is gone', { webhook: webhookId, delivery: deliveryId });
  return found;
}
