import { recordSortKey, toItemKey } from './record-item.ts';
import type { Write } from './write-items.ts';

/**
 * Checks, in the transaction of a change, that the records which fields refer to exist. The request fails with 400 otherwise
 * (item-store.ts). Pass only new values, so that a stored reference to an unknown record does not prevent other changes.
 */
export function buildReferenceChecks(references: Readonly<Record<string, string | null | readonly string[]>>): Write[] {
  const ids = new Map<string, string>();
  for (const [field, value] of Object.entries(references)) {
    // A transaction must not contain an item twice.
    for (const id of typeof value === 'string' ? [value] : (value ?? [])) ids.set(id, field);
  }
  return [...ids].map(([id, field]) => ({
    name: field,
    update: {
      UpdateExpression: undefined,
      Key: toItemKey(id, recordSortKey),
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleted)',
    },
  }));
}
