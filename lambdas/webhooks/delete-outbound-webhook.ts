import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor } from '../records/record.ts';
import { changeOutboundWebhook } from './change-outbound-webhook.ts';
import type { OutboundDocument } from './outbound-webhook.ts';

export function deleteOutboundWebhook(change: Changer<OutboundDocument>): UseCase<typeof routes.deleteOutboundWebhook> {
  return async ({ params, headers }, { caller }) => {
    await changeOutboundWebhook(change, {
      id: params.id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: () => 'deleted',
    });
    return { status: 204 };
  };
}
