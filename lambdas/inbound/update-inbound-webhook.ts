import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor, etagOf } from '../records/record.ts';
import {
  assertConsistent,
  changedSettings,
  type InboundWebhookDocument,
  showInboundWebhook,
} from './inbound-webhook.ts';
import { firstSecret, type MadeSecret, makeSecret, type SealedSecret } from './webhook-secret.ts';

/** Switching the secret on makes one, which is shown now or never; switching it off forgets them all. */
export function updateInboundWebhook(
  change: Changer<InboundWebhookDocument>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.updateInboundWebhook> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    const made = body.secret_enabled ? await makeSecret(box, id) : undefined;
    let changedAtMs = 0;
    const record = await change({
      id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }, nowMs) => {
        changedAtMs = nowMs;
        const after = changedSettings(document, body);
        assertConsistent(after);
        return { document: { ...after, secrets: secretsAfter(document, after.secret_enabled, made, nowMs) } };
      },
    });
    const isNew = made && record.document.secrets[0]?.sealed === made.sealed;
    const shown = showInboundWebhook(record, { publicUrl, nowMs: changedAtMs });
    return {
      status: 200,
      headers: { ETag: etagOf(record) },
      body: { ...shown, ...(isNew && { secret: made.secret }) },
    };
  };
}

function secretsAfter(
  { secrets }: InboundWebhookDocument,
  enabled: boolean,
  made: MadeSecret | undefined,
  nowMs: number,
): readonly SealedSecret[] {
  if (!enabled) return [];
  return made && secrets.length === 0 ? firstSecret(made, nowMs) : secrets;
}
