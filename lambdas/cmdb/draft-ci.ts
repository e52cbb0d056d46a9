import type { CiCreation } from '../../contract/cis.ts';
import { newId } from '../platform/ids.ts';
import type { Draft } from '../records/create-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Author, firstVersion } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import { type CiDocument, ciType, newCi } from './ci.ts';
import { type Claim, findClaim } from './ci-claim.ts';

/**
 * A new item and everything that is written with it. Refused when the id is taken or when somebody else claims the name
 * at the same moment; another draft then has another id and knows who has the name.
 */
export async function draftCi(
  store: Pick<ItemStore, 'get'>,
  creation: CiCreation,
  author: Author,
  nowMs: number,
): Promise<Draft<CiDocument>> {
  return draftWith(await findClaim(store, creation), creation, author, nowMs, null);
}

export function draftWith(
  claim: Claim,
  creation: CiCreation,
  author: Author,
  nowMs: number,
  discoveredAt: string | null,
): Draft<CiDocument> {
  const record = firstVersion(newId('ci'), newCi(creation, discoveredAt), nowMs);
  const claiming = 'holder' in claim ? [] : [claim.write(record.id)];
  return { record, writes: [...insertion(ciType, record, author), ...claiming] };
}
