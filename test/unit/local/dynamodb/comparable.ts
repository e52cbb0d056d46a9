// Removes what cannot be equal in two responses: ids, times, sequence numbers and arbitrary order.
import type { RecordedCall } from './case.ts';

/** Ids and times are compared by their presence only. */
const replaced = new Set([
  'CreationDateTime',
  'LastUpdateToPayPerRequestDateTime',
  'CreationRequestDateTime',
  'ApproximateCreationDateTime',
  'LatestStreamLabel',
  'LatestStreamArn',
  'StreamArn',
  'StreamLabel',
  'ShardId',
  'ShardIterator',
  'NextShardIterator',
  'SequenceNumber',
  'StartingSequenceNumber',
  'eventID',
]);

/** DynamoDB Local has no table ids, and returns 1970 for a throughput that never changed, which AWS omits. */
const dropped = new Set(['TableId', 'LastIncreaseDateTime', 'LastDecreaseDateTime']);

/** Lists in arbitrary order. */
const unorderedLists = new Set([
  'SS',
  'NS',
  'BS',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'ConsumedCapacity',
]);

export function comparable<T extends object>(answer: T, { operation, unordered }: RecordedCall): T {
  const walk = (value: unknown, name: string): unknown => {
    if (replaced.has(name) && value !== undefined) return `<${name}>`;
    if (Array.isArray(value)) {
      const elements = value.map((element) => walk(element, ''));
      const sorts =
        unorderedLists.has(name) || (unordered && name === 'Items') || (operation === 'BatchGetItem' && name !== 'L');
      return sorts ? elements.sort(byText) : elements;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !dropped.has(key))
        .sort(([one], [two]) => (one < two ? -1 : 1))
        .map(([key, content]) => [key, walk(content, key)]),
    );
  };
  return walk(answer, '') as T;
}

function byText(one: unknown, two: unknown): number {
  return JSON.stringify(one) < JSON.stringify(two) ? -1 : 1;
}
