import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { etagOf, isUnchanged } from '../records/record.ts';
import { type InboundWebhookDocument, showInboundWebhook } from './inbound-webhook.ts';

export function getInboundWebhook(
  store: Pick<ItemStore, 'get'>,
  publicUrl: string,
): UseCase<typeof routes.getInboundWebhook> {
  return async ({ params, headers }, { clock }) => {
    const record = await findRecord<InboundWebhookDocument>(store, params.id);
    const tag = { ETag: etagOf(record) };
    if (isUnchanged(headers['If-None-Match'], record)) return { status: 304, headers: tag };
    return { status: 200, headers: tag, body: showInboundWebhook(record, { publicUrl, nowMs: clock.now() }) };
  };
}
