import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ContactKind } from '../../../contract/contact-kinds.ts';
import { chatKinds } from '../../../contract/contact-kinds.ts';
import { findPreferences } from '../../identity/me.ts';
import { isNotificationRead } from '../../notifications/inbox.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { emitMetrics, type Log, toErrorFields } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { recordSortKey } from '../../records/record-item.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import type { Channels } from './channels.ts';
import { buildUseWrite, type ContactMethod, findContacts, listUsable } from './contacts.ts';
import { toContent } from './format.ts';
import {
  applyResults,
  buildMessageWrite,
  cancelRest,
  claimDue,
  getNextDueMs,
  type Message,
  type MessageRequest,
  type PlannedDelivery,
  type SendResult,
  toMessage,
  toMessageKey,
} from './message.ts';
import type { MessageQueue, QueueEntry } from './message-queue.ts';
import { createUnreachable, planMessage } from './plan.ts';

// The worker behind the queue of messages. A state is stored before it is acted on: a redelivered queue message finds what
// was sent. Only a worker that dies between sending and storing causes a duplicate.

export interface WorkerTools {
  /** Contact methods, rules and pages. */
  records: Pick<ItemStore, 'get' | 'transact'>;
  /** Messages. */
  events: Pick<ItemStore, 'get' | 'transact'>;
  queue: MessageQueue;
  channels: Channels;
  available: readonly ContactKind[];
  box: Pick<SecretBox, 'open'>;
  /** The address of a person in the directory; undefined if nobody has it. */
  findPerson(email: string): Promise<string | undefined>;
  /** With a slash at the end. */
  consoleUrl: string;
  clock: Clock;
  log: Log;
}

export async function sendMessages({ Records }: SQSEvent, tools: WorkerTools): Promise<SQSBatchResponse> {
  const done = await Promise.all(
    Records.map(async ({ messageId, body }) => {
      try {
        await processEntry(JSON.parse(body), tools);
        return [];
      } catch (error) {
        tools.log('error', 'failed to process a message; SQS will redeliver it', {
          message_id: messageId,
          ...toErrorFields(error),
        });
        return [{ itemIdentifier: messageId }];
      }
    }),
  );
  return { batchItemFailures: done.flat() };
}

/** Each round sends what is due. More rounds than methods and attempts are not possible. */
const maxRounds = 100;

async function processEntry(entry: QueueEntry, tools: WorkerTools): Promise<void> {
  let message = 'request' in entry ? await findOrPlan(entry.request, tools) : await readMessage(entry.message, tools);
  for (let round = 0; message && round < maxRounds; round++) {
    const dueMs = getNextDueMs(message);
    if (dueMs === undefined) return;
    const waitMs = dueMs - tools.clock.now();
    if (waitMs > 0) {
      const { pk, id } = message;
      return tools.queue.send([{ message: { pk, id } }], Math.ceil(waitMs / 1_000));
    }
    message = await sendDue(message, tools);
  }
}

async function readMessage({ pk, id }: Pick<Message, 'pk' | 'id'>, { events }: WorkerTools) {
  const item = await events.get(pk, id);
  return item && toMessage(item);
}

/** Stores the plan of a new request. A request that was processed before continues where it was. */
async function findOrPlan(request: MessageRequest, tools: WorkerTools): Promise<Message | undefined> {
  const key = toMessageKey(request);
  const existing = await readMessage(key, tools);
  if (existing) return existing;
  const planned = await plan(request, tools);
  if (!planned) return undefined;
  const isFirst = await writeWithRetry(tools.events, [buildMessageWrite(planned)]);
  return isFirst ? planned : readMessage(key, tools);
}

async function plan(request: MessageRequest, tools: WorkerTools): Promise<Message | undefined> {
  const { records, available, clock } = tools;
  const isPage = request.urgency === 'page';
  const [person, contacts] = await Promise.all([
    tools.findPerson(request.to).catch((error: unknown) => {
      // A page goes out even when the directory does not respond; somebody put the address into a schedule.
      if (!isPage) throw error;
      tools.log('warn', 'failed to read the directory; the page is sent anyway', toErrorFields(error));
      return request.to;
    }),
    findContacts(records, request.to),
  ]);
  // Without this check, a mention or an assignment could make the service write to any address.
  if (person?.toLowerCase() !== request.to.toLowerCase()) {
    return isPage ? createUnreachable(request, 'the person is not in the directory', clock.now()) : undefined;
  }
  const planned = planMessage(request, contacts.rules, listUsable(request.to, contacts, available), clock.now());
  if (!planned || isPage || request.topic === undefined) return planned;
  const { preferences } = await findPreferences(records, request.to);
  return preferences.notifications[request.topic] ? planned : undefined;
}

/** Sends everything that is due and returns the message after it, or as another worker left it. */
async function sendDue(message: Message, tools: WorkerTools): Promise<Message | undefined> {
  const { events, clock } = tools;
  const claimed = claimDue(message, clock.now());
  if (!claimed || !(await writeWithRetry(events, [buildMessageWrite(claimed)]))) return readMessage(message, tools);
  // Immediately before sending: somebody may have acknowledged the page since it was planned.
  const reason = await findReasonToStop(claimed, tools);
  if (reason !== undefined) return storeNext(cancelRest(claimed, reason, clock.now()), tools);
  const results = await sendAll(claimed, tools);
  const after = await storeNext(applyResults(claimed, results, clock.now()), tools);
  await recordUses(message.request.to, results, tools);
  return after;
}

/** Nobody else writes while a claim lasts. */
async function storeNext(message: Message, { events }: WorkerTools): Promise<Message> {
  if (await writeWithRetry(events, [buildMessageWrite(message)])) return message;
  throw new Error(`the claim of ${message.id} was lost`);
}

async function findReasonToStop(
  { request: { page_id, notification_id, to }, deliveries }: Message,
  { records }: WorkerTools,
): Promise<string | undefined> {
  if (page_id !== undefined) {
    const page = await records.get(page_id, recordSortKey);
    if (page?.ended_at !== undefined) return 'the page has ended';
  }
  const isLaterStep = deliveries.some(({ status }) => status === 'sent');
  if (notification_id !== undefined && isLaterStep && (await isNotificationRead(records, to, notification_id))) {
    return 'the person has read the notification';
  }
  return undefined;
}

async function sendAll(message: Message, tools: WorkerTools): Promise<ReadonlyMap<PlannedDelivery, SendResult>> {
  const { request, deliveries } = message;
  const due = deliveries.filter(({ status }) => status === 'sending');
  const contacts = await findContacts(tools.records, request.to);
  const usable = new Map(listUsable(request.to, contacts, tools.available).map((method) => [method.id, method]));
  const content = toContent(message.id, request, tools.consoleUrl);
  const send = async (delivery: PlannedDelivery): Promise<SendResult> => {
    const method = usable.get(delivery.method_id);
    if (!method) return { kind: 'failed', error: 'the contact method was removed', isPermanent: true };
    try {
      return await tools.channels.send(method.kind, await openAddress(method, tools), content);
    } catch (error) {
      // One method whose secret cannot be opened must not block the others.
      tools.log('error', 'failed to open the address of a contact method', toErrorFields(error));
      return { kind: 'failed', error: 'the URL of the webhook could not be decrypted', isPermanent: false };
    }
  };
  const results = new Map(await Promise.all(due.map(async (delivery) => [delivery, await send(delivery)] as const)));
  const sent = [...results.values()].filter(({ kind }) => kind === 'sent').length;
  emitMetrics({ MessagesSent: sent, MessagesFailed: results.size - sent });
  return results;
}

/** Only the owner sees it, so a failure to store it does not stop the message. */
async function recordUses(
  email: string,
  results: ReadonlyMap<PlannedDelivery, SendResult>,
  { records, clock, log }: WorkerTools,
): Promise<void> {
  const at = toIso(clock.now());
  const writes = [...results].map(([{ method_id }, result]) =>
    buildUseWrite(email, method_id, {
      at,
      outcome: result.kind,
      error: result.kind === 'sent' ? null : result.error,
    }),
  );
  // A transaction must not contain an item twice, and a method may be due twice.
  await Promise.all(writes.map((write) => writeWithRetry(records, [write]))).catch((error: unknown) =>
    log('warn', 'failed to store the last use of a contact method', toErrorFields(error)),
  );
}

function openAddress({ id, kind, address }: ContactMethod, { box }: WorkerTools): Promise<string> {
  return chatKinds.some((each) => each === kind) ? box.open(id, address) : Promise.resolve(address);
}
