import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../platform/log.ts';
import { type AttemptTools, attemptDelivery } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import { parseMessage } from './delivery-queue.ts';
import type { OutboundRecord } from './outbound-webhook.ts';
import type { RetryMachine } from './retry-machine.ts';

// Works off messages of the queue, all of a batch side by side: a receiver that hangs holds up this batch and no other.

export interface FirstAttemptTools extends AttemptTools {
  findWebhook(webhookId: string): Promise<OutboundRecord | undefined>;
  machine: RetryMachine;
}

export async function firstAttempts({ Records }: SQSEvent, tools: FirstAttemptTools): Promise<SQSBatchResponse> {
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

async function deliver(record: SQSRecord, tools: FirstAttemptTools): Promise<void> {
  const delivery = await deliveryOf(record, tools);
  if (!delivery) return;
  const after = delivery.status === 'pending' ? await firstAttempt(delivery, tools) : delivery;
  // Only a failure needs the machine. A message that comes again, because somebody died before this, gets here too.
  if (after.status === 'retrying') await tools.machine.start(after, tools.clock.now());
}

async function firstAttempt(delivery: Delivery, tools: FirstAttemptTools): Promise<Delivery> {
  return attemptDelivery(delivery, await tools.findWebhook(delivery.webhook_id), tools);
}

/** A message that comes for the second time may have been worked on, so what is stored counts, not what it says. */
async function deliveryOf({ body, attributes }: SQSRecord, tools: FirstAttemptTools): Promise<Delivery | undefined> {
  const message = parseMessage(body);
  if ('fresh' in message && Number(attributes.ApproximateReceiveCount) <= 1) return message.fresh;
  const { webhook_id: webhookId, id: deliveryId } = 'fresh' in message ? message.fresh : message.known;
  const found = await tools.deliveries.find({ webhookId, deliveryId });
  if (!found) tools.log('warn', 'a delivery is gone', { webhook: webhookId, delivery: deliveryId });
  return found;
}
