import type { OutboundNotice } from '../../../contract/outbound-webhook-schemas.ts';
import type { routes } from '../../../contract/routes.ts';
import { hiddenValue } from '../../../contract/webhook-settings.ts';
import { cutPageOfAll } from '../../lists/feed-store.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { invalidField } from '../../platform/service-error.ts';
import { type Changer, findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { CursorSeal } from '../../records/page.ts';
import { createFirstVersion, isNotModified, toApiAuthor, toEtag } from '../../records/record.ts';
import { buildInsert } from '../../records/record-item.ts';
import { createSealedSecret, rotateSecrets, storeWebhook } from '../secrets.ts';
import { assertKnownFields } from './filter-fields.ts';
import { type AddressRule, createAddressRule, findReceiverProblem, type LoopbackRule } from './receiver-address.ts';
import {
  applyWebhookPatch,
  buildOutboundWebhook,
  listNotices,
  type OutboundDocument,
  outboundWebhookType,
  toOutboundWebhookResponse,
  toWebhookResult,
} from './webhook.ts';
import { buildListWrite, changeOutboundWebhook, type OutboundWebhookList } from './webhook-list.ts';

export function createOutboundWebhook(
  store: Pick<ItemStore, 'transact'>,
  box: SecretBox,
  loopback: LoopbackRule,
): UseCase<typeof routes.createOutboundWebhook> {
  return async ({ body, headers }, { caller, clock }) => {
    assertReceiver(body.url, createAddressRule(loopback), loopback);
    assertKnownFields(body);
    const nowMs = clock.now();
    const id = newId('outboundWebhook');
    const secret = body.sign_payloads ? (await createSealedSecret(box, id)).sealed : null;
    const values = { headers: await sealHeaders(box, id, body.headers), secret };
    const record = createFirstVersion(id, buildOutboundWebhook(body, values, caller.email, nowMs), nowMs);
    const writes = [...buildInsert(outboundWebhookType, record, toApiAuthor(caller)), buildListWrite(record)];
    const webhook = { writes, view: toWebhookResult(record), sealed: secret ?? undefined };
    return storeWebhook('outbound', { store, box }, { body, headers }, { caller, nowMs }, webhook);
  };
}

export function getOutboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getOutboundWebhook> {
  return async ({ params, headers }) => {
    const record = await findRecord<OutboundDocument>(store, params.id);
    if (isNotModified(headers['If-None-Match'], record)) return { status: 304, headers: { ETag: toEtag(record) } };
    return { status: 200, ...toWebhookResult(record) };
  };
}

export function listOutboundWebhooks(
  webhooks: OutboundWebhookList,
  seal: CursorSeal,
): UseCase<typeof routes.listOutboundWebhooks> {
  return async ({ query }) => {
    const body = cutPageOfAll(await webhooks.all(), query, seal, 'outbound webhooks', toOutboundWebhookResponse);
    return { status: 200, body };
  };
}

/** Seals secrets before the change, because the change may be applied several times. */
export function updateOutboundWebhook(
  store: Pick<ItemStore, 'get'>,
  change: Changer<OutboundDocument>,
  box: Pick<SecretBox, 'seal'>,
  loopback: LoopbackRule,
): UseCase<typeof routes.updateOutboundWebhook> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    assertReceiver(body.url, createAddressRule(loopback), loopback);
    const { document: known } = await findRecord<OutboundDocument>(store, id);
    // Create a secret in case the change needs one: a concurrent request may change the receiver first.
    const newSecret = body.url !== undefined || body.sign_payloads ? await createSealedSecret(box, id) : undefined;
    const values = listHeadersToSeal(body.headers ?? {}, known.headers);
    const sealed = { headers: await sealHeaders(box, id, values), secret: newSecret?.sealed ?? null };
    let notices: OutboundNotice[] = [];
    const record = await changeOutboundWebhook(change, {
      id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: (before, nowMs) => {
        const after = applyWebhookPatch(before, body, sealed, nowMs);
        if (body.filters || body.events) assertKnownFields(after);
        notices = listNotices(before, after);
        return after;
      },
    });
    const isNewSecret = newSecret && record.document.secrets[0]?.sealed === newSecret.sealed;
    const response = toWebhookResult(record);
    const once = { ...(isNewSecret && { secret: newSecret.secret }), ...(notices.length > 0 && { notices }) };
    return { status: 200, ...response, body: { ...response.body, ...once } };
  };
}

export function deleteOutboundWebhook(change: Changer<OutboundDocument>): UseCase<typeof routes.deleteOutboundWebhook> {
  return async ({ params, headers }, { caller }) => {
    await changeOutboundWebhook(change, {
      id: params.id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: () => 'deleted',
    });
    return { status: 204 };
  };
}

export function rotateOutboundSecret(
  change: Changer<OutboundDocument>,
  box: Pick<SecretBox, 'seal'>,
): UseCase<typeof routes.rotateOutboundSecret> {
  return async ({ params: { id } }, { caller }) => {
    const { secret, sealed } = await createSealedSecret(box, id);
    const record = await changeOutboundWebhook(change, {
      id,
      author: toApiAuthor(caller),
      apply: (before, nowMs) => ({ ...before, secrets: rotateSecrets(before.secrets, sealed, nowMs) }),
    });
    const { headers, body } = toWebhookResult(record);
    return { status: 200, headers, body: { ...body, secret } };
  };
}

/** Seals each header value separately, so that a change of one value does not affect the others. */
export async function sealHeaders(
  box: Pick<SecretBox, 'seal'>,
  webhookId: string,
  headers: Readonly<Record<string, string | null>>,
): Promise<Record<string, string>> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const sealed = given.map(async ([name, value]) => [name, await box.seal(webhookId, value)] as const);
  return Object.fromEntries(await Promise.all(sealed));
}

/** The header values of a patch that need sealing. A hidden value means the stored value, if there is one. */
export function listHeadersToSeal(
  patch: Readonly<Record<string, string | null>>,
  known: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const names = new Set(Object.keys(known).map((name) => name.toLowerCase()));
  const stays = (name: string, value: string | null) => value === hiddenValue && names.has(name.toLowerCase());
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => !stays(name, value)));
}

/** Rejects an address that deliveries would reject, as far as that is known without a DNS lookup. */
export function assertReceiver(url: string | undefined, rule: AddressRule, loopback: LoopbackRule): void {
  const problem = url === undefined ? undefined : findReceiverProblem(new URL(url), rule, loopback);
  if (problem) throw invalidField('url', problem);
}
