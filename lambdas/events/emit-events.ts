import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { AuditEntry } from '../../contract/audit.ts';
import { toAuditEntries } from '../audit/audit-log.ts';
import type { RecordGroupName } from '../identity/group-names.ts';
import {
  findNewNotification,
  type Publish,
  parseAudience,
  publishNotification,
  toNotification,
} from '../notifications/notification.ts';
import type { MessageRequest, Messages } from '../oncall/channels/messages.ts';
import { findCheckedPage } from '../oncall/pages/start-pages.ts';
import { countBy, type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { isPermanentFailure } from '../platform/retry.ts';
import { formatItemKey, type Item, readString } from '../records/items.ts';
import { getNotedRecord, type Note } from '../records/notes.ts';
import { findFollowUp, type RecordChange, toRecordChanges } from '../records/record-change.ts';
import { readDocument, toItemKey } from '../records/record-item.ts';
import type { ServiceEvent } from '../records/service-event.ts';
import type { Write } from '../records/write-items.ts';
import { type EventFormatter, toEvents } from './event.ts';
import type { EventLog } from './event-log.ts';
import { toMessages, toPersonalMessages } from './notification-messages.ts';
import { buildNoteNotifications, buildSlaNotifications, buildWorkNotifications } from './notification-rules.ts';

// Turns the stream of committed writes into events, webhook deliveries, notifications and audit entries. Each step is
// idempotent. A failure that may pass is thrown, and the stream delivers the batch again. An entry that can never be
// processed goes to the dead-letter queue, and the others continue.

export interface EmitTools {
  formatter: EventFormatter;
  events: Pick<EventLog, 'append'>;
  /** Starts and ends the pages of incidents. */
  page(changes: readonly RecordChange[], checkedPages: readonly string[]): Promise<unknown>;
  /** Queues the deliveries to webhooks. */
  deliver(events: readonly ServiceEvent[]): Promise<unknown>;
  /** Undefined when the record is deleted. */
  findDocument(id: string): Promise<object | undefined>;
  /** Returns the keys of which the table has an item. */
  findExisting(keys: readonly Item[]): Promise<Item[]>;
  /** The writes that record the name of a change's group in the directory. */
  recordGroupName: RecordGroupName;
  /** Writes notifications and group names; skips notifications that exist. */
  notify(writes: readonly Write[]): Promise<unknown>;
  /** Requests the messages of notifications. A message that was requested before is sent once. */
  messages: Messages;
  /** The people who follow a group. */
  listFollowers(group: string): Promise<readonly string[]>;
  /** Adds to the audit log; skips entries that exist. */
  audit(entries: readonly AuditEntry[]): Promise<unknown>;
  /** Publishes to the subscribers of the service's topic. */
  publish: Publish;
  /** Receives stream entries that cannot be processed. */
  sendToDeadLetterQueue(entry: unknown): Promise<void>;
  /** Writes the records to the search engine, if there is one. */
  index?(entries: readonly DynamoDBRecord[]): Promise<unknown>;
  log: Log;
}

/** What one stream entry leads to. */
interface Emission {
  entry: DynamoDBRecord;
  changes: RecordChange[];
  events: readonly ServiceEvent[];
  /** The item that a change was to write after itself. */
  followUp: Item | undefined;
  writes: Write[];
  messages: MessageRequest[];
  audit: AuditEntry[];
}

export async function emitEvents({ Records }: DynamoDBStreamEvent, tools: EmitTools): Promise<DynamoDBBatchResponse> {
  const reject = createRejector(tools);
  const emissions: Emission[] = [];
  for (const entry of Records) {
    await processIsolated([entry], async () => void emissions.push(await toEmission(entry, tools)), reject);
  }
  const emit = (step: (some: readonly Emission[]) => Promise<unknown>, onRejected?: (rejected: Emission) => void) =>
    processIsolated(emissions, step, async (rejected, error) => {
      onRejected?.(rejected);
      await reject(rejected.entry, error);
    });
  // Events that could not be stored are not delivered.
  const dropEvents = (rejected: Emission) => {
    rejected.events = [];
  };
  // First, because people wait for it.
  await emit((some) =>
    tools.page(
      some.flatMap(({ changes }) => changes),
      some.flatMap(({ entry }) => findCheckedPage(entry)),
    ),
  );
  await emit((some) => tools.events.append(some.flatMap(({ events }) => events)), dropEvents);
  await emit((some) => tools.deliver(some.flatMap(({ events }) => events)));
  await emit(async (some) =>
    tools.notify([...(await buildFollowUps(some, tools)), ...some.flatMap(({ writes }) => writes)]),
  );
  await emit((some) => tools.messages.request(some.flatMap(({ messages }) => messages)));
  await emit((some) => tools.audit(some.flatMap(({ audit }) => audit)));
  await tools.index?.(Records);
  const unpublished = await publishAll(Records, tools, reject);
  countIncidents(emissions);
  return { batchItemFailures: unpublished ? [{ itemIdentifier: unpublished }] : [] };
}

async function toEmission(entry: DynamoDBRecord, tools: EmitTools): Promise<Emission> {
  const all = toRecordChanges(entry);
  const changes = all.filter(({ isSilent }) => !isSilent);
  const writes = [
    ...all.flatMap(tools.recordGroupName),
    ...(await buildNewNoteNotifications(entry, tools)),
    ...changes.flatMap((change) => [...buildSlaNotifications(change), ...buildWorkNotifications(change)]),
  ];
  return {
    entry,
    changes,
    events: changes.flatMap((change) => toEvents(change, tools.formatter)),
    followUp: findFollowUp(entry),
    writes,
    messages: [...toPersonalMessages(writes), ...(await toNewMessages(entry, tools))],
    audit: toAuditEntries(entry),
  };
}

/** The messages of a notification that other functions stored. Other notifications are in `writes`. */
async function toNewMessages(entry: DynamoDBRecord, { listFollowers }: EmitTools): Promise<MessageRequest[]> {
  const item = findNewNotification(entry);
  if (!item) return [];
  const { kind, name } = parseAudience(readString(item, 'pk'));
  const people = kind === 'user' ? [name] : kind === 'group' ? await listFollowers(name) : [];
  return toMessages(item, people);
}

/** Completes changes whose writer crashed before it wrote the item after them. A read is cheaper than a write that fails. */
async function buildFollowUps(
  emissions: readonly Emission[],
  { findExisting }: Pick<EmitTools, 'findExisting'>,
): Promise<Write[]> {
  const items = new Map(
    emissions.flatMap(({ followUp }) => (followUp ? [[formatItemKey(followUp), followUp] as const] : [])),
  );
  if (items.size === 0) return [];
  const keys = [...items.values()].map((item) => toItemKey(readString(item, 'pk'), readString(item, 'sk')));
  for (const existing of await findExisting(keys)) items.delete(formatItemKey(existing));
  return [...items.values()].map((Item) => ({
    name: 'follow-up',
    put: { Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
}

/** Runs after the work is done; a retried batch may count an incident twice. */
function countIncidents(emissions: readonly Emission[]): void {
  const [changes, events] = [emissions.flatMap(({ changes }) => changes), emissions.flatMap(({ events }) => events)];
  const priorities = new Map(
    changes.map(({ id, version, after }) => [`${id} ${version}`, String((after.document as Prioritized).priority)]),
  );
  const listPriorities = (type: ServiceEvent['type']) =>
    events
      .filter((event) => event.type === type)
      .map(({ recordId, version }) => priorities.get(`${recordId} ${version}`) ?? 'unknown');
  countBy('IncidentsCreated', 'priority', listPriorities('incident.created'));
  countBy('SlaBreaches', 'priority', listPriorities('sla.breached'));
}

interface Prioritized {
  priority?: string;
}

async function buildNewNoteNotifications(
  { eventName, dynamodb }: DynamoDBRecord,
  { findDocument }: Pick<EmitTools, 'findDocument'>,
): Promise<Write[]> {
  const { NewImage: item } = dynamodb ?? {};
  if (eventName !== 'INSERT' || item?.type?.S !== 'note' || item.document?.S === undefined || item.silent?.BOOL)
    return [];
  const note = readDocument(item) as Note;
  const document = await findDocument(getNotedRecord(note));
  return document ? buildNoteNotifications(note, document) : [];
}

/**
 * Runs last, so that a retry after an earlier failure does not publish a message twice. Returns the position of the first
 * entry that must be retried.
 */
async function publishAll(
  entries: readonly DynamoDBRecord[],
  { publish, log }: EmitTools,
  reject: Reject<DynamoDBRecord>,
): Promise<string | undefined> {
  for (const entry of entries) {
    const publishNew = async () => {
      const item = findNewNotification(entry);
      if (item) await publishNotification(toNotification(item), publish);
    };
    try {
      await processIsolated([entry], publishNew, reject);
    } catch (error) {
      log('error', 'failed to publish a notification; the stream will redeliver it', { ...toErrorFields(error) });
      return requireValue(entry.dynamodb?.SequenceNumber);
    }
  }
  return undefined;
}

type Reject<Item> = (item: Item, error: unknown) => Promise<void>;

/**
 * Processes all items together. If that can never succeed, processes each one alone, in order, and rejects those that
 * cause it: they would block the stream. Every other failure is thrown, so that the stream delivers the batch again.
 */
async function processIsolated<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<unknown>,
  reject: Reject<Item>,
): Promise<void> {
  try {
    await work(items);
  } catch (error) {
    if (!isPermanentFailure(error)) throw error;
    const [first, ...others] = items;
    if (first === undefined) throw error;
    if (others.length === 0) await reject(first, error);
    else for (const item of items) await processIsolated([item], work, reject);
  }
}

/** Sends an entry to the dead-letter queue, which has an alarm, once per batch. */
function createRejector({ sendToDeadLetterQueue, log }: EmitTools): Reject<DynamoDBRecord> {
  const rejected = new Set<DynamoDBRecord>();
  return async (entry, error) => {
    log('error', 'sent a stream record to the dead-letter queue', {
      keys: entry.dynamodb?.Keys,
      ...toErrorFields(error),
    });
    if (rejected.has(entry)) return;
    await sendToDeadLetterQueue(entry);
    rejected.add(entry);
  };
}
