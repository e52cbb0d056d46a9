import type { CiPatch } from '../../contract/cis.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ChangeRequest, Changer } from '../records/change-record.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore, Write } from '../records/item-store.ts';
import { type CiDocument, type CiRecord, changedCi } from './ci.ts';
import { claimName, findClaim, isSame } from './ci-claim.ts';

export interface CiChange extends Pick<ChangeRequest<CiDocument>, 'id' | 'author' | 'ifMatch'> {
  patch: CiPatch;
  /** What else belongs to the same transaction. */
  alongside?: readonly Write[];
  refused?(by: string): void;
}

/** Applies a patch. An item that gets a new name or class claims it along with the change, if nobody else has it. */
export async function changeCi(
  store: Pick<ItemStore, 'get'>,
  change: Changer<CiDocument>,
  { patch, alongside = [], refused, ...request }: CiChange,
): Promise<CiRecord> {
  for (let tries = 0; tries < mostTries; tries++) {
    const claim = await claimOf(store, request.id, patch);
    try {
      return await change({
        ...request,
        apply: (before) => ({ document: changedCi(before, patch), alongside: [...claim, ...alongside] }),
        refused: (by) => {
          refused?.(by);
          if (by === claimName) throw new ClaimLost();
          throw new Error(`the condition of "${by}" did not hold in a change of ${request.id}`);
        },
      });
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
  throw new ServiceError('unavailable', 'Too many concurrent requests for the same name. Try again.');
}

const mostTries = 5;

/** Somebody else claimed the name first. */
class ClaimLost extends Error {}

async function claimOf(store: Pick<ItemStore, 'get'>, id: string, patch: CiPatch): Promise<Write[]> {
  if (patch.name === undefined && patch.class === undefined) return [];
  const { document } = await findRecord<CiDocument>(store, id);
  const identity = { name: patch.name ?? document.name, class: patch.class ?? document.class };
  if (isSame(identity, document)) return [];
  const claim = await findClaim(store, identity);
  return 'holder' in claim ? [] : [claim.write(id)];
}
