import { createHash } from 'node:crypto';
import type { Proof } from '../../../contract/inbound-events.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { readNumber, readString } from '../../records/items.ts';
import { recordSortKey, toItemKey } from '../../records/record-item.ts';
import type { Write } from '../../records/write-items.ts';
import type { InboundWebhookRecord } from './webhook.ts';

// Maps a deduplication key to an incident. The item is written in the transaction that creates or updates the incident,
// on the condition that it is unchanged, so exactly one of many concurrent equal events creates an incident.

/** A key and the webhook it belongs to. */
export interface DedupKey {
  scope: string;
  key: string;
}

export interface KnownIncident {
  incidentId: string;
  /** The fields of the last payload. Only differences from them change the incident. */
  fields: Readonly<Record<string, unknown>>;
  revision: number;
}

export async function findKnown(store: Pick<ItemStore, 'get'>, key: DedupKey): Promise<KnownIncident | undefined> {
  const item = await store.get(toDedupPartition(key), recordSortKey);
  if (!item) return undefined;
  return {
    incidentId: readString(item, 'incident_id'),
    fields: JSON.parse(readString(item, 'fields')),
    revision: readNumber(item, 'revision'),
  };
}

/** The write fails when the key has changed since it was read. */
export function buildKnownIncidentWrite(
  key: DedupKey,
  incidentId: string,
  fields: KnownIncident['fields'],
  before: KnownIncident | undefined,
): Write {
  const put = {
    Item: {
      ...toItemKey(toDedupPartition(key), recordSortKey),
      type: { S: 'dedup' },
      incident_id: { S: incidentId },
      fields: { S: JSON.stringify(fields) },
      revision: { N: String((before?.revision ?? 0) + 1) },
    },
    ConditionExpression: before ? 'revision = :before' : 'attribute_not_exists(pk)',
    ...(before && { ExpressionAttributeValues: { ':before': { N: String(before.revision) } } }),
  };
  return { name: 'dedup', put };
}

/** Senders choose the keys, which may be long, so they are stored as hashes. */
export function toDedupPartition({ scope, key }: DedupKey): string {
  return `dedup#${scope}#${createHash('sha256').update(key).digest('base64url')}`;
}

// A signature over the body alone covers neither a time nor an id, so an attacker could replay a recorded request without
// limit. The first event with such a body claims it for 24 hours, in the transaction that stores the event.
// An unsigned id does not help: an attacker can change the headers (docs/decisions/0013-inbound-webhooks.md).
//
// | Access pattern                      | Call    | Key                                      |
// |-------------------------------------|---------|------------------------------------------|
// | the event that claimed a body       | GetItem | pk = body#<webhook id>#<hash>, sk = #    |

/**
 * `unique`: one event per body. `recorded`: a signed id identifies the event, and the body is also claimed, against
 * replays without that id. `none`: equal bodies may be different events.
 */
export type BodyRule = 'unique' | 'recorded' | 'none';

const claimTtlMs = 24 * 60 * 60_000;

export function selectBodyRule(proof: Proof, hasSignedId: boolean, { document }: InboundWebhookRecord): BodyRule {
  const signsBodyOnly = proof === 'service_signature' || proof === 'hub_signature' || proof === 'sns_signature';
  if (!signsBodyOnly || document.accept_repeated_bodies) return 'none';
  return hasSignedId ? 'recorded' : 'unique';
}

/** The id of the event that claimed the body; undefined if no event has claimed it. */
export async function findClaim(
  store: Pick<ItemStore, 'get'>,
  webhookId: string,
  bodyHash: string,
  nowMs: number,
): Promise<string | undefined> {
  const item = await store.get(toClaimPartition(webhookId, bodyHash), recordSortKey);
  return item && readNumber(item, 'expires_at') * 1_000 > nowMs ? readString(item, 'event_id') : undefined;
}

/** With the rule `unique`, the write named `body` fails while another event has the claim. */
export function buildClaimWrites(
  rule: BodyRule,
  event: { id: string; webhook_id: string },
  bodyHash: string,
  nowMs: number,
): Write[] {
  if (rule === 'none') return [];
  const put = {
    Item: {
      ...toItemKey(toClaimPartition(event.webhook_id, bodyHash), recordSortKey),
      type: { S: 'inbound_body' },
      event_id: { S: event.id },
      expires_at: { N: String(Math.ceil((nowMs + claimTtlMs) / 1_000)) },
    },
    ...(rule === 'unique' && {
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
    }),
  };
  return [{ name: 'body', put }];
}

function toClaimPartition(webhookId: string, bodyHash: string): string {
  return `body#${webhookId}#${bodyHash}`;
}
