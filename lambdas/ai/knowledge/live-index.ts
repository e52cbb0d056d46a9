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

/** The first use loads the latest snapshot and reads the later entries of the feed; every further use the new ones. */
export function createLiveIndex(options: LiveIndexOptions): { refresh: LiveIndex; source: SnapshotSource<null> } {
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
  const source: SnapshotSource<null> = {
    kind: learnedSnapshotKind,
    async refresh() {
      const current = await refresh();
      const content = () => ({ details: () => null, chunks: current.encode() });
      return { changes: current.changes, rows: current.size, watermarks: follower.watermarks, content };
    },
  };
  return { refresh, source };
}
