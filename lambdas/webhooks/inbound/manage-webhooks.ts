import type { routes } from '../../../contract/routes.ts';
import { cutPageOfAll, type FeedStore, readAllRecords } from '../../lists/feed-store.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { type Changer, findRecord } from '../../records/change-record.ts';
import { toIdempotentRequest, writeOnce } from '../../records/idempotency.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { CursorSeal } from '../../records/page.ts';
import { createFirstVersion, isNotModified, toApiAuthor, toEtag } from '../../records/record.ts';
import { buildInsert } from '../../records/record-item.ts';
import { createSealedSecret, type NewSecret } from '../signature.ts';
import {
  applyPreset,
  applySettingsPatch,
  assertConsistent,
  type InboundWebhookDocument,
  inboundWebhookType,
  rotateSecrets,
  type SealedSecret,
  toFirstSecrets,
  toInboundWebhookLocation,
  toInboundWebhookResponse,
} from './webhook.ts';

/** The response stored for the idempotency key contains the sealed secret, which is opened before it is returned. */
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
    const newSecret = settings.secret_enabled ? await createSealedSecret(box, id) : undefined;
    const document = {
      ...settings,
      created_by: caller.email,
      secrets: newSecret ? toFirstSecrets(newSecret, nowMs) : [],
    };
    const record = createFirstVersion(id, document, nowMs);
    const { body: stored, ...response } = await writeOnce(
      store,
      toIdempotentRequest('createInboundWebhook', caller, headers, body),
      nowMs,
      () => ({
        writes: buildInsert(inboundWebhookType, record, toApiAuthor(caller)),
        response: {
          status: 201 as const,
          headers: { ETag: toEtag(record), Location: toInboundWebhookLocation(id) },
          body: {
            ...toInboundWebhookResponse(record, { publicUrl, nowMs }),
            ...(newSecret && { secret: newSecret.sealed }),
          },
        },
        // A new id has 128 random bits, so it is never taken.
        onConditionFailed: (by) => {
          throw new Error(`the condition of "${by}" did not hold for the new webhook ${id}`);
        },
      }),
    );
    const secret = stored.secret === undefined ? {} : { secret: await box.open(stored.id, stored.secret) };
    return { ...response, body: { ...stored, ...secret } };
  };
}

export function getInboundWebhook(
  store: Pick<ItemStore, 'get'>,
  publicUrl: string,
): UseCase<typeof routes.getInboundWebhook> {
  return async ({ params, headers }, { clock }) => {
    const record = await findRecord<InboundWebhookDocument>(store, params.id);
    const tag = { ETag: toEtag(record) };
    if (isNotModified(headers['If-None-Match'], record)) return { status: 304, headers: tag };
    return { status: 200, headers: tag, body: toInboundWebhookResponse(record, { publicUrl, nowMs: clock.now() }) };
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
    const webhook = toInboundWebhookResponse(record, { publicUrl, nowMs: changedAtMs });
    return {
      status: 200,
      headers: { ETag: toEtag(record) },
      body: { ...webhook, ...(isNew && { secret: newSecret.secret }) },
    };
  };
}

function selectSecrets(
  { secrets }: InboundWebhookDocument,
  enabled: boolean,
  newSecret: NewSecret | undefined,
  nowMs: number,
): readonly SealedSecret[] {
  if (!enabled) return [];
  return newSecret && secrets.length === 0 ? toFirstSecrets(newSecret, nowMs) : secrets;
}

/** Keeps the record for audits, without its secrets. */
export function deleteInboundWebhook(
  change: Changer<InboundWebhookDocument>,
): UseCase<typeof routes.deleteInboundWebhook> {
  return async ({ params, headers }, { caller }) => {
    await change({
      id: params.id,
      author: toApiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => ({ document: { ...document, secrets: [] }, deleted: true }),
    });
    return { status: 204 };
  };
}

export function rotateInboundSecret(
  change: Changer<InboundWebhookDocument>,
  box: SecretBox,
  publicUrl: string,
): UseCase<typeof routes.rotateInboundSecret> {
  return async ({ params: { id } }, { caller, clock }) => {
    const newSecret = await createSealedSecret(box, id);
    const record = await change({
      id,
      author: toApiAuthor(caller),
      apply: ({ document }, nowMs) => {
        if (!document.secret_enabled) throw createMissingSecretError();
        return { document: { ...document, secrets: rotateSecrets(document.secrets, newSecret, nowMs) } };
      },
    });
    const webhook = toInboundWebhookResponse(record, { publicUrl, nowMs: clock.now() });
    return { status: 200, headers: { ETag: toEtag(record) }, body: { ...webhook, secret: newSecret.secret } };
  };
}

function createMissingSecretError(): ServiceError {
  const problem = { field: 'secret_enabled', message: 'is false, so there is no secret to rotate' };
  return new ServiceError('invalid_input', `${problem.field} ${problem.message}.`, { members: { errors: [problem] } });
}
