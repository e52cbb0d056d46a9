import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { toIso } from '../platform/clock.ts';
import { readString, type Write } from './item-store.ts';
import { recordSortKey, toItemKey } from './record-item.ts';

// The sparse index `due` contains work that is due at a certain time, one partition per kind of work, sorted by `<due
// time>#<id>`. The sparse index `about` contains the open incidents of each configuration item.
//
// | Access pattern             | Call  | Key                                 |
// |----------------------------|-------|-------------------------------------|
// | due work of a partition    | Query | index due, due_pk, due_sk up to now |

export const dueIndex = 'due';

/** The ids that are due in a partition, longest overdue first, page by page. */
export type FindDueIds = (partition: string, nowMs: number) => AsyncIterable<string[]>;

export function createDueIdFinder(client: DynamoDBClient, table: string): FindDueIds {
  return async function* (partition, nowMs) {
    let start: QueryCommandOutput['LastEvaluatedKey'];
    for (let page = 0; page < maxPages; page++) {
      const found: QueryCommandOutput = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: dueIndex,
          KeyConditionExpression: 'due_pk = :partition AND due_sk <= :now',
          // Sort keys are `<due time>#<id>`, and # sorts before ~, so this includes everything due right now.
          ExpressionAttributeValues: {
            ':partition': { S: partition },
            ':now': { S: `${toIso(nowMs)}~` },
          },
          Limit: pageSize,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      yield (found.Items ?? []).map((item) => readString(item, 'pk'));
      start = found.LastEvaluatedKey;
      if (!start) return;
    }
  };
}

/** Moves an overdue key behind the others, so that work that fails repeatedly does not starve them. */
export function buildPostponeWrite(id: string, nowMs: number): Write {
  const update = {
    Key: toItemKey(id, recordSortKey),
    UpdateExpression: 'SET due_sk = :later',
    // The index may lag behind a key that was moved already.
    ConditionExpression: 'due_sk <= :now',
    ExpressionAttributeValues: {
      ':later': { S: `${toIso(nowMs + postponementMs)}#${id}` },
      ':now': { S: `${toIso(nowMs)}~` },
    },
  };
  return { name: 'due key', update };
}

const postponementMs = 60_000;

const pageSize = 200;

/** The next sweep processes the rest. */
const maxPages = 25;

// | Access pattern                              | Call  | Key                                          |
// |---------------------------------------------|-------|----------------------------------------------|
// | the open incidents of an item, newest first | Query | index about, about_pk = id of the item       |

/** The ids of the newest open incidents about a configuration item. */
export type FindOpenIncidentIds = (ciId: string, limit: number) => Promise<string[]>;

export function createOpenIncidentFinder(client: DynamoDBClient, table: string): FindOpenIncidentIds {
  return async (ciId, limit) => {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'about',
        KeyConditionExpression: 'about_pk = :ci',
        ExpressionAttributeValues: { ':ci': { S: ciId } },
        ScanIndexForward: false,
        Limit: limit,
      }),
    );
    return (Items ?? []).map((item) => readString(item, 'pk'));
  };
}
