import { idFormats } from '../../../contract/ids.ts';
import { toIso } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Change, Changer } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Item, readString } from '../../records/items.ts';
import type { Author } from '../../records/record.ts';
import { toItemKey } from '../../records/record-item.ts';
import { completeDocument } from '../../records/stored-document.ts';
import type { Write } from '../../records/write-items.ts';
import { deactivate, type OutboundDocument, type OutboundRecord, outboundWebhookType } from './webhook.ts';

// All outbound webhooks in one partition, each written in the transaction of its record. Matching reads the partition
// consistently, so an event after the response to a create or update request sees that change. The eventually
// consistent feed index could not guarantee this.
//
// | Access pattern        | Call  | Key                                        |
// |-----------------------|-------|--------------------------------------------|
// | all outbound webhooks | Query | pk = webhooks#outbound, sk = <webhook id>  |
// | slow receivers        | same  | same pk, sk = <webhook id>#slow            |

export interface OutboundWebhookList {
  /** Webhooks that are not deleted, newest first. */
  all(): Promise<OutboundRecord[]>;
  /** Like all(), with the ids of webhooks whose receivers were slow recently. */
  withSlow(nowMs: number): Promise<{ webhooks: OutboundRecord[]; slow: Set<string> }>;
}

export function createOutboundWebhookList(store: Pick<ItemStore, 'range'>): OutboundWebhookList {
  const read = () => store.range({ pk: partition, prefix: idFormats.outboundWebhook.prefix }, maxWebhooks);
  return {
    all: async () => toRecords(await read()),
    async withSlow(nowMs) {
      const items = await read();
      const slow = items.filter((item) => isSlowMark(item) && Date.parse(readString(item, 'until')) > nowMs);
      return {
        webhooks: toRecords(items),
        slow: new Set(slow.map((item) => readString(item, 'sk').slice(0, -slowSuffix.length))),
      };
    },
  };
}

/** Marks a receiver as slow until the given time. */
export function buildSlowWrite(webhookId: string, untilMs: number): Write {
  const put = {
    Item: {
      ...toItemKey(partition, webhookId + slowSuffix),
      until: { S: toIso(untilMs) },
      expires_at: { N: String(Math.ceil(untilMs / 1_000)) },
    },
  };
  return { name: 'slow', put };
}

/** Part of every transaction that writes an outbound webhook. */
export function buildListWrite(record: OutboundRecord): Write {
  const put = { Item: { ...toItemKey(partition, record.id), record: { S: JSON.stringify(record) } } };
  return { name: 'list', put };
}

/** The record after a change, with the version and time that the changer will store. */
export function toNextRecord(before: OutboundRecord, document: OutboundDocument, atMs: number): OutboundRecord {
  return { ...before, document, version: before.version + 1, updated_at: toIso(atMs) };
}

const partition = 'webhooks#outbound';

const maxWebhooks = 10_000;

const slowSuffix = '#slow';

function isSlowMark(item: Item): boolean {
  return readString(item, 'sk').endsWith(slowSuffix);
}

function toRecords(items: readonly Item[]): OutboundRecord[] {
  const records = items
    .filter((item) => !isSlowMark(item))
    .map((item): OutboundRecord => JSON.parse(readString(item, 'record')))
    .map((record) => ({ ...record, document: completeDocument('outbound_webhook', record.document) }));
  return records.filter(({ deleted }) => !deleted).sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
}

export interface WebhookChange {
  id: string;
  author: Author;
  ifMatch?: string | undefined;
  apply(before: OutboundDocument, nowMs: number): OutboundDocument | 'deleted';
}

/** Changes a webhook and its entry in the list, which matching reads. */
export function changeOutboundWebhook(
  change: Changer<OutboundDocument>,
  { apply, ...request }: WebhookChange,
): Promise<OutboundRecord> {
  return change({
    ...request,
    apply: (before, nowMs) => toWebhookChange(before, apply(before.document, nowMs), nowMs),
  });
}

function toWebhookChange(
  before: OutboundRecord,
  document: OutboundDocument | 'deleted',
  nowMs: number,
): Change<OutboundDocument> {
  if (document === 'deleted') {
    const deleted = { ...toNextRecord(before, before.document, nowMs), deleted: true };
    return { document: before.document, deleted: true, additionalWrites: [buildListWrite(deleted)] };
  }
  // An unchanged webhook is not written.
  if (Object.keys(outboundWebhookType.changes(before.document, document)).length === 0) return { document };
  return { document, additionalWrites: [buildListWrite(toNextRecord(before, document, nowMs))] };
}

/** Deactivates a webhook whose receiver responded 410 Gone. Ignores a deleted webhook. */
export function disableWebhook(change: Changer<OutboundDocument>): (webhookId: string) => Promise<void> {
  return async (id) => {
    const author: Author = { actor: 'webhooks', origin: { kind: 'webhook', id } };
    try {
      await changeOutboundWebhook(change, {
        id,
        author,
        apply: (before, nowMs) => deactivate(before, 'the receiver responded with 410 Gone', nowMs),
      });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    }
  };
}
