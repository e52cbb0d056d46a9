import { createFeedStore, type FeedStore } from '../../lists/feed-store.ts';
import { FeedReader, parseFeedId, parseFeedTime, shareRuns } from '../../lists/live-replica.ts';
import { requestTimeoutMs } from '../../lists/replica-wiring.ts';
import {
  createSnapshotStore,
  type ReadContent,
  readSnapshot,
  type SnapshotKind,
  type SnapshotSource,
  type SnapshotStore,
} from '../../lists/snapshot-store.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { s3Client } from '../../platform/clients/s3.ts';
import { type Clock, clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { type Log, log } from '../../platform/log.ts';
import { memoize } from '../../platform/memoize.ts';
import { embedderName } from '../embedding/model-files.ts';
import { learnedType } from '../learning/learned-store.ts';
import { LearnedIndex } from './learned-index.ts';
import { learnedFormat } from './learned-item.ts';

/** Returns everything learned up to the call. */
export type LiveIndex = () => Promise<LearnedIndex>;

/** Snapshots of other embedders are ignored, because vectors of different embedders cannot be compared. */
export const learnedSnapshotKind: SnapshotKind = {
  type: 'learned',
  schema: { embedder: embedderName, format: learnedFormat, layout: 2 },
};

export interface LiveIndexOptions {
  feed: FeedStore;
  snapshots: SnapshotStore;
  clock: Clock;
  log: Log;
  /** Limits one catch-up; the next one continues. */
  timeoutMs: number;
}

/** Reading the feed for every learned record or cached answer would cost more than data that is two seconds old. */
const recentMs = 2_000;

/** Everything learned, from the environment of the function. */
export function createLearnedIndex(timeoutMs: number = requestTimeoutMs): DeployedIndex {
  const { RECORDS_TABLE, SNAPSHOTS_BUCKET } = env('RECORDS_TABLE', 'SNAPSHOTS_BUCKET');
  return createLiveIndex({
    feed: createFeedStore(dynamodbClient(), RECORDS_TABLE, learnedType),
    snapshots: createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET),
    clock,
    log,
    timeoutMs,
  });
}

export interface DeployedIndex {
  /** The first call loads the latest snapshot. Every call reads the new entries of the feed. */
  refresh: LiveIndex;
  /** Reads the feed at most every two seconds. */
  refreshRarely: LiveIndex;
  /** Undefined before the first load. */
  countLearned(): Promise<number | undefined>;
  getLastLearnedMs(): number;
  source: SnapshotSource<null>;
}

export function createLiveIndex(options: LiveIndexOptions): DeployedIndex {
  const { feed, snapshots, clock, log, timeoutMs } = options;
  let index: LearnedIndex | undefined;
  const reader = new FeedReader({
    feed,
    clock,
    timeoutMs,
    take: ({ key, listing }) => index?.apply(parseFeedId(key), parseFeedTime(key), listing),
  });
  const start = async (): Promise<LearnedIndex> => {
    const startedAtMs = clock.now();
    const snapshot = await readSnapshot(snapshots, learnedSnapshotKind, buildIndex, log);
    if (snapshot) reader.startAt(snapshot.watermarks);
    const started = snapshot?.built ?? new LearnedIndex();
    log('info', 'loaded the AI index', { records: started.size, duration_ms: clock.now() - startedAtMs });
    return started;
  };
  const refresh = shareRuns(async () => {
    index ??= await start();
    await reader.catchUp();
    return index;
  });
  const recent = memoize(refresh, recentMs, () => clock.now());
  const refreshRarely = () => recent('');
  const countLearned = async () => index && (await refreshRarely()).size;
  const source: SnapshotSource<null> = {
    async refresh() {
      const current = await refresh();
      const content = { rows: current.size, details: () => null, chunks: current.encode() };
      return { watermarks: reader.watermarks, content };
    },
  };
  const getLastLearnedMs = () => index?.lastAppliedMs ?? 0;
  return { refresh, refreshRarely, countLearned, getLastLearnedMs, source };
}

/** The index refers to the bytes of all chunks. */
async function buildIndex({ chunks }: ReadContent<null>): Promise<LearnedIndex> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return LearnedIndex.decode(all);
}
