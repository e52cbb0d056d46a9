import type { routes } from '../../contract/routes.ts';
import type { FeedStore } from '../lists/feed-store.ts';
import { pageOfAll, readAll } from '../lists/few-records.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/page.ts';
import { type InboundWebhookDocument, showInboundWebhook } from './inbound-webhook.ts';

export function listInboundWebhooks(
  feed: FeedStore,
  seal: CursorSeal,
  publicUrl: string,
): UseCase<typeof routes.listInboundWebhooks> {
  return async ({ query }, { clock }) => {
    const nowMs = clock.now();
    const records = await readAll<InboundWebhookDocument>(feed);
    const body = pageOfAll(records, query, seal, 'inbound webhooks', (record) =>
      showInboundWebhook(record, { publicUrl, nowMs }),
    );
    return { status: 200, body };
  };
}
