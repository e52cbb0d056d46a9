import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Backoff, backoff } from '../platform/retry.ts';
import { readMany, writeMany } from './batch-calls.ts';
import { type Item, readString } from './items.ts';
import { countNeeded, queryPages, type Range, type Slice, toKeyNames, toQuery } from './read-items.ts';
import { type Outcome, transact, type Write, writeOne } from './write-items.ts';

// | Access pattern                     | Call               | Key                                    |
// |------------------------------------|--------------------|----------------------------------------|
// | one record                         | GetItem            | pk = id, sk = #                        |
// | the parts of a record, in order    | Query              | pk = id, sk begins with its kind       |
// | a change of one item               | PutItem, UpdateItem| the record                             |
// | a change with all its items        | TransactWriteItems | the record, its history, its notes …   |
// | items without conditions           | BatchWriteItem     | events                                 |

export interface ItemStore {
  get(pk: string, sk: string): Promise<Item | undefined>;
  /** Returns the items that exist, or only these attributes of them, in any order. */
  getMany(keys: readonly Item[], attributes?: readonly string[]): Promise<Item[]>;
  /** Writes all or nothing. A single write is no transaction, which would cost twice as much. */
  transact(writes: readonly Write[]): Promise<Outcome>;
  /** Writes different items, each on its own. After an error, some may be written. */
  putMany(items: readonly Item[]): Promise<void>;
  /** Returns the first items that pass the filter, up to `limit` or `maxBytes`. */
  range(range: Range, limit: number): Promise<Item[]>;
  /** Makes one query, which examines at most `limit` items, or about 1 MB of them. */
  slice(range: Range, limit: number, select?: 'COUNT'): Promise<Slice>;
}

export function createItemStore(client: DynamoDBClient, table: string, wait: Backoff = backoff): ItemStore {
  return {
    async get(pk, sk) {
      const Key = { pk: { S: pk }, sk: { S: sk } };
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item;
    },
    getMany: (keys, attributes = []) => readMany({ client, name: table, wait }, keys, attributes),
    putMany: (items) => writeMany({ client, name: table, wait }, items),
    transact(writes) {
      const [first, ...others] = writes;
      return first && others.length === 0 ? writeOne(client, table, first) : transact(client, table, writes);
    },
    async range(range, limit) {
      const found: Item[] = [];
      // DynamoDB filters after reading, so a page may hold fewer items than requested.
      const pageSize = range.filter ? {} : { Limit: limit };
      for await (const page of queryPages(client, { ...toQuery(table, range), ...pageSize })) {
        found.push(...(page.Items ?? []));
        if (countNeeded(found, limit, range) !== undefined) break;
      }
      return found.slice(0, countNeeded(found, limit, range));
    },
    async slice(range, limit, select) {
      const query = { ...toQuery(table, range), Limit: limit, ...(select && { Select: select }) };
      const { Items = [], Count = 0, ScannedCount = 0, LastEvaluatedKey } = await client.send(new QueryCommand(query));
      const last = LastEvaluatedKey && readString(LastEvaluatedKey, toKeyNames(range).sk);
      return { items: Items, count: Count, examined: ScannedCount, last };
    },
  };
}
