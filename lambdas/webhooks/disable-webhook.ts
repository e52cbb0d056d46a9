import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import type { Author } from '../records/record.ts';
import { changeOutboundWebhook } from './change-outbound-webhook.ts';
import { disabled, type OutboundDocument } from './outbound-webhook.ts';

/** Deactivates a webhook whose receiver answered 410. One that is deleted already needs nothing more. */
export function disableWebhook(change: Changer<OutboundDocument>): (webhookId: string) => Promise<void> {
  return async (id) => {
    const author: Author = { actor: 'webhooks', origin: { kind: 'webhook', id } };
    try {
      await changeOutboundWebhook(change, {
        id,
        author,
        apply: (before, nowMs) => disabled(before, 'the receiver answered 410', nowMs),
      });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    }
  };
}
