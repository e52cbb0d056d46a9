import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor } from '../records/record.ts';
import type { InboundWebhookDocument } from './inbound-webhook.ts';

/** The record stays for audit; its secrets do not. */
export function deleteInboundWebhook(
  change: Changer<InboundWebhookDocument>,
): UseCase<typeof routes.deleteInboundWebhook> {
  return async ({ params, headers }, { caller }) => {
    await change({
      id: params.id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => ({ document: { ...document, secrets: [] }, deleted: true }),
    });
    return { status: 204 };
  };
}
