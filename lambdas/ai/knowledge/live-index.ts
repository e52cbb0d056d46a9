import { FeedFollower } from '../../lists/feed-follower.ts';
import type { FeedStore } from '../../lists/feed-store.ts';
import { sharedRuns } from '../../lists/shared-runs.ts';
import { idOf, momentOf } from '../../lists/watermarks.ts';
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
