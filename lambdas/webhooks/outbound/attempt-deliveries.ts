import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import { hiddenValue } from '../../../contract/webhook-settings.ts';
import { buildNotificationWrite } from '../../notifications/notification.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { deriveId } from '../../platform/ids.ts';
import { emitMetrics, type Log, toErrorFields } from '../../platform/log.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import { signHex, signStandardWebhook } from '../signature.ts';
import {
  type AttemptResult,
  applyAttempt,
  cancelStopped,
  type Delivery,
  isGone,
  isOpen,
  isStopped,
} from './delivery.ts';
import type { DeliveryLimiter } from './delivery-limiter.ts';
import { type DeliveryMessage, parseMessage } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { toContentType } from './payload-format.ts';
import { isSuccess, type PostResult, type PostTo } from './receiver.ts';
import { getSecondsUntilRetry, parseRetryAfter } from './retry-delay.ts';
import type { ScheduleRetry } from './schedule-retry.ts';
import type { WatchReceiver } from './slow-receivers.ts';
import { listSigningSecrets, type OutboundRecord } from './webhook.ts';

// Processes queue messages. All messages of a batch run concurrently, so a receiver that hangs delays only its batch.
// The creator of a delivery queues the first attempt; schedule-retry.ts queues later ones.

export interface WorkerTools extends AttemptTools {
  findWebhook(webhookId: string): Promise<OutboundRecord | undefined>;
  scheduleRetry: ScheduleRetry;
  limit: DeliveryLimiter;
}

export async function attemptDeliveries({ Records }: SQSEvent, tools: WorkerTools): Promise<SQSBatchResponse> {
  const done = await Promise.all(
    Records.map(async (record) => {
      try {
        await deliver(record, tools);
        return [];
      } catch (error) {
        tools.log('error', 'failed to process a delivery message; SQS will redeliver it', {
          message_id: record.messageId,
          ...toErrorFields(error),
        });
        return [{ itemIdentifier: record.messageId }];
      }
    }),
  );
  return { batchItemFailures: done.flat() };
}

async function deliver(record: SQSRecord, tools: WorkerTools): Promise<void> {
  const message = parseMessage(record.body);
  const { webhook_id } = 'fresh' in message ? message.fresh : message.known;
  await tools.limit(webhook_id, () => processMessage(message, record, tools));
}

async function processMessage(message: DeliveryMessage, record: SQSRecord, tools: WorkerTools): Promise<void> {
  const delivery = await findCurrentDelivery(message, record, tools);
  if (!delivery) return;
  const attemptNumber = 'known' in message ? (message.attempt ?? 1) : 1;
  const made = delivery.attempts.length;
  // If a worker died after the attempt, it may not have scheduled the next one. Other messages are duplicates.
  if (made > attemptNumber || (made === attemptNumber && !isRedelivered(record))) return;
  const isDue = made < attemptNumber && !isEarly(delivery, tools.clock.now());
  const after = isDue ? await attemptDelivery(delivery, await tools.findWebhook(delivery.webhook_id), tools) : delivery;
  if (after.status === 'retrying') await tools.scheduleRetry(after);
}

function isRedelivered({ attributes }: SQSRecord): boolean {
  return Number(attributes.ApproximateReceiveCount) > 1;
}

/** The message of a long wait arrives early; the rest of the wait is scheduled again. Clocks may differ by a second. */
function isEarly(delivery: Delivery, nowMs: number): boolean {
  return delivery.next_attempt_at !== null && getSecondsUntilRetry(delivery, nowMs) > 1;
}

/** A redelivered message may be out of date, so read the stored delivery instead. */
async function findCurrentDelivery(
  message: DeliveryMessage,
  record: SQSRecord,
  tools: WorkerTools,
): Promise<Delivery | undefined> {
  if ('fresh' in message && !isRedelivered(record)) return message.fresh;
  const { webhook_id: webhookId, id: deliveryId } = 'fresh' in message ? message.fresh : message.known;
  const found = await tools.deliveries.find({ webhookId, deliveryId });
  if (!found)
    tools.log('warn', 'ignored a message: its delivery no longer exists', { webhook: webhookId, delivery: deliveryId });
  return found;
}

// One delivery attempt. The result is stored before it has any effect, so a retry after a crash finds it.

export interface AttemptTools {
  deliveries: Pick<DeliveryStore, 'find' | 'record'>;
  post: PostTo;
  /** Records slow receivers. */
  watch: WatchReceiver;
  box: Pick<SecretBox, 'open'>;
  alert: Alert;
  /** Deactivates a webhook whose receiver responded 410 Gone. */
  disable(webhookId: string): Promise<void>;
  clock: Clock;
  log: Log;
  /** The version of the service, for the receiver's logs. */
  version: string;
}

/** Makes the next attempt unless the delivery was cancelled. Returns the stored delivery. */
export async function attemptDelivery(
  delivery: Delivery,
  webhook: OutboundRecord | undefined,
  tools: AttemptTools,
): Promise<Delivery> {
  if (!isOpen(delivery)) return delivery;
  if (!webhook || webhook.deleted || isStopped(delivery, webhook)) {
    return storeResult(delivery, cancelStopped(delivery, webhook, tools.clock.now()), tools);
  }
  const result = await postDelivery(delivery, webhook, tools);
  const after = applyAttempt(delivery, result);
  if (isGone(result)) await tools.disable(webhook.id);
  // Send the alert before storing the result: a duplicate alert is better than a missing one.
  if (after.status === 'failed' && delivery.event !== 'ping') await tools.alert(after, webhook);
  emitMetrics({
    DeliveryAttempts: 1,
    ...(after.status === 'delivered' && { DeliveriesSucceeded: 1 }),
    ...(after.status === 'failed' && { DeliveriesFailed: 1 }),
  });
  return storeResult(delivery, after, tools);
}

async function postDelivery(delivery: Delivery, webhook: OutboundRecord, tools: AttemptTools): Promise<AttemptResult> {
  const { clock, post, watch, box, version } = tools;
  const { url, timeout_seconds } = webhook.document;
  const body = Buffer.from(delivery.payload);
  const own = await openHeaders(webhook, box);
  const headers = await buildDeliveryHeaders(delivery, webhook, { own, body, box, nowMs: clock.now(), version });
  const startMs = clock.now();
  const result = await watch(webhook.id, post({ url, headers, body, timeoutMs: timeout_seconds * 1_000 }));
  const endMs = clock.now();
  return {
    at: toIso(startMs),
    duration_ms: Math.max(0, endMs - startMs),
    ...toResponseMetadata(result, endMs, own),
  };
}

function toResponseMetadata(
  result: PostResult,
  nowMs: number,
  own: Readonly<Record<string, string>>,
): Omit<AttemptResult, 'at' | 'duration_ms'> {
  if (result.kind === 'failed') return { status: null, error: result.error, response: null, retryAfterSeconds: null };
  const { status, text, retryAfter } = result;
  return {
    status,
    error: isSuccess(status) ? null : `returned ${status}`,
    response: redactValues(text, Object.values(own)),
    retryAfterSeconds: parseRetryAfter(retryAfter, nowMs),
  };
}

/** A receiver may echo the request, and callers who may read deliveries must not see its header values. */
function redactValues(text: string, values: readonly string[]): string {
  const escaped = values.map((value) => JSON.stringify(value).slice(1, -1));
  // Longest first: a value may contain a shorter one.
  const secrets = [...values, ...escaped].filter((value) => value.trim() !== '').sort((a, b) => b.length - a.length);
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, hiddenValue), text);
}

/** If another worker stored a result first, return that one. */
async function storeResult(
  before: Delivery,
  after: Delivery,
  { deliveries, clock, log }: AttemptTools,
): Promise<Delivery> {
  if (await deliveries.record(before, after, clock.now())) return after;
  const { webhook_id: webhookId, id: deliveryId } = before;
  log('warn', 'another worker stored this delivery attempt first', { webhook: webhookId, delivery: deliveryId });
  const current = await deliveries.find({ webhookId, deliveryId });
  if (!current) throw new Error(`delivery ${deliveryId} not found`);
  return current;
}

export interface HeaderParts {
  /** The webhook's own headers, decrypted. */
  own: Readonly<Record<string, string>>;
  body: Uint8Array;
  box: Pick<SecretBox, 'open'>;
  nowMs: number;
  /** Version of the service. */
  version: string;
}

/** The webhook's own headers with their values. Names in lower case, so that no header is sent twice. */
export async function openHeaders(
  { id, document }: OutboundRecord,
  box: Pick<SecretBox, 'open'>,
): Promise<Record<string, string>> {
  const entries = Object.entries(document.headers).map(
    async ([name, sealed]) => [name.toLowerCase(), await box.open(id, sealed)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** All headers of a delivery. */
export async function buildDeliveryHeaders(
  { id, event, event_id, attempts }: Delivery,
  { id: webhookId, document }: OutboundRecord,
  { own, body, box, nowMs, version }: HeaderParts,
): Promise<Record<string, string>> {
  const seconds = Math.floor(nowMs / 1_000);
  const open = (sealed: string) => box.open(webhookId, sealed);
  const secrets = await Promise.all(listSigningSecrets(document, nowMs).map(open));
  return {
    'content-type': toContentType(document.format),
    'user-agent': `incident-service/${version}`,
    ...own,
    'webhook-id': event_id,
    'webhook-timestamp': String(seconds),
    'x-service-event': event,
    'x-service-delivery': id,
    'x-service-attempt': String(attempts.length + 1),
    ...buildSignatureHeaders(secrets, event_id, seconds, body),
  };
}

/** During a rotation both secrets sign. Only the Standard Webhooks header can contain several signatures. */
function buildSignatureHeaders(
  secrets: readonly string[],
  id: string,
  seconds: number,
  body: Uint8Array,
): Record<string, string> {
  const [newest, previous] = secrets;
  if (newest === undefined) return {};
  return {
    'x-service-signature': signHex(newest, body),
    ...(previous === undefined ? {} : { 'x-service-signature-previous': signHex(previous, body) }),
    'webhook-signature': secrets.map((secret) => signStandardWebhook(secret, id, seconds, body)).join(' '),
  };
}

/** Notifies the owner of a webhook that a delivery failed. */
export type Alert = (delivery: Delivery, webhook: OutboundRecord) => Promise<void>;

/** Stores the notification; the stream publishes every stored notification. */
export function createOwnerAlert(store: Pick<ItemStore, 'transact'>): Alert {
  return async (delivery, { id, document }) => {
    const last = requireValue(delivery.attempts.at(-1));
    const notification = {
      // The id is derived from the delivery, so retries do not notify twice.
      id: deriveId('notification', delivery.id),
      event: isGone(last) ? 'webhook.disabled' : 'webhook.delivery_failed',
      created_at: requireValue(delivery.finished_at),
      webhook_id: id,
      webhook_name: document.name,
      delivery_id: delivery.id,
      delivered_event: delivery.event,
      attempts_made: delivery.attempts.length,
      last_status: last.status,
      error: last.error,
      replay_url: `/${stageName}${apiPrefixes[0]}/webhooks/outbound/${id}/deliveries/${delivery.id}/replay`,
    };
    await writeWithRetry(store, [buildNotificationWrite({ kind: 'user', name: document.created_by }, notification)]);
  };
}
