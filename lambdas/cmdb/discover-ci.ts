import { type CiDiscovery, ciCreation } from '../../contract/cis.ts';
import { backoff } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import type { ItemStore, Write } from '../records/item-store.ts';
import type { Author } from '../records/record.ts';
import { changeCi } from './change-ci.ts';
import type { CiDocument } from './ci.ts';
import { findClaim } from './ci-claim.ts';
import { draftWith } from './draft-ci.ts';

export interface DiscoveryTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<CiDocument>;
  clock: Clock;
}

export interface DiscoveryContext {
  author: Author;
  /** What is written along with the item. */
  result(id: string): Write;
  refused(by: string): void;
}

/**
 * Updates the item that has the name and the class, or creates it. Whoever loses the race for a new name looks again and
 * updates what the other one made.
 */
export async function discoverCi(
  { store, change, clock }: DiscoveryTools,
  discovery: CiDiscovery,
  { author, result, refused }: DiscoveryContext,
): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const claim = await findClaim(store, discovery);
    if ('holder' in claim) {
      const { id } = claim.holder;
      await changeCi(store, change, { id, author, patch: discovery, alongside: [result(id)], refused });
      return;
    }
    const nowMs = clock.now();
    const creation = ciCreation.parse(discovery);
    const { record, writes } = draftWith(claim, creation, author, nowMs, new Date(nowMs).toISOString());
    const outcome = await store.transact([result(record.id), ...writes]);
    if (outcome.kind === 'written') return;
    if (outcome.kind === 'refused') refused(outcome.by);
    await backoff(tries);
  }
  throw new ServiceError('unavailable', 'Too many concurrent requests for the same name. Try again.');
}

const mostTries = 10;
