import { createFeedStore } from '../../lists/feed-store.ts';
import { requestTimeoutMs } from '../../lists/wiring.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { learnedType } from '../learning/learned-store.ts';
import { type LiveIndex, liveIndex } from './live-index.ts';

/** What was learned, inside Lambda. */
export function deployedIndex(): LiveIndex {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return liveIndex(createFeedStore(dynamodbClient(), RECORDS_TABLE, learnedType), clock, requestTimeoutMs);
}
