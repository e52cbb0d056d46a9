import type { FeedStore } from '../../lists/feed-store.ts';
import { FeedReader, parseFeedId, parseFeedTime, shareRuns } from '../../lists/live-replica.ts';
import {
  readSnapshot,
  type SnapshotKind,
  type SnapshotSource,
  type SnapshotStore,
} from '../../lists/snapshot-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { memoize } from '../../platform/memoize.ts';
import { embedderName } from '../embedding/model-files.ts';
import { LearnedIndex } from './learned-index.ts';
import { learnedFormat } from './learned-item.ts';

/** All that was learned so far, as of each call. */
export type LiveIndex = () => Promise<LearnedIndex>;

/** A snapshot of another embedder is ignored: vectors of two embedders are never compared. */
export const learnedSnapshotKind: SnapshotKind = {
  type: 'learned',
  schema: { embedder: embedderName, format: learnedFormat, layout: 2 },
};

export interface LiveIndexOptions {
  feed: FeedStore;
  snapshots: SnapshotStore;
  clock: Clock;
  log: Log;
  /** The time limit of one catch-up; the next one continues. */
  timeoutMs: number;
}

/** Missing what was learned in the last two seconds is cheaper than reading the feed for every record or cached answer. */
const recentMs = 2_000;

export interface DeployedIndex {
  /** The first use loads the latest snapshot and reads the later entries of the feed; every further use the new ones. */
  refresh: LiveIndex;
  /** Reads the feed at most every two seconds. */
  refreshRarely: LiveIndex;
  /** Undefined while nothing was loaded. */
  countLearned(): Promise<number | undefined>;
  source: SnapshotSource<null>;
}

export function createLiveIndex(options: LiveIndexOptions): DeployedIndex {
  const { feed, snapshots, clock, log, timeoutMs } = options;
  let index: LearnedIndex | undefined;
  const follower = new FeedReader({
    feed,
    clock,
    timeoutMs,
    take: ({ key, listing }) => index?.apply(parseFeedId(key), parseFeedTime(key), listing),
  });
  const start = async (): Promise<LearnedIndex> => {
    const startedAtMs = clock.now();
    const build = (_: null, chunks: readonly Uint8Array[]) => LearnedIndex.decode(chunks);
    const snapshot = await readSnapshot(snapshots, learnedSnapshotKind, build, log);
    if (snapshot) follower.startAt(snapshot.watermarks);
    const started = snapshot?.built ?? new LearnedIndex();
    log('info', 'learned index started', { records: started.size, duration_ms: clock.now() - startedAtMs });
    return started;
  };
  const refresh = shareRuns(async () => {
    index ??= await start();
    await follower.catchUp();
    return index;
  });
  const recent = memoize(refresh, recentMs, () => clock.now());
  const refreshRarely = () => recent('');
  const countLearned = async () => index && (await refreshRarely()).size;
  const source: SnapshotSource<null> = {
    kind: learnedSnapshotKind,
    async refresh() {
      const current = await refresh();
      const content = () => ({ details: () => null, chunks: current.encode() });
      return { changes: current.changes, rows: current.size, watermarks: follower.watermarks, content };
    },
  };
  return { refresh, refreshRarely, countLearned, source };
}
