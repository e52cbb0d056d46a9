import type { FeedStore } from '../../lists/feed-store.ts';
import { FeedFollower, idOf, momentOf, sharedRuns } from '../../lists/live-replica.ts';
import type { Clock } from '../../platform/clock.ts';
import { LearnedIndex } from './learned-index.ts';

/** All that was learned so far, as of each call. */
export type LiveIndex = () => Promise<LearnedIndex>;

export function liveIndex(feed: FeedStore, clock: Clock, patienceMs: number): LiveIndex {
  const index = new LearnedIndex();
  const follower = new FeedFollower({
    feed,
    clock,
    patienceMs,
    take: ({ key, listing }) => index.apply(idOf(key), momentOf(key), listing),
  });
  return sharedRuns(async () => {
    await follower.catchUp();
    return index;
  });
}
