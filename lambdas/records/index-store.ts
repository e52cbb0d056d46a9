import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { toIso } from '../platform/clock.ts';
import { toShard } from '../platform/ids.ts';
import type { ItemStore } from './item-store.ts';
import { type Item, readString } from './items.ts';
import type { Range } from './read-items.ts';
import { recordSortKey, toItemKey } from './record-item.ts';
import type { Write } from './write-items.ts';

// The sparse index `due` contains work that is due at a certain time, one partition per kind of work, sorted by `<due
// time>#<id>`. The sparse index `about` contains the open incidents of each configuration item.
//
// | Access pattern             | Call  | Key                                 |
// |----------------------------|-------|-------------------------------------|
// | due work of a partition    | Query | index due, due_pk, due_sk up to now |

/** A kind of due work. Its partitions `<kind>#<shard>` distribute the writes. */
export interface DueWork {
  kind: string;
  shards: number;
}

export function toDueKeys({ kind, shards }: DueWork, id: string, dueMs: number): { due_pk: string; due_sk: string } {
  return { due_pk: `${kind}#${toShard(id, shards)}`, due_sk: `${toIso(dueMs)}#${id}` };
}

/** The keys of due items, longest overdue first, page by page, for each shard. */
export type FindDue = (nowMs: number) => AsyncIterable<Item[]>[];

export function createDueFinder(store: Pick<ItemStore, 'slice'>, { kind, shards }: DueWork): FindDue {
  return (nowMs) => Array.from({ length: shards }, (_, shard) => readDue(store, `${kind}#${shard}`, nowMs));
}

async function* readDue(store: Pick<ItemStore, 'slice'>, pk: string, nowMs: number): AsyncIterable<Item[]> {
  // Sort keys are `<due time>#<id>`, and # sorts before ~, so this includes everything due right now.
  const range: Range = { index: 'due', pk, prefix: '0', to: `${toIso(nowMs)}~` };
  for (let page = 0; page < maxPages; page++) {
    const { items, last } = await store.slice(range, pageSize);
    yield items;
    if (last === undefined) return;
    range.after = last;
  }
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
