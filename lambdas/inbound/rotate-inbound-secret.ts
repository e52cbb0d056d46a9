import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor, etagOf } from '../records/record.ts';
import { type InboundWebhookDocument, showInboundWebhook } from './inbound-webhook.ts';
import { makeSecret, rotated } from './webhook-secret.ts';

export function rotateInboundSecret(
  change: Changer<InboundWebhookDocument>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.rotateInboundSecret> {
  return async ({ params: { id } }, { caller, clock }) => {
    const made = await makeSecret(box, id);
    const record = await change({
      id,
      author: apiAuthor(caller),
      apply: ({ document }, nowMs) => {
        if (!document.secret_enabled) throw noSecret();
        return { document: { ...document, secrets: rotated(document.secrets, made, nowMs) } };
      },
    });
    const shown = showInboundWebhook(record, { publicUrl, nowMs: clock.now() });
    return { status: 200, headers: { ETag: etagOf(record) }, body: { ...shown, secret: made.secret } };
  };
}

function noSecret(): ServiceError {
  const problem = { field: 'secret_enabled', message: 'is false, so there is no secret to rotate' };
  return new ServiceError('invalid_input', `${problem.field} ${problem.message}.`, { members: { errors: [problem] } });
}
