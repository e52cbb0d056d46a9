import { feedStore } from '../../lists/feed-store.ts';
import { requestPatienceMs } from '../../lists/wiring.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { learnedType } from '../learning/learned-store.ts';
import { type LiveIndex, liveIndex } from './live-index.ts';

/** What was learned, inside Lambda. */
export function deployedIndex(): LiveIndex {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return liveIndex(feedStore(dynamodbClient(), RECORDS_TABLE, learnedType), clock, requestPatienceMs);
}
