import { type Backoff, backoff } from '../platform/backoff.ts';
import type { ItemStore, Write } from './item-store.ts';

/** Writes, again where somebody else was writing at the same moment; false when a condition did not hold. */
export async function written(
  store: Pick<ItemStore, 'transact'>,
  writes: readonly Write[],
  wait: Backoff = backoff,
): Promise<boolean> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const outcome = await store.transact(writes);
    if (outcome.kind !== 'conflict') return outcome.kind === 'written';
    await wait(tries);
  }
  throw new Error(`${writes[0]!.name} could not be written in ${mostTries} tries`);
}

const mostTries = 20;
