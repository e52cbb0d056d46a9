import type { OutboundNotice } from '../../contract/outbound-webhooks.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Changer } from '../records/change-record.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { apiAuthor } from '../records/record.ts';
import { changeOutboundWebhook } from './change-outbound-webhook.ts';
import { changedOutboundWebhook, changeNotices, type OutboundDocument } from './outbound-webhook.ts';
import { outboundWebhookAnswer } from './outbound-webhook-answer.ts';
import { addressRule, type LoopbackRule } from './receiver-address.ts';
import { assertReceiver } from './receiver-url.ts';
import { changedHeaders, sealedHeaders, sealedSecret } from './sealed-parts.ts';

/** What is secret is sealed first, since a change itself may be applied several times. */
export function updateOutboundWebhook(
  store: Pick<ItemStore, 'get'>,
  change: Changer<OutboundDocument>,
  box: Pick<SecretBox, 'seal'>,
  loopback: LoopbackRule,
): UseCase<typeof routes.updateOutboundWebhook> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    assertReceiver(body.url, addressRule(loopback), loopback);
    const { document: known } = await findRecord<OutboundDocument>(store, id);
    // Whether the change needs a secret is known only when it is applied: somebody else may change the receiver first.
    const made = body.url !== undefined || body.sign_payloads ? await sealedSecret(box, id) : undefined;
    const values = changedHeaders(body.headers ?? {}, known.headers);
    const sealed = { headers: await sealedHeaders(box, id, values), secret: made?.sealed ?? null };
    let notices: OutboundNotice[] = [];
    const record = await changeOutboundWebhook(change, {
      id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => {
        const after = changedOutboundWebhook(before, body, sealed, nowMs);
        notices = changeNotices(before, after);
        return after;
      },
    });
    const isOurs = made && record.document.secrets[0]?.sealed === made.sealed;
    const answer = outboundWebhookAnswer(record);
    const once = { ...(isOurs && { secret: made.secret }), ...(notices.length > 0 && { notices }) };
    return { status: 200, ...answer, body: { ...answer.body, ...once } };
  };
}
