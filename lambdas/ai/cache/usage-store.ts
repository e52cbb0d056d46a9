import { BatchGetItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { maxAiStatisticsDays } from '../../../contract/ai-statistics.ts';
import { dayMs, toUtcDate } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { readString } from '../../records/items.ts';

// | Access pattern             | Call         | Key                                 |
// |----------------------------|--------------|-------------------------------------|
// | count a hit or a miss      | UpdateItem   | pk = usage#<date in UTC>, sk = #    |
// | the counts of several days | BatchGetItem | the same, at most 90                |
//
// A retry after a lost response counts twice. That is acceptable for a rate; a transaction would cost twice as much.

export interface DayUsage {
  hits: number;
  misses: number;
}

export interface UsageStore {
  count(outcome: keyof DayUsage, nowMs: number): Promise<void>;
  /** The counts by date. A day without answers is absent. */
  read(dates: readonly string[]): Promise<ReadonlyMap<string, DayUsage>>;
}

export function createUsageStore(client: DynamoDBClient, table: string): UsageStore {
  const toKey = (date: string) => ({ pk: { S: `${prefix}${date}` }, sk: { S: '#' } });
  return {
    async count(outcome, nowMs) {
      const expiresAt = Math.ceil((nowMs + (maxAiStatisticsDays + 1) * dayMs) / 1_000);
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toKey(toUtcDate(nowMs)),
          UpdateExpression: 'ADD #outcome :one SET expires_at = :expires',
          ExpressionAttributeNames: { '#outcome': outcome },
          ExpressionAttributeValues: { ':one': { N: '1' }, ':expires': { N: String(expiresAt) } },
        }),
      );
    },
    async read(dates) {
      const RequestItems = { [table]: { Keys: dates.map(toKey) } };
      const { Responses, UnprocessedKeys } = await client.send(new BatchGetItemCommand({ RequestItems }));
      // Missing days would look like days without answers.
      if (UnprocessedKeys?.[table])
        throw new ServiceError('unavailable', 'The table did not return all days. Try again.');
      return new Map(
        (Responses?.[table] ?? []).map((item) => [
          readString(item, 'pk').slice(prefix.length),
          { hits: Number(item.hits?.N ?? 0), misses: Number(item.misses?.N ?? 0) },
        ]),
      );
    },
  };
}

const prefix = 'usage#';
