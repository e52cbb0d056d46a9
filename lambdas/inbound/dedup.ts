import { createHash } from 'node:crypto';
import type { ItemStore, Write } from '../records/item-store.ts';
import { keyOf, recordSortKey } from '../records/record-item.ts';

// Which incident the events with a key are about. The item changes in the transaction that creates or updates the
// incident, on condition that nobody else changed it, so of many equal events at once exactly one creates an incident.

/** A key and the webhook it belongs to. */
export interface DedupKey {
  scope: string;
  key: string;
}

export interface KnownIncident {
  incidentId: string;
  /** What the webhook last made of a payload: only what differs from it next time is news. */
  fields: Readonly<Record<string, unknown>>;
  revision: number;
}

export async function findKnown(store: Pick<ItemStore, 'get'>, key: DedupKey): Promise<KnownIncident | undefined> {
  const item = await store.get(partitionKey(key), recordSortKey);
  if (!item) return undefined;
  return { incidentId: item.incident_id!.S!, fields: JSON.parse(item.fields!.S!), revision: Number(item.revision!.N) };
}

/** Refused when the key has become known, or known otherwise, since it was looked up. */
export function knownWrite(
  key: DedupKey,
  incidentId: string,
  fields: KnownIncident['fields'],
  before: KnownIncident | undefined,
): Write {
  const put = {
    Item: {
      ...keyOf(partitionKey(key), recordSortKey),
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

/** Keys come from outside and may be long; their hash is neither. */
export function partitionKey({ scope, key }: DedupKey): string {
  return `dedup#${scope}#${createHash('sha256').update(key).digest('base64url')}`;
}
