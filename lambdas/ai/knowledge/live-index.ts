import type { FeedStore } from '../../lists/feed-store.ts';
import { FeedFollower, parseFeedId, parseFeedTime, shareRuns } from '../../lists/live-replica.ts';
import type { Clock } from '../../platform/clock.ts';
import { LearnedIndex } from './learned-index.ts';

/** All that was learned so far, as of each call. */
export type LiveIndex = () => Promise<LearnedIndex>;

export function liveIndex(feed: FeedStore, clock: Clock, timeoutMs: number): LiveIndex {
  const index = new LearnedIndex();
  const follower = new FeedFollower({
    feed,
    clock,
    timeoutMs,
    take: ({ key, listing }) => index.apply(parseFeedId(key), parseFeedTime(key), listing),
  });
  return shareRuns(async () => {
    await follower.catchUp();
    return index;
  });
}
