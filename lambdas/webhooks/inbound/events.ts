import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FieldProblem } from '../../../contract/errors.ts';
import { type InboundEvent, maxPayloadBytes } from '../../../contract/inbound-events.ts';
import type { routes } from '../../../contract/routes.ts';
import type { IncidentDocument, IncidentRules } from '../../incidents/incident.ts';
import type { Clock } from '../../platform/clock.ts';
import { assertJsonSize, parseJson } from '../../platform/http/json.ts';
import type { UseCase } from '../../platform/http/response.ts';
import type { Backoff } from '../../platform/retry.ts';
import type { KeyedQueue } from '../../records/change-record.ts';
import { type Changer, findRecord, notFound } from '../../records/change-record.ts';
import { writeOnce } from '../../records/idempotency.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Item, readBytes, readNumber, readString } from '../../records/items.ts';
import { readLogPage } from '../../records/log-page.ts';
import type { CursorSeal } from '../../records/page.ts';
import { buildExpiryFilter, type Range } from '../../records/read-items.ts';
import { recordSortKey, toItemKey } from '../../records/record-item.ts';
import { parseDocument } from '../../records/stored-document.ts';
import type { Write } from '../../records/write-items.ts';
import type { ConfirmSubscription } from './sns.ts';
import type { InboundWebhookDocument, InboundWebhookRecord } from './webhook.ts';

// A received event is stored under its own id with its payload, and as an entry of the webhook's list. Both are written
// in the transaction that applies the event, so a duplicate fails because its id is taken.
//
// | Access pattern                        | Call    | Key                                                 |
// |---------------------------------------|---------|-----------------------------------------------------|
// | one event                             | GetItem | pk = event id, sk = #                               |
// | the events of a webhook, newest first | Query   | pk = webhook id, sk = event#<countdown>#<event id>  |

export interface StoredEvent {
  event: InboundEvent;
  bodyHash: string;
  body(): Buffer;
}

export const retentionMs = 30 * 24 * 60 * 60 * 1_000;

const entryPrefix = 'event#';

/** The write named `event` fails when the event was received before, unless it failed then. */
export function buildEventWrites(event: InboundEvent, body: Buffer, nowMs: number): Write[] {
  const receivedMs = Date.parse(event.received_at);
  const content = {
    type: { S: 'inbound_event' },
    event: { S: JSON.stringify(event) },
    expires_at: { N: String(Math.ceil((receivedMs + retentionMs) / 1_000)) },
  };
  const put = {
    Item: {
      ...toItemKey(event.id, recordSortKey),
      ...content,
      status: { S: event.status },
      body_hash: { S: hashBody(body) },
      body: { B: deflateRawSync(body) },
    },
    ConditionExpression: 'attribute_not_exists(pk) OR #status = :failed OR expires_at <= :now',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':failed': { S: 'failed' }, ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
  const entry = { Item: { ...toItemKey(event.webhook_id, toEntrySortKey(event.id, receivedMs)), ...content } };
  return [
    { name: 'event', put },
    { name: 'entry', put: entry },
  ];
}

/** Undefined for an expired event, which DynamoDB deletes later. */
export async function findEvent(
  store: Pick<ItemStore, 'get'>,
  eventId: string,
  nowMs: number,
): Promise<StoredEvent | undefined> {
  const item = await store.get(eventId, recordSortKey);
  if (!item || readNumber(item, 'expires_at') * 1_000 <= nowMs) return undefined;
  return {
    event: toEvent(item),
    bodyHash: readString(item, 'body_hash'),
    body: () => inflateRawSync(readBytes(item, 'body'), { maxOutputLength: maxPayloadBytes }),
  };
}

export function toEvent(item: Item): InboundEvent {
  return parseDocument('inbound_event', readString(item, 'event'));
}

export function toEventsRange(webhookId: string, nowMs: number): Range {
  return { pk: webhookId, prefix: entryPrefix, filter: buildExpiryFilter(nowMs) };
}

export function hashBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** Sort keys ascend, so the time in them counts down. */
function toEntrySortKey(eventId: string, receivedMs: number): string {
  return `${entryPrefix}${String(9_999_999_999_999 - receivedMs).padStart(13, '0')}#${eventId}`;
}

export function getInboundEvent(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getInboundEvent> {
  return async ({ params }, { clock }) => {
    const { stored } = await findEventWithWebhook(store, params, clock.now());
    return { status: 200, body: { ...stored.event, payload: parsePayload(stored.body()) } };
  };
}

/** Finds an event only under its own webhook, and only if that webhook exists. */
export async function findEventWithWebhook(
  store: Pick<ItemStore, 'get'>,
  params: { id: string; event_id: string },
  nowMs: number,
): Promise<{ webhook: InboundWebhookRecord; stored: StoredEvent }> {
  const [webhook, stored] = await Promise.all([
    findRecord<InboundWebhookDocument>(store, params.id),
    findEvent(store, params.event_id, nowMs),
  ]);
  if (stored?.event.webhook_id !== webhook.id) throw notFound(params.event_id);
  return { webhook, stored };
}

export function listInboundEvents(
  store: Pick<ItemStore, 'get' | 'slice'>,
  seal: CursorSeal,
): UseCase<typeof routes.listInboundEvents> {
  return async ({ params: { id }, query }, { clock }) => {
    const log = { list: `events of ${id}`, groups: [[toEventsRange(id, clock.now())]] };
    const [{ items, rest }] = await Promise.all([readLogPage(store, seal, log, query), findRecord(store, id)]);
    return { status: 200, body: { data: items.map(toEvent), ...rest } };
  };
}

export function assertSize(body: Buffer): void {
  assertJsonSize(body, maxPayloadBytes);
}

export function parsePayload(body: Buffer): unknown {
  return parseJson(body, maxPayloadBytes);
}

// The possible results of an event: an outcome stored with it, a duplicate, or a rejection.

export interface InboundTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<IncidentDocument>;
  rules: IncidentRules;
  confirmSubscription: ConfirmSubscription;
  clock: Clock;
  serviceDomain: string;
  /** Runs events for the same incident sequentially inside one function instance, so that they do not conflict. */
  runInOrder: KeyedQueue;
  wait: Backoff;
}

/** An event with its outcome, and the writes that store it. */
export interface Outcome {
  event: InboundEvent;
  writes: Write[];
}

export type Finish = (status: InboundEvent['status'], incidentId: string | null) => Outcome;

/** The event was received before: its own write or its claim on the body failed. */
export class AlreadyReceived extends Error {}

/** The event is invalid. It is stored and can be replayed. */
export class Unprocessable extends Error {
  readonly problems: FieldProblem[];

  constructor(problems: FieldProblem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
    this.problems = problems;
  }
}

/** Stores an event that changes nothing else. */
export async function storeEvent({ event, writes }: Outcome, tools: InboundTools): Promise<InboundEvent> {
  const onConditionFailed = (by: string) => {
    if (by === 'event' || by === 'body') throw new AlreadyReceived();
  };
  const attempt = () => ({ writes, response: { status: 202, body: event }, onConditionFailed });
  return (await writeOnce(tools.store, undefined, tools.clock.now(), attempt, tools.wait)).body;
}
