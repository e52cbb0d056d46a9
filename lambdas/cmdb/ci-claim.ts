import { createHash } from 'node:crypto';
import type { Item, ItemStore, Write } from '../records/item-store.ts';
import { keyOf, recordSortKey, toRecord } from '../records/record-item.ts';
import type { CiDocument, CiRecord } from './ci.ts';

// Discovery knows an item by its name and class. An item of its own per name and class says whose they are, so that two
// discoveries at the same moment make one item, not two: who claims second is refused, looks again and finds the first.
// A claim may be out of date, after a rename or a deletion; then the next one who wants it takes it over.
//
// | Access pattern                      | Call    | Key                                    |
// |-------------------------------------|---------|----------------------------------------|
// | whose are this name and this class  | GetItem | pk = ci-name#<hash of both>, sk = #    |

export type Identity = Pick<CiDocument, 'name' | 'class'>;

/** Either somebody has the name, or it can be had: by a write that is refused when somebody else was first. */
export type Claim = { holder: CiRecord } | { write(ciId: string): Write };

export const claimName = 'claim';

export async function findClaim(store: Pick<ItemStore, 'get'>, identity: Identity): Promise<Claim> {
  const key = keyOf(partitionKey(identity), recordSortKey);
  const found = await store.get(key.pk!.S!, recordSortKey);
  const before = found?.ci_id?.S;
  const holder = before === undefined ? undefined : await liveCi(store, before);
  if (holder && isSame(holder.document, identity)) return { holder };
  return { write: (ciId) => claimWrite(key, ciId, before) };
}

export function isSame(a: Identity, b: Identity): boolean {
  return a.name === b.name && a.class === b.class;
}

function claimWrite(key: Item, ciId: string, before: string | undefined): Write {
  const condition =
    before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'ci_id = :before', ExpressionAttributeValues: { ':before': { S: before } } };
  return { name: claimName, put: { Item: { ...key, ci_id: { S: ciId } }, ...condition } };
}

async function liveCi(store: Pick<ItemStore, 'get'>, id: string): Promise<CiRecord | undefined> {
  const item = await store.get(id, recordSortKey);
  const record = item && toRecord<CiDocument>(item);
  return record?.deleted ? undefined : record;
}

function partitionKey({ name, class: kind }: Identity): string {
  return `ci-name#${createHash('sha256')
    .update(JSON.stringify([kind, name]))
    .digest('base64url')}`;
}
