import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor } from '../records/record.ts';
import { changeOutboundWebhook } from './change-outbound-webhook.ts';
import { type OutboundDocument, rotated } from './outbound-webhook.ts';
import { outboundWebhookAnswer } from './outbound-webhook-answer.ts';
import { sealedSecret } from './sealed-parts.ts';

export function rotateOutboundSecret(
  change: Changer<OutboundDocument>,
  box: Pick<SecretBox, 'seal'>,
): UseCase<typeof routes.rotateOutboundSecret> {
  return async ({ params: { id } }, { caller }) => {
    const { secret, sealed } = await sealedSecret(box, id);
    const record = await changeOutboundWebhook(change, {
      id,
      author: apiAuthor(caller),
      apply: (before, nowMs) => rotated(before, sealed, nowMs),
    });
    const { headers, body } = outboundWebhookAnswer(record);
    return { status: 200, headers, body: { ...body, secret } };
  };
}
