import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { etagOf, isUnchanged } from '../records/record.ts';
import type { OutboundDocument } from './outbound-webhook.ts';
import { outboundWebhookAnswer } from './outbound-webhook-answer.ts';

export function getOutboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getOutboundWebhook> {
  return async ({ params, headers }) => {
    const record = await findRecord<OutboundDocument>(store, params.id);
    if (isUnchanged(headers['If-None-Match'], record)) return { status: 304, headers: { ETag: etagOf(record) } };
    return { status: 200, ...outboundWebhookAnswer(record) };
  };
}
