import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { repeatable, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { apiAuthor, firstVersion } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import { newOutboundWebhook, outboundWebhookType } from './outbound-webhook.ts';
import { outboundWebhookAnswer, outboundWebhookLocation } from './outbound-webhook-answer.ts';
import { listWrite } from './outbound-webhook-list.ts';
import { addressRule, type LoopbackRule } from './receiver-address.ts';
import { assertReceiver } from './receiver-url.ts';
import { sealedHeaders, sealedSecret } from './sealed-parts.ts';

/** The answer is stored for repeats with the secret sealed, as everywhere, and opened on the way out. */
export function createOutboundWebhook(
  store: Pick<ItemStore, 'transact'>,
  box: SecretBox,
  loopback: LoopbackRule,
): UseCase<typeof routes.createOutboundWebhook> {
  return async ({ body, headers }, { caller, clock }) => {
    assertReceiver(body.url, addressRule(loopback), loopback);
    const nowMs = clock.now();
    const id = newId('outboundWebhook');
    const secret = body.sign_payloads ? (await sealedSecret(box, id)).sealed : null;
    const sealed = { headers: await sealedHeaders(box, id, body.headers), secret };
    const record = firstVersion(id, newOutboundWebhook(body, sealed, caller.email, nowMs), nowMs);
    const made = outboundWebhookAnswer(record);
    const answer = await writeOnce(store, repeatable('createOutboundWebhook', caller, headers, body), nowMs, () => ({
      writes: [...insertion(outboundWebhookType, record, apiAuthor(caller)), listWrite(record)],
      answer: {
        status: 201 as const,
        headers: { ...made.headers, Location: outboundWebhookLocation(id) },
        body: { ...made.body, ...(secret !== null && { secret }) },
      },
      // With 130 random bits an id is free.
      refused: (by) => {
        throw new Error(`the condition of "${by}" did not hold for the new webhook ${id}`);
      },
    }));
    const { secret: stored, ...shown } = answer.body;
    const opened = stored === undefined ? {} : { secret: await box.open(shown.id, stored) };
    return { ...answer, body: { ...shown, ...opened } };
  };
}
