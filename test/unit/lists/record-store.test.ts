import type { BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import { createDynamoRecordReader } from '../../../lambdas/lists/record-store.ts';

const ids = Array.from({ length: 200 }, (_, index) => formatRecordId(index * 7, 'INC'));

/** A table that gives at most so many items per call. */
function table(perCall: number, deleted: readonly string[] = []) {
  const calls: number[] = [];
  const client = {
    async send({ input }: { input: BatchGetItemCommandInput }) {
      const { Keys, ...rest } = input.RequestItems!.records!;
      calls.push(Keys!.length);
      // In no order, as DynamoDB answers.
      const given = Keys!.slice(0, perCall).reverse();
      const left = Keys!.slice(perCall);
      return {
        Responses: { records: given.map(({ pk }) => item(pk!.S!, deleted.includes(pk!.S!))) },
        UnprocessedKeys: left.length > 0 ? { records: { ...rest, Keys: left } } : {},
      };
    },
  };
  return { calls, read: createDynamoRecordReader(client as unknown as DynamoDBClient, 'records', async () => {}) };
}

function item(id: string, deleted: boolean) {
  return {
    pk: { S: id },
    version: { N: '1' },
    created_at: { S: '2026-03-01T00:00:00.000Z' },
    updated_at: { S: '2026-03-01T00:00:00.000Z' },
    document: { S: '{"a":"ü"}' },
    feed_sk: { S: `2026-03-01T00:00:00.000Z#${id}` },
    ...(deleted && { deleted: { BOOL: true } }),
  };
}

describe('recordReader', () => {
  it('reads 200 records in two calls and keeps the order of the ids', async () => {
    const { read, calls } = table(100);
    const records = await read(ids);
    expect(records.map(({ record }) => record.id)).toEqual(ids);
    expect(records[0]!.bytes).toBe(10);
    expect(calls).toEqual([100, 100]);
  });

  it('reads nothing for no ids', async () => {
    const { read, calls } = table(100);
    expect([await read([]), calls]).toEqual([[], []]);
  });

  it('asks again for what was not given', async () => {
    const { read, calls } = table(40);
    expect((await read(ids.slice(0, 100))).map(({ record }) => record.id)).toEqual(ids.slice(0, 100));
    expect(calls).toEqual([100, 60, 20]);
  });

  it('gives up when the table keeps giving nothing', async () => {
    const { read, calls } = table(0);
    await expect(read(ids.slice(0, 5))).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toHaveLength(8);
  });

  it('leaves deleted records out', async () => {
    const { read } = table(100, [ids[1]!]);
    expect((await read(ids.slice(0, 3))).map(({ record }) => record.id)).toEqual([ids[0], ids[2]]);
  });
});
