import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { repeatable, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { apiAuthor, etagOf, firstVersion } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import { assertConsistent, inboundWebhookLocation, inboundWebhookType, showInboundWebhook } from './inbound-webhook.ts';
import { firstSecret, makeSecret } from './webhook-secret.ts';

/** The answer is stored for repeats with the secret sealed, as everywhere, and opened on the way out. */
export function createInboundWebhook(
  store: Pick<ItemStore, 'transact'>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.createInboundWebhook> {
  return async ({ body, headers }, { caller, clock }) => {
    assertConsistent(body);
    const nowMs = clock.now();
    const id = newId('inboundWebhook');
    const made = body.secret_enabled ? await makeSecret(box, id) : undefined;
    const document = { ...body, created_by: caller.email, secrets: made ? firstSecret(made, nowMs) : [] };
    const record = firstVersion(id, document, nowMs);
    const { body: shown, ...answer } = await writeOnce(
      store,
      repeatable('createInboundWebhook', caller, headers, body),
      nowMs,
      () => ({
        writes: insertion(inboundWebhookType, record, apiAuthor(caller)),
        answer: {
          status: 201 as const,
          headers: { ETag: etagOf(record), Location: inboundWebhookLocation(id) },
          body: { ...showInboundWebhook(record, { publicUrl, nowMs }), ...(made && { secret: made.sealed }) },
        },
        // With 128 random bits an id is free.
        refused: (by) => {
          throw new Error(`the condition of "${by}" did not hold for the new webhook ${id}`);
        },
      }),
    );
    const secret = shown.secret === undefined ? {} : { secret: await box.open(shown.id, shown.secret) };
    return { ...answer, body: { ...shown, ...secret } };
  };
}
