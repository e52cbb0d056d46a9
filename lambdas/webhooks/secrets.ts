import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { newSecret } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { type IdempotencyHeaders, toIdempotentRequest, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { toLocation } from '../records/record.ts';
import type { Write } from '../records/write-items.ts';

// The secrets of a webhook: the current one, and previous ones while the other side may still use them.

export interface SealedSecret {
  sealed: string;
  /** Outbound webhooks of earlier releases lack it. */
  created_at?: string;
  /** Null for the current secret. */
  expires_at: string | null;
}

export const overlapMs = 24 * 60 * 60 * 1_000;

/** Several, so that repeated rotations do not reject an older secret that is still in use. */
const maxSecrets = 5;

export interface NewSecret {
  secret: string;
  sealed: string;
}

export async function createSealedSecret(box: Pick<SecretBox, 'seal'>, webhookId: string): Promise<NewSecret> {
  const secret = newSecret();
  return { secret, sealed: await box.seal(webhookId, secret) };
}

export function toFirstSecrets(sealed: string, nowMs: number): SealedSecret[] {
  return [{ sealed, created_at: toIso(nowMs), expires_at: null }];
}

export function rotateSecrets(secrets: readonly SealedSecret[], sealed: string, nowMs: number): SealedSecret[] {
  const until = toIso(nowMs + overlapMs);
  const before = listValidSecrets(secrets, nowMs).map((secret) => ({
    ...secret,
    expires_at: secret.expires_at ?? until,
  }));
  return [...toFirstSecrets(sealed, nowMs), ...before].slice(0, maxSecrets);
}

/** The secrets whose signatures are valid now, newest first. */
export function listValidSecrets(secrets: readonly SealedSecret[], nowMs: number): SealedSecret[] {
  return secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > nowMs);
}

interface NewWebhook<View> {
  writes: readonly Write[];
  view: { headers: { ETag: string }; body: View };
  sealed: string | undefined;
}

/**
 * Stores a new webhook. The response that is stored for the idempotency key contains the sealed secret, which is opened
 * before it is returned.
 */
export async function storeWebhook<View extends { id: string; secret?: string | undefined }>(
  direction: 'inbound' | 'outbound',
  { store, box }: { store: Pick<ItemStore, 'transact'>; box: SecretBox },
  { body: request, headers }: { body: unknown; headers: IdempotencyHeaders },
  { caller, nowMs }: { caller: Caller; nowMs: number },
  { writes, view, sealed }: NewWebhook<View>,
) {
  const operation = direction === 'inbound' ? 'createInboundWebhook' : 'createOutboundWebhook';
  const { body, ...response } = await writeOnce(
    store,
    toIdempotentRequest(operation, caller, headers, request),
    nowMs,
    () => ({
      writes,
      response: {
        status: 201 as const,
        headers: { ...view.headers, Location: toLocation(`webhooks/${direction}`, view.body.id) },
        body: { ...view.body, ...(sealed !== undefined && { secret: sealed }) },
      },
      // A new id has 128 random bits, so it is never taken.
      onConditionFailed: (by) => {
        throw new Error(`the condition of "${by}" did not hold for the new webhook ${view.body.id}`);
      },
    }),
  );
  const secret = body.secret === undefined ? {} : { secret: await box.open(body.id, body.secret) };
  return { ...response, body: { ...body, ...secret } };
}
