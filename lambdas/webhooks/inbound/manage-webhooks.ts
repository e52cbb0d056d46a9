import type { routes } from '../../../contract/routes.ts';
import { cutPageOfAll, type FeedStore, readAllRecords } from '../../lists/feed-store.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { invalidField } from '../../platform/service-error.ts';
import { type Changer, findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { CursorSeal } from '../../records/page.ts';
import { createFirstVersion, isNotModified, toApiAuthor, toEtag } from '../../records/record.ts';
import { buildInsert } from '../../records/record-item.ts';
import { deleteRecord } from '../../records/record-operations.ts';
import {
  createSealedSecret,
  type NewSecret,
  rotateSecrets,
  type SealedSecret,
  storeWebhook,
  toFirstSecrets,
} from '../secrets.ts';
import {
  applyPreset,
  applySettingsPatch,
  assertConsistent,
  type InboundWebhookDocument,
  type InboundWebhookRecord,
  inboundWebhookType,
  toInboundWebhookResponse,
} from './webhook.ts';

export function createInboundWebhook(
  store: Pick<ItemStore, 'transact'>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.createInboundWebhook> {
  return async ({ body, headers }, { caller, clock }) => {
    const settings = applyPreset(body);
    assertConsistent(settings);
    const nowMs = clock.now();
    const id = newId('inboundWebhook');
    const sealed = settings.secret_enabled ? (await createSealedSecret(box, id)).sealed : undefined;
    const secrets = sealed === undefined ? [] : toFirstSecrets(sealed, nowMs);
    const record = createFirstVersion(id, { ...settings, created_by: caller.email, secrets }, nowMs);
    const writes = buildInsert(inboundWebhookType, record, toApiAuthor(caller));
    const view = toResult(record, { publicUrl, nowMs });
    return storeWebhook('inbound', { store, box }, { body, headers }, { caller, nowMs }, { writes, view, sealed });
  };
}

function toResult(record: InboundWebhookRecord, options: { publicUrl: string; nowMs: number }) {
  return { headers: { ETag: toEtag(record) }, body: toInboundWebhookResponse(record, options) };
}

export function getInboundWebhook(
  store: Pick<ItemStore, 'get'>,
  publicUrl: string,
): UseCase<typeof routes.getInboundWebhook> {
  return async ({ params, headers }, { clock }) => {
    const record = await findRecord<InboundWebhookDocument>(store, params.id);
    if (isNotModified(headers['If-None-Match'], record)) return { status: 304, headers: { ETag: toEtag(record) } };
    return { status: 200, ...toResult(record, { publicUrl, nowMs: clock.now() }) };
  };
}

export function listInboundWebhooks(
  feed: FeedStore,
  seal: CursorSeal,
  publicUrl: string,
): UseCase<typeof routes.listInboundWebhooks> {
  return async ({ query }, { clock }) => {
    const nowMs = clock.now();
    const records = await readAllRecords<InboundWebhookDocument>(feed, 'inbound_webhook');
    const body = cutPageOfAll(records, query, seal, 'inbound webhooks', (record) =>
      toInboundWebhookResponse(record, { publicUrl, nowMs }),
    );
    return { status: 200, body };
  };
}

/** Enabling the secret creates one, which only this response contains. Disabling it deletes all secrets. */
export function updateInboundWebhook(
  change: Changer<InboundWebhookDocument>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.updateInboundWebhook> {
  return async ({ params: { id }, headers, body }, { caller }) => {
    const newSecret = body.secret_enabled ? await createSealedSecret(box, id) : undefined;
    let changedAtMs = 0;
    const record = await change({
      id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }, nowMs) => {
        changedAtMs = nowMs;
        const after = applySettingsPatch(document, body);
        assertConsistent(after);
        return { document: { ...after, secrets: selectSecrets(document, after.secret_enabled, newSecret, nowMs) } };
      },
    });
    const isNew = newSecret && record.document.secrets[0]?.sealed === newSecret.sealed;
    const { headers: tag, body: webhook } = toResult(record, { publicUrl, nowMs: changedAtMs });
    return { status: 200, headers: tag, body: { ...webhook, ...(isNew && { secret: newSecret.secret }) } };
  };
}

function selectSecrets(
  { secrets }: InboundWebhookDocument,
  enabled: boolean,
  newSecret: NewSecret | undefined,
  nowMs: number,
): readonly SealedSecret[] {
  if (!enabled) return [];
  return newSecret && secrets.length === 0 ? toFirstSecrets(newSecret.sealed, nowMs) : secrets;
}

/** Keeps the record for audits, without its secrets. */
export const deleteInboundWebhook = (
  change: Changer<InboundWebhookDocument>,
): UseCase<typeof routes.deleteInboundWebhook> =>
  deleteRecord(change, ({ document }) => ({ document: { ...document, secrets: [] } }));

export function rotateInboundSecret(
  change: Changer<InboundWebhookDocument>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.rotateInboundSecret> {
  return async ({ params: { id } }, { caller, clock }) => {
    const { secret, sealed } = await createSealedSecret(box, id);
    const record = await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document }, nowMs) => {
        if (!document.secret_enabled) throw invalidField('secret_enabled', 'is false, so there is no secret to rotate');
        return { document: { ...document, secrets: rotateSecrets(document.secrets, sealed, nowMs) } };
      },
    });
    const { headers, body } = toResult(record, { publicUrl, nowMs: clock.now() });
    return { status: 200, headers, body: { ...body, secret } };
  };
}
