import { hiddenValue } from '../../contract/webhook-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Alert } from './alert.ts';
import { type AttemptResult, afterAttempt, type Delivery, isGone, isOpen } from './delivery.ts';
import { deliveryHeaders, openHeaders } from './delivery-headers.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { OutboundRecord } from './outbound-webhook.ts';
import type { PostResult, PostTo } from './receiver.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { WatchReceiver } from './slow-receivers.ts';
import { isStopped, stopped } from './stopped-delivery.ts';

// One attempt at a delivery, the first or a later one. What came of it is stored before anybody acts on it, so whoever
// dies on the way is followed by somebody who knows.

export interface AttemptTools {
  deliveries: Pick<DeliveryStore, 'find' | 'record'>;
  post: PostTo;
  /** Takes note of receivers that keep others waiting. */
  watch: WatchReceiver;
  box: Pick<SecretBox, 'open'>;
  alert: Alert;
  /** Deactivates a webhook whose receiver wants nothing more. */
  disable(webhookId: string): Promise<void>;
  clock: Clock;
  log: Log;
  /** Of the service, for the receiver's logs. */
  version: string;
}

/** Makes the next attempt, unless the webhook wants none; the delivery as it is stored then. */
export async function attemptDelivery(
  delivery: Delivery,
  webhook: OutboundRecord | undefined,
  tools: AttemptTools,
): Promise<Delivery> {
  if (!isOpen(delivery)) return delivery;
  if (!webhook || webhook.deleted || isStopped(delivery, webhook)) {
    return stored(delivery, stopped(delivery, webhook, tools.clock.now()), tools);
  }
  const result = await attempt(delivery, webhook, tools);
  const after = afterAttempt(delivery, result);
  if (isGone(result)) await tools.disable(webhook.id);
  // An alert that is sent twice is better than one that is not: it goes out before the end is stored.
  if (after.status === 'failed' && delivery.event !== 'ping') await tools.alert(after, webhook);
  return stored(delivery, after, tools);
}

async function attempt(delivery: Delivery, webhook: OutboundRecord, tools: AttemptTools): Promise<AttemptResult> {
  const { clock, post, watch, box, version } = tools;
  const { url, timeout_seconds } = webhook.document;
  const body = Buffer.from(delivery.payload);
  const own = await openHeaders(webhook, box);
  const headers = await deliveryHeaders(delivery, webhook, { own, body, box, nowMs: clock.now(), version });
  const startMs = clock.now();
  const result = await watch(webhook.id, post({ url, headers, body, timeoutMs: timeout_seconds * 1_000 }));
  const endMs = clock.now();
  return {
    at: new Date(startMs).toISOString(),
    duration_ms: Math.max(0, endMs - startMs),
    ...told(result, endMs, own),
  };
}

function told(
  result: PostResult,
  nowMs: number,
  own: Readonly<Record<string, string>>,
): Omit<AttemptResult, 'at' | 'duration_ms'> {
  if (result.kind === 'failed') return { status: null, error: result.error, response: null, retryAfterSeconds: null };
  const { status, text, retryAfter } = result;
  const good = status >= 200 && status < 300;
  return {
    status,
    error: good ? null : `returned ${status}`,
    response: redactValues(text, Object.values(own)),
    retryAfterSeconds: parseRetryAfter(retryAfter, nowMs),
  };
}

/** A receiver that echoes the request must not show header values to everybody who may read deliveries. */
function redactValues(text: string, values: readonly string[]): string {
  const escaped = values.map((value) => JSON.stringify(value).slice(1, -1));
  // Longest first, so that no value is cut by another one that it contains.
  const secrets = [...values, ...escaped].filter((value) => value.trim() !== '').sort((a, b) => b.length - a.length);
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, hiddenValue), text);
}

/** When somebody else was first, what they stored counts. */
async function stored(before: Delivery, after: Delivery, { deliveries, clock, log }: AttemptTools): Promise<Delivery> {
  if (await deliveries.record(before, after, clock.now())) return after;
  const { webhook_id: webhookId, id: deliveryId } = before;
  log('warn', 'an attempt was made twice', { webhook: webhookId, delivery: deliveryId });
  const current = await deliveries.find({ webhookId, deliveryId });
  if (!current) throw new Error(`${deliveryId} is gone`);
  return current;
}
