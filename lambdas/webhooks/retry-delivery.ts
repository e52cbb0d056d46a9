import { type AttemptTools, attemptDelivery } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import type { OutboundRecord } from './outbound-webhook.ts';
import { nextRetry, type Retry } from './retry-machine.ts';

export interface RetryTools extends AttemptTools {
  findWebhook(webhookId: string): Promise<OutboundRecord | undefined>;
}

/** What the machine does next: the same again with other numbers, or nothing. */
export type RetryOutcome = { over: true } | ({ over: false } & Retry);

/**
 * One more attempt, asked for by the machine. It may ask for the same one twice, when its first answer got lost; then the
 * attempt is there already and is not made again.
 */
export async function retryDelivery(
  { webhook_id, delivery_id, attempt }: Retry,
  tools: RetryTools,
): Promise<RetryOutcome> {
  const key = { webhookId: webhook_id, deliveryId: delivery_id };
  const [delivery, webhook] = await Promise.all([tools.deliveries.find(key), tools.findWebhook(webhook_id)]);
  if (delivery?.status !== 'retrying') return { over: true };
  const due = delivery.attempts.length < attempt;
  return outcomeOf(due ? await attemptDelivery(delivery, webhook, tools) : delivery, tools.clock.now());
}

function outcomeOf(delivery: Delivery, nowMs: number): RetryOutcome {
  return delivery.status === 'retrying' ? { over: false, ...nextRetry(delivery, nowMs) } : { over: true };
}
