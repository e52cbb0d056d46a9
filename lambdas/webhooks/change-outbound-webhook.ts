import type { Change, Changer } from '../records/change-record.ts';
import type { Author } from '../records/record.ts';
import { type OutboundDocument, type OutboundRecord, outboundWebhookType } from './outbound-webhook.ts';
import { listWrite, nextRecord } from './outbound-webhook-list.ts';

export interface WebhookChange {
  id: string;
  author: Author;
  ifMatch?: string | undefined;
  apply(before: OutboundDocument, nowMs: number): OutboundDocument | 'deleted';
}

/** Changes the record of a webhook and its entry in the list, which is read by those who match events. */
export function changeOutboundWebhook(
  change: Changer<OutboundDocument>,
  { apply, ...request }: WebhookChange,
): Promise<OutboundRecord> {
  return change({ ...request, apply: (before, nowMs) => changed(before, apply(before.document, nowMs), nowMs) });
}

function changed(
  before: OutboundRecord,
  document: OutboundDocument | 'deleted',
  nowMs: number,
): Change<OutboundDocument> {
  if (document === 'deleted') {
    const gone = { ...nextRecord(before, before.document, nowMs), deleted: true };
    return { document: before.document, deleted: true, alongside: [listWrite(gone)] };
  }
  // A change that changes nothing writes nothing.
  if (Object.keys(outboundWebhookType.changes(before.document, document)).length === 0) return { document };
  return { document, alongside: [listWrite(nextRecord(before, document, nowMs))] };
}
