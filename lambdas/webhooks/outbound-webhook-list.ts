import type { Item, ItemStore, Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';
import type { OutboundDocument, OutboundRecord } from './outbound-webhook.ts';

// All outbound webhooks in one partition, each written in the transaction of its record. Whoever matches events reads all
// of them at once and consistently: an event that follows the answer to "create" or "deactivate" finds that done. The
// index of the feed could not promise that.
//
// | Access pattern        | Call  | Key                                        |
// |-----------------------|-------|--------------------------------------------|
// | all outbound webhooks | Query | pk = webhooks#outbound, sk = <webhook id>  |

export interface OutboundWebhookList {
  /** Those that are not deleted, newest first. */
  all(): Promise<OutboundRecord[]>;
}

export function outboundWebhookList(store: Pick<ItemStore, 'range'>): OutboundWebhookList {
  return {
    async all() {
      const items = await store.range({ pk: partition, prefix: 'wh_out_' }, mostWebhooks);
      const records = items.map(toRecord).filter(({ deleted }) => !deleted);
      return records.sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
    },
  };
}

/** Belongs to every transaction that writes the record of an outbound webhook. */
export function listWrite(record: OutboundRecord): Write {
  const put = { Item: { ...keyOf(partition, record.id), record: { S: JSON.stringify(record) } } };
  return { name: 'list', put };
}

/** What a change of the record leaves behind; the mechanism gives the same version and time. */
export function nextRecord(before: OutboundRecord, document: OutboundDocument, atMs: number): OutboundRecord {
  return { ...before, document, version: before.version + 1, updated_at: new Date(atMs).toISOString() };
}

const partition = 'webhooks#outbound';

const mostWebhooks = 10_000;

function toRecord(item: Item): OutboundRecord {
  return JSON.parse(item.record!.S!);
}
