import type { routes } from '../../contract/routes.ts';
import { pageOfAll } from '../lists/few-records.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/page.ts';
import { showOutboundWebhook } from './outbound-webhook.ts';
import type { OutboundWebhookList } from './outbound-webhook-list.ts';

export function listOutboundWebhooks(
  webhooks: OutboundWebhookList,
  seal: CursorSeal,
): UseCase<typeof routes.listOutboundWebhooks> {
  return async ({ query }) => {
    const body = pageOfAll(await webhooks.all(), query, seal, 'outbound webhooks', showOutboundWebhook);
    return { status: 200, body };
  };
}
