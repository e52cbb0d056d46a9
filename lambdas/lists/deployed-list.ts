import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { cursorSeal } from '../records/cursor.ts';
import { deployedReplica, requestPatienceMs } from './deployed-replica.ts';
import type { ListSource } from './list-records.ts';
import type { ListingSpec } from './listing.ts';
import { recentRecords } from './recent-records.ts';
import { recordReader } from './record-store.ts';

/** What a list of a kind of record stands on inside Lambda, from the function's environment. */
export function deployedList(spec: ListingSpec): ListSource {
  const { RECORDS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'CURSOR_KEY');
  const { read, seen } = recentRecords(recordReader(dynamodbClient(), RECORDS_TABLE, backoff));
  return {
    replica: deployedReplica(spec, requestPatienceMs, seen),
    read,
    seal: cursorSeal(CURSOR_KEY),
  };
}
