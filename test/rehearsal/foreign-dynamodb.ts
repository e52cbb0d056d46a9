import { isDeepStrictEqual } from 'node:util';
import type { AwsHttpResponse } from '../../local/aws/service.ts';
import { operator } from '../../local/aws/service.ts';
import type { ForeignResponse, ForeignService, Tools } from './foreign-aws.ts';

/** DynamoDB elsewhere: responses must be equal. A table is created when a function first names it. */
export function createForeignDynamoDb(): ForeignService {
  const tables = new Map<string, Promise<void>>();
  return {
    operations: /^/,
    async prepare(request, tools) {
      for (const name of findTableNames(JSON.parse(request.body.toString()))) {
        const creation = tables.get(name) ?? createTable(name, tools);
        tables.set(name, creation);
        await creation;
      }
    },
    compare,
  };
}

async function createTable(name: string, { own, call }: Tools): Promise<void> {
  const describe = own.call?.('DescribeTable', { TableName: name }, () => {}, operator);
  const { Table } = ((await describe?.catch(() => ({}))) ?? {}) as { Table?: Record<string, unknown> };
  if (Table) await call('DynamoDB_20120810.CreateTable', toCreation(Table));
}

function findTableNames(input: Record<string, unknown>): string[] {
  const {
    TableName,
    RequestItems = {},
    TransactItems = [],
  } = input as {
    TableName?: string;
    RequestItems?: object;
    TransactItems?: readonly Record<string, { TableName: string }>[];
  };
  const inItems = TransactItems.flatMap((item) => Object.values(item).map((each) => each.TableName));
  return [...new Set([...(TableName ? [TableName] : []), ...Object.keys(RequestItems), ...inItems])];
}

function toCreation(table: Record<string, unknown>): object {
  const { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = table;
  const indexes = (GlobalSecondaryIndexes ?? []) as readonly Record<string, unknown>[];
  return {
    TableName,
    AttributeDefinitions,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
        IndexName,
        KeySchema: keys,
        Projection,
      })),
    }),
  };
}

/** Says how the responses differ; undefined if they do not. */
function compare(own: AwsHttpResponse, theirs: ForeignResponse): string | undefined {
  const [mine, other] = [JSON.parse(own.body.toString() || '{}'), JSON.parse(theirs.body.toString() || '{}')];
  if (own.status !== theirs.status || own.status !== 200) {
    const names = [mine, other].map(({ __type = 'success' }) => String(__type).replace(/.*#/, ''));
    if (names[0] === names[1]) return undefined;
    return `${names[0]} here, ${names[1]} there (${String(other.message ?? other.Message).slice(0, 200)})`;
  }
  const [a, b] = [mine, other].map(normalize);
  return isDeepStrictEqual(a, b)
    ? undefined
    : `${JSON.stringify(a).slice(0, 300)} here, ${JSON.stringify(b).slice(0, 300)} there`;
}

/** Without capacity, which implementations count differently. Items with the same key of an index have no order. */
function normalize({ ConsumedCapacity, ItemCollectionMetrics, ...output }: Record<string, unknown>): unknown {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort()
        .map(([name, each]) => [name, sorted(each)]),
    );
  };
  return sorted(output);
}
