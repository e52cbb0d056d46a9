import type { RateLimit } from '../../../contract/rate-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import type { Limiter } from '../../platform/rate-limit/limiter.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { getSecondsUntilRetry } from './retry-delay.ts';
import type { StartRetry } from './retry-machine.ts';
import { slowAfterMs } from './slow-receivers.ts';

// Schedules the next attempt of a failed delivery. A wait of up to 15 minutes is the delay of a message. A longer wait is an
// execution of the retry state machine, which then sends the message. Step Functions limits how many executions start per
// second; if it rejects one, the message waits in the queue instead, and its worker schedules the rest of the wait
// (docs/decisions/0022-delivery-queues.md).

export type ScheduleRetry = (delivery: Delivery) => Promise<void>;

export interface RetryTools {
  queue: DeliveryQueue<RetryQueueName>;
  queueUrls: Readonly<Record<RetryQueueName, string>>;
  start: StartRetry;
  limiter: Limiter;
  clock: Clock;
  log: Log;
}

export type RetryQueueName = 'retry' | 'slow';

/** The maximum delay of an SQS message. */
const maxQueueDelaySeconds = 15 * 60;

/**
 * Retries of one webhook that use the retry queue. If its receiver hangs, they occupy some of the workers for up to 30
 * seconds, and the others serve the other webhooks.
 */
const retryQueueLimit: RateLimit = { limit: 10, windowSeconds: 30 };

export function createRetryScheduler(tools: RetryTools): ScheduleRetry {
  const { queue, queueUrls, start, clock, log } = tools;
  return async (delivery) => {
    const { id, webhook_id } = delivery;
    const attempt = delivery.attempts.length + 1;
    const waitSeconds = getSecondsUntilRetry(delivery, clock.now());
    const queueName = await selectQueue(delivery, tools);
    if (waitSeconds > maxQueueDelaySeconds) {
      try {
        const execution = { webhook_id, delivery_id: id, attempt, wait_seconds: waitSeconds };
        return await start({ ...execution, queue_url: queueUrls[queueName] });
      } catch (error) {
        log('warn', 'failed to start a retry execution; the retry waits in the queue', {
          webhook: webhook_id,
          delivery: id,
          ...toErrorFields(error),
        });
      }
    }
    const delaySeconds = Math.min(waitSeconds, maxQueueDelaySeconds);
    await queue.send(queueName, [{ known: { webhook_id, id }, attempt }], delaySeconds);
  };
}

/** Retries that may occupy a worker for long use the slow queue, so that the retries of other webhooks are on time. */
async function selectQueue(
  { webhook_id, attempts }: Delivery,
  { limiter, log }: Pick<RetryTools, 'limiter' | 'log'>,
): Promise<RetryQueueName> {
  if ((attempts.at(-1)?.duration_ms ?? 0) >= slowAfterMs) return 'slow';
  try {
    return (await limiter.take(`retries#${webhook_id}`, retryQueueLimit)).admitted ? 'retry' : 'slow';
  } catch (error) {
    log('warn', 'failed to count a retry; it uses the slow queue', { webhook: webhook_id, ...toErrorFields(error) });
    return 'slow';
  }
}
