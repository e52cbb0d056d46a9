import type {
  OutboundNotice,
  OutboundWebhook,
  OutboundWebhookCreation,
  OutboundWebhookUpdate,
} from '../../../contract/outbound-webhook-schemas.ts';
import { hiddenValue } from '../../../contract/webhook-settings.ts';
import { toIso } from '../../platform/clock.ts';
import { applyPatch, diffFields } from '../../records/change-record.ts';
import { type Changes, type RecordType, type StoredRecord, toEtag, toLocation } from '../../records/record.ts';
import { listValidSecrets, type SealedSecret, toFirstSecrets } from '../secrets.ts';

// The stored form of an outbound webhook. Secrets and header values are sealed.

export interface OutboundDocument
  extends Omit<OutboundWebhook, 'id' | 'secret' | 'notices' | 'created_at' | 'updated_at' | 'headers'> {
  /** Sealed values by name. */
  headers: Readonly<Record<string, string>>;
  /** Newest first. Empty until signing is enabled for the first time. */
  secrets: readonly SealedSecret[];
  /** Older events are not delivered: they occurred before the webhook existed or while it was inactive. */
  active_since: string;
  /** Time of the last deactivation, which cancelled open deliveries; null if there was none. */
  stopped_at: string | null;
}

export type OutboundRecord = StoredRecord<OutboundDocument>;

export const outboundWebhookType: RecordType<OutboundDocument> = {
  name: 'outbound_webhook',
  // Webhooks are few, so their list is one partition (webhook-list.ts).
  listing: () => new Uint8Array(),
  indexKeys: () => ({}),
  changes: (before, after) => diffWebhooks(before, after),
};

export function buildOutboundWebhook(
  { headers: _, ...creation }: OutboundWebhookCreation,
  sealed: { headers: Readonly<Record<string, string>>; secret: string | null },
  owner: string,
  nowMs: number,
): OutboundDocument {
  const { secret, headers } = sealed;
  const secrets = secret === null ? [] : toFirstSecrets(secret, nowMs);
  const times = { active_since: toIso(nowMs), stopped_at: null };
  return { ...creation, headers, secrets, disabled_reason: null, created_by: owner, ...times };
}

/** Applies a patch. Activating the webhook clears the reason why the service had disabled it. */
export function applyWebhookPatch(
  before: OutboundDocument,
  { headers = {}, ...patch }: OutboundWebhookUpdate,
  sealed: { headers: Readonly<Record<string, string>>; secret: string | null },
  nowMs: number,
): OutboundDocument {
  const after = applyPatch(before, patch as Partial<OutboundDocument>);
  const known = hasNewOrigin(before, after) ? removeCredentials(before) : before;
  const needsSecret = after.sign_payloads && known.secrets.length === 0;
  return {
    ...after,
    secrets: needsSecret && sealed.secret !== null ? toFirstSecrets(sealed.secret, nowMs) : known.secrets,
    headers: mergeHeaders(known.headers, headers, sealed.headers),
    disabled_reason: patch.active === true ? null : before.disabled_reason,
    active_since: after.active && !before.active ? toIso(nowMs) : before.active_since,
    stopped_at: before.active && !after.active ? toIso(nowMs) : before.stopped_at,
  };
}

/**
 * Header values and secrets belong to one receiver. A manager who could redirect them to another server would see
 * values that no response contains (docs/decisions/0015-outbound-webhooks.md).
 */
export function hasNewOrigin(before: Pick<OutboundDocument, 'url'>, after: Pick<OutboundDocument, 'url'>): boolean {
  return new URL(before.url).origin !== new URL(after.url).origin;
}

/** Old secrets do not sign during the overlap: the new receiver must not collect signatures for the previous one. */
function removeCredentials(document: OutboundDocument): OutboundDocument {
  return { ...document, headers: {}, secrets: [] };
}

/** Lists the credentials that a change of the receiver removed; empty if the receiver is the same. */
export function listNotices(before: OutboundDocument, after: OutboundDocument): OutboundNotice[] {
  if (!hasNewOrigin(before, after)) return [];
  const kept = new Set(Object.keys(after.headers).map((name) => name.toLowerCase()));
  const dropped = Object.keys(before.headers).filter((name) => !kept.has(name.toLowerCase()));
  const reason = 'The origin of url changed, so';
  return [
    ...(dropped.length === 0
      ? []
      : [
          { code: 'headers_dropped' as const, message: `${reason} these headers were dropped: ${dropped.join(', ')}.` },
        ]),
    ...(before.secrets.length === 0
      ? []
      : [{ code: 'secret_replaced' as const, message: `${reason} ${formatSecretNotice(after)}` }]),
  ];
}

function formatSecretNotice({ secrets }: OutboundDocument): string {
  return secrets.length > 0
    ? 'a new secret replaced the old one.'
    : 'the old secret was deleted. Setting sign_payloads makes a new one.';
}

/** The secrets that sign now, newest first. */
export function listSigningSecrets({ secrets, sign_payloads }: OutboundDocument, nowMs: number): string[] {
  return sign_payloads ? listValidSecrets(secrets, nowMs).map(({ sealed }) => sealed) : [];
}

/** Whether events of this time are delivered. */
export function isWanted({ active, active_since }: OutboundDocument, at: string): boolean {
  return active && at >= active_since;
}

export function deactivate(before: OutboundDocument, reason: string, nowMs: number): OutboundDocument {
  const stopped_at = before.active ? toIso(nowMs) : before.stopped_at;
  return { ...before, active: false, stopped_at, disabled_reason: reason };
}

export function toOutboundWebhookResponse({ id, created_at, updated_at, document }: OutboundRecord): OutboundWebhook {
  const { headers, secrets: _, active_since: __, stopped_at: ___, ...settings } = document;
  const names = Object.keys(headers).map((name) => [name, hiddenValue] as const);
  return { id, ...settings, headers: Object.fromEntries(names), created_at, updated_at };
}

/** Header names are case-insensitive. */
function mergeHeaders(
  before: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>>,
  sealed: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const [name, value] of Object.entries(patch)) {
    const key = name.toLowerCase();
    const replacement = sealed[name];
    if (value === null) known.delete(key);
    // A hidden value that no longer exists cannot be kept.
    else if (replacement !== undefined) known.set(key, { name, value: replacement });
  }
  return Object.fromEntries([...known.values()].map(({ name, value }) => [name, value]));
}

/** The history shows that a secret changed, never its value. */
function diffWebhooks(before: OutboundDocument, after: OutboundDocument): Changes {
  const { secrets: _old, active_since: _before, stopped_at: _stopped, headers: oldHeaders = {}, ...old } = before;
  const { secrets: _new, active_since: _after, stopped_at: _stop, headers, ...current } = after;
  const rotation = before.secrets?.[0]?.sealed !== after.secrets[0]?.sealed;
  const resealed = Object.entries(headers).filter(([name, sealed]) => oldHeaders[name] !== sealed);
  const namesChanged = Object.keys(oldHeaders).join() !== Object.keys(headers).join();
  return {
    ...diffFields(old, current),
    ...(rotation && { secret: { from: hiddenValue, to: hiddenValue } }),
    ...((resealed.length > 0 || namesChanged) && {
      headers: { from: Object.keys(oldHeaders), to: Object.keys(headers) },
    }),
  };
}

export function toWebhookResult(record: OutboundRecord) {
  return { headers: { ETag: toEtag(record) }, body: toOutboundWebhookResponse(record) };
}

export function toOutboundWebhookLocation(id: string): string {
  return toLocation('webhooks/outbound', id);
}

export function toDeliveryLocation(webhookId: string, deliveryId: string): string {
  return `${toOutboundWebhookLocation(webhookId)}/deliveries/${deliveryId}`;
}
