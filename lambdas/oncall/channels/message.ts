import type { ContactKind } from '../../../contract/contact-kinds.ts';
import { idFormats } from '../../../contract/ids.ts';
import type { NotificationTopic } from '../../../contract/preferences.ts';
import { toIso } from '../../platform/clock.ts';
import { deriveId, randomHex } from '../../platform/ids.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Item, readNumber, readString } from '../../records/items.ts';
import { toItemKey } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';

// A message with the plan of its deliveries and its delivery log, in one item of the table `events`. It is in the partition
// of the record that it is about, so one query reads everything that was sent about an incident.
//
// | Access pattern                    | Call    | Key                                                              |
// |-----------------------------------|---------|------------------------------------------------------------------|
// | a message                         | GetItem | pk = messages#<record id, or address of the person>, sk = <id>   |
// | the messages about a record       | Query   | the same pk                                                      |

/** A message to one person. */
export interface MessageRequest {
  /** Deterministic, such as page, step and person: the same id is never sent twice. */
  id: string;
  /** E-mail address of the person in the directory. */
  to: string;
  urgency: 'page' | 'notification';
  /** The record that the message is about; null if there is none, as in a test message. */
  record_id: string | null;
  title: string;
  /** Why it was sent, as a sentence. */
  reason: string;
  /** Of notifications: what the rules of the person choose by. */
  topic?: NotificationTopic;
  /** Acknowledges the page without signing in. */
  acknowledge_url?: string;
  /** Nothing is sent once this page has ended: the item `pk` = page id, `sk` = `#` of `records` has `ended_at`. */
  page_id?: string;
  /** Later methods are not used once the person has read this notification. */
  notification_id?: string;
  /** Uses only this contact method, as in a test message. */
  method_id?: string;
}

export interface MessageKey {
  pk: string;
  id: string;
}

/** `sending`: a worker has claimed it. Everything after it is final. */
type DeliveryStatus = 'waiting' | 'sending' | 'sent' | 'failed' | 'cancelled';

/** One planned use of a contact method. */
export interface PlannedDelivery {
  method_id: string;
  channel: ContactKind;
  /** The address as shown to others, such as +49…89. */
  address: string;
  due_ms: number;
  status: DeliveryStatus;
  attempts: number;
}

export type MessageOutcome = 'sent' | 'retrying' | 'failed' | 'cancelled' | 'unreachable';

export interface LogEntry {
  at: string;
  /** Null if no contact method was used. */
  channel: ContactKind | null;
  address: string | null;
  outcome: MessageOutcome;
  /** Id that the provider gave the message. */
  provider_message_id: string | null;
  error: string | null;
}

export interface Message extends MessageKey {
  request: MessageRequest;
  created_at: string;
  deliveries: readonly PlannedDelivery[];
  log: readonly LogEntry[];
  /** While a worker sends: no other worker may send before this time. */
  claimed_until_ms?: number;
  /** Counts the writes. */
  revision: number;
}

export function toMessageKey({ id, to, record_id }: Pick<MessageRequest, 'id' | 'to' | 'record_id'>): MessageKey {
  return { pk: toPartition(record_id ?? to.toLowerCase()), id: deriveId('message', id) };
}

function toPartition(recordId: string): string {
  return `messages#${recordId}`;
}

const retentionSeconds = 30 * 86_400;

/** Fails if another worker wrote the message first. */
export function buildMessageWrite({ pk, id, revision, ...document }: Message): Write {
  const put = {
    Item: {
      ...toItemKey(pk, id),
      document: { S: JSON.stringify(document) },
      revision: { N: String(revision) },
      // Two claims at the same time are equal. The store takes an equal item for its own, so each write has a token.
      write_token: { S: randomHex(8) },
      expires_at: { N: String(Math.ceil(Date.parse(document.created_at) / 1_000) + retentionSeconds) },
    },
    ...(revision === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': { N: String(revision - 1) } },
        }),
  };
  return { name: 'message', put };
}

export function toMessage(item: Item): Message {
  const document = JSON.parse(readString(item, 'document'));
  return {
    ...document,
    pk: readString(item, 'pk'),
    id: readString(item, 'sk'),
    revision: readNumber(item, 'revision'),
  };
}

// The delivery log, for the timeline of an incident and the state of a page.

export interface MessageLogEntry extends LogEntry {
  message_id: string;
  to: string;
  urgency: MessageRequest['urgency'];
  page_id: string | null;
  reason: string;
}

/** Of one record. More would not fit on a page. */
const maxMessages = 1_000;

/** Lists what was sent about a record, or for one page of it, oldest first. The store is that of the table `events`. */
export async function listMessageLog(
  store: Pick<ItemStore, 'range'>,
  recordId: string,
  pageId?: string,
): Promise<MessageLogEntry[]> {
  const items = await store.range({ pk: toPartition(recordId), prefix: idFormats.message.prefix }, maxMessages);
  return items
    .map(toMessage)
    .filter(({ request }) => pageId === undefined || request.page_id === pageId)
    .flatMap(({ id, request: { to, urgency, page_id = null, reason }, log }) =>
      log.map((entry) => ({ ...entry, message_id: id, to, urgency, page_id, reason })),
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

// The state machine of a message. All functions are pure; the worker stores each state before it acts on it.

/** With the delays, a provider has half a minute to recover. */
const maxAttempts = 3;

const retryDelaysMs = [5_000, 25_000];

/** Longer than the worker may run. A worker that died is replaced after this time. */
const claimMs = 90_000;

/** The time at which there is more to send; undefined if the message is finished. */
export function getNextDueMs({ deliveries, claimed_until_ms = 0 }: Message): number | undefined {
  const times = deliveries.flatMap(({ status, due_ms }) =>
    status === 'waiting' ? [due_ms] : status === 'sending' ? [claimed_until_ms] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Claims all deliveries that are due. A delivery that a dead worker claimed is claimed again and may be sent twice, with
 * the same message id. Undefined if another worker is sending or nothing is due.
 */
export function claimDue(message: Message, nowMs: number): Message | undefined {
  const { claimed_until_ms = 0, deliveries } = message;
  const isClaimed = deliveries.some(({ status }) => status === 'sending') && claimed_until_ms > nowMs;
  const isDue = ({ status, due_ms }: PlannedDelivery) =>
    status === 'sending' || (status === 'waiting' && due_ms <= nowMs);
  if (isClaimed || !deliveries.some(isDue)) return undefined;
  return advance(message, {
    claimed_until_ms: nowMs + claimMs,
    deliveries: deliveries.map((each) =>
      isDue(each) ? { ...each, status: 'sending', attempts: each.attempts + 1 } : each,
    ),
  });
}

export type SendResult =
  | { kind: 'sent'; providerMessageId: string | null }
  /** `isPermanent`: the same message would fail again. */
  | { kind: 'failed'; error: string; isPermanent: boolean };

/** Applies the results of the claimed deliveries. A method that failed is replaced by the next one. */
export function applyResults(
  message: Message,
  results: ReadonlyMap<PlannedDelivery, SendResult>,
  nowMs: number,
): Message {
  const log: LogEntry[] = [...message.log];
  let failures = 0;
  const applied = message.deliveries.map((each): PlannedDelivery => {
    const result = results.get(each);
    if (!result) return each;
    const base = { at: toIso(nowMs), channel: each.channel, address: each.address };
    if (result.kind === 'sent') {
      log.push({ ...base, outcome: 'sent', provider_message_id: result.providerMessageId, error: null });
      return { ...each, status: 'sent' };
    }
    const isFinal = result.isPermanent || each.attempts >= maxAttempts;
    if (isFinal) failures += 1;
    const next = isFinal ? findNext(message, each) : undefined;
    const error = next ? `${result.error}; ${next.channel} ${next.address} is used instead` : result.error;
    log.push({ ...base, outcome: isFinal ? 'failed' : 'retrying', provider_message_id: null, error });
    if (isFinal) return { ...each, status: 'failed' };
    return { ...each, status: 'waiting', due_ms: nowMs + (retryDelaysMs[each.attempts - 1] ?? 0) };
  });
  return advance(message, { deliveries: failures > 0 ? pullForward(applied, nowMs) : applied, log });
}

/** Ends a message before all methods were used. */
export function cancelRest(message: Message, reason: string, nowMs: number): Message {
  const base = { at: toIso(nowMs), provider_message_id: null, outcome: 'cancelled' as const, error: reason };
  const open = message.deliveries.filter(({ status }) => status === 'waiting' || status === 'sending');
  return advance(message, {
    deliveries: message.deliveries.map((each) => (open.includes(each) ? { ...each, status: 'cancelled' } : each)),
    log: [...message.log, ...open.map(({ channel, address }) => ({ ...base, channel, address }))],
  });
}

function advance(message: Message, changes: Partial<Message>): Message {
  return { ...message, ...changes, revision: message.revision + 1 };
}

function findNext({ deliveries }: Message, { method_id }: PlannedDelivery): PlannedDelivery | undefined {
  return deliveries.find((each) => each.status === 'waiting' && each.attempts === 0 && each.method_id !== method_id);
}

/** Deliveries that wait for an acknowledgement are due at once, beginning with those of the next time. */
function pullForward(deliveries: readonly PlannedDelivery[], nowMs: number): PlannedDelivery[] {
  const times = deliveries.flatMap(({ status, attempts, due_ms }) =>
    status === 'waiting' && attempts === 0 ? [due_ms] : [],
  );
  const next = Math.min(...times);
  return deliveries.map((each) =>
    each.status === 'waiting' && each.attempts === 0 && each.due_ms === next
      ? { ...each, due_ms: Math.min(each.due_ms, nowMs) }
      : each,
  );
}
