import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type InboundEvent, maximumPayloadBytes } from '../../contract/inbound-events.ts';
import type { Item, ItemStore, Range, Write } from '../records/item-store.ts';
import { keyOf, recordSortKey } from '../records/record-item.ts';

// A received event, as it is stored: once under its own id with its payload, and once as an entry of the webhook's list.
// Both are written in the transaction that does what the event asks for. That is also what makes an event that comes
// again harmless: its id is taken.
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

export const keptMs = 30 * 24 * 60 * 60 * 1_000;

const entryPrefix = 'event#';

/** The write named `event` is refused when the event has been received before, unless that failed. */
export function eventWrites(event: InboundEvent, body: Buffer, nowMs: number): Write[] {
  const receivedMs = Date.parse(event.received_at);
  const content = {
    type: { S: 'inbound_event' },
    event: { S: JSON.stringify(event) },
    expires_at: { N: String(Math.ceil((receivedMs + keptMs) / 1_000)) },
  };
  const put = {
    Item: {
      ...keyOf(event.id, recordSortKey),
      ...content,
      status: { S: event.status },
      body_hash: { S: hashOf(body) },
      body: { B: deflateRawSync(body) },
    },
    ConditionExpression: 'attribute_not_exists(pk) OR #status = :failed OR expires_at <= :now',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':failed': { S: 'failed' }, ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
  const entry = { Item: { ...keyOf(event.webhook_id, entrySortKey(event.id, receivedMs)), ...content } };
  return [
    { name: 'event', put },
    { name: 'entry', put: entry },
  ];
}

/** Undefined for one that is not there any more: DynamoDB itself deletes later. */
export async function findEvent(
  store: Pick<ItemStore, 'get'>,
  eventId: string,
  nowMs: number,
): Promise<StoredEvent | undefined> {
  const item = await store.get(eventId, recordSortKey);
  if (!item || Number(item.expires_at!.N) * 1_000 <= nowMs) return undefined;
  return {
    event: toEvent(item),
    bodyHash: item.body_hash!.S!,
    body: () => inflateRawSync(item.body!.B!, { maxOutputLength: maximumPayloadBytes }),
  };
}

export function toEvent(item: Item): InboundEvent {
  return JSON.parse(item.event!.S!);
}

export function eventsOf(webhookId: string, nowMs: number): Range {
  return {
    pk: webhookId,
    prefix: entryPrefix,
    filter: {
      expression: '#expires > :now',
      names: { '#expires': 'expires_at' },
      values: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
    },
  };
}

export function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** Sort keys ascend, so the time in them counts down. */
function entrySortKey(eventId: string, receivedMs: number): string {
  return `${entryPrefix}${String(9_999_999_999_999 - receivedMs).padStart(13, '0')}#${eventId}`;
}
