// Takes out of two answers what can never be equal: ids, times, sequence numbers, and orders that mean nothing.
import type { RecordedCall } from './case.ts';

/** Where an id or a time is, only that there is one is compared. */
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

/** DynamoDB Local has no table ids, and says 1970 for a throughput that never changed, where the service says nothing. */
const dropped = new Set(['TableId', 'LastIncreaseDateTime', 'LastDecreaseDateTime']);

/** Lists whose order says nothing. */
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
