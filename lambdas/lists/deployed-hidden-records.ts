import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { type FindHidden, hiddenRecords } from '../records/hidden-records.ts';
import { deletedFinder } from './record-store.ts';

export function deployedHiddenRecords(): FindHidden {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return hiddenRecords(deletedFinder(dynamodbClient(), RECORDS_TABLE, backoff));
}
