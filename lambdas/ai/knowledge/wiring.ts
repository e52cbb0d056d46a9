import { createFeedStore } from '../../lists/feed-store.ts';
import { createSnapshotStore } from '../../lists/snapshot-store.ts';
import { requestTimeoutMs } from '../../lists/wiring.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { s3Client } from '../../platform/clients/s3.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { log } from '../../platform/log.ts';
import { learnedType } from '../learning/learned-store.ts';
import { createLiveIndex } from './live-index.ts';

/** What was learned, created from the function's environment. */
export function createLearnedIndex(timeoutMs: number = requestTimeoutMs) {
  const { RECORDS_TABLE, SNAPSHOTS_BUCKET } = env('RECORDS_TABLE', 'SNAPSHOTS_BUCKET');
  return createLiveIndex({
    feed: createFeedStore(dynamodbClient(), RECORDS_TABLE, learnedType),
    snapshots: createSnapshotStore(s3Client(), SNAPSHOTS_BUCKET),
    clock,
    log,
    timeoutMs,
  });
}
