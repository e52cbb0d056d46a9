import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type Item, measureItem } from './items.ts';

export interface Range {
  pk: string;
  /** Prefix of the sort key. */
  prefix: string;
  /** Only items after this sort key, in the requested order. */
  after?: string;
  /** Limits the sort keys further, inclusive. */
  from?: string;
  to?: string;
  /** Ascending by sort key by default; descending if the newest item has the greatest key. */
  order?: 'newest first';
  /** Reads this index. `pk` and the sort keys are then its attributes `<index>_pk` and `<index>_sk`. */
  index?: string;
  filter?: { expression: string; names: Record<string, string>; values: Item };
  /** Number of requested rows in an item; 1 by default. */
  size?(item: Item): number;
  /** Stops after the item that exceeds this total size. */
  maxBytes?: number;
}

export interface Slice {
  items: Item[];
  /** Number of items that pass the filter. */
  count: number;
  examined: number;
  /** The sort key of the last item examined; undefined at the end of the range. */
  last: string | undefined;
}

/** Hides expired items, which DynamoDB deletes some time later. */
export function buildExpiryFilter(nowMs: number): NonNullable<Range['filter']> {
  return {
    expression: '#expires > :now',
    names: { '#expires': 'expires_at' },
    values: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
}

/** Number of items until a limit is reached; undefined if more items are needed. */
export function countNeeded(
  items: readonly Item[],
  limit: number,
  { size = () => 1, maxBytes = Number.POSITIVE_INFINITY }: Pick<Range, 'size' | 'maxBytes'>,
): number | undefined {
  let held = 0;
  let bytes = 0;
  for (const [place, item] of items.entries()) {
    held += size(item);
    if (maxBytes < Number.POSITIVE_INFINITY) bytes += measureItem(item);
    if (held >= limit || bytes > maxBytes) return place + 1;
  }
  return undefined;
}

export function toKeyNames({ index }: Range): { pk: string; sk: string } {
  return index === undefined ? { pk: 'pk', sk: 'sk' } : { pk: `${index}_pk`, sk: `${index}_sk` };
}

export function toQuery(table: string, range: Range): QueryCommandInput {
  // All printable sort key characters in use sort before ~.
  const { pk, prefix, after, from: first = prefix, to: last = `${prefix}~`, order, filter, index } = range;
  const [from, to] = order
    ? [first, after === undefined ? last : toPreviousKey(after)]
    : [after === undefined ? first : `${after}\u0000`, last];
  const names = toKeyNames(range);
  return {
    TableName: table,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: `${names.pk} = :pk AND ${names.sk} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':pk': { S: pk },
      ':from': { S: from },
      ':to': { S: to },
      ...filter?.values,
    },
    ...(order && { ScanIndexForward: false }),
    ...(filter && { FilterExpression: filter.expression, ExpressionAttributeNames: filter.names }),
  };
}

/** Sort keys are printable ASCII, so no other key lies between this and the given one. */
function toPreviousKey(key: string): string {
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\u007f`;
}

export async function* queryPages(client: DynamoDBClient, input: QueryCommandInput) {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new QueryCommand({ ...input, ExclusiveStartKey: start }));
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
}
