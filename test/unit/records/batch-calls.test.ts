import type { BatchWriteItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createItemStore } from '../../../lambdas/records/item-store.ts';
import { toItemKey } from '../../../lambdas/records/record-item.ts';

const items = Array.from({ length: 60 }, (_, index) => toItemKey(`THG${index}`, '#'));

/** A table that writes a limited number of items per call. */
function openTable(perCall: number) {
  const written: unknown[] = [];
  const calls: number[] = [];
  const client = {
    async send({ input }: { input: BatchWriteItemCommandInput }) {
      const requests = input.RequestItems!.things!;
      calls.push(requests.length);
      written.push(...requests.slice(0, perCall).map(({ PutRequest }) => PutRequest!.Item));
      return { UnprocessedItems: requests.length > perCall ? { things: requests.slice(perCall) } : {} };
    },
  };
  const store = createItemStore(client as unknown as DynamoDBClient, 'things', async () => {});
  return { store, written, calls };
}

describe('putMany', () => {
  it('writes 25 items per call, the most that DynamoDB takes', async () => {
    const { store, written, calls } = openTable(25);
    await store.putMany(items);
    expect(calls).toEqual([25, 25, 10]);
    expect(new Set(written)).toEqual(new Set(items));
  });

  it('writes again what DynamoDB had no capacity for', async () => {
    const { store, written } = openTable(10);
    await store.putMany(items);
    expect(written).toHaveLength(items.length);
    expect(new Set(written)).toEqual(new Set(items));
  });

  it('gives up when DynamoDB writes nothing, so that the stream delivers the batch again', async () => {
    await expect(openTable(0).store.putMany(items)).rejects.toThrow('The database is busy');
  });
});
