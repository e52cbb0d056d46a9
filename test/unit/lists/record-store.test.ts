import type { BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import { createDynamoRecordReader, createRecordCache, type ReadRecord } from '../../../lambdas/lists/record-store.ts';

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

describe('createDynamoRecordReader', () => {
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

  it('retries unprocessed keys', async () => {
    const { read, calls } = table(40);
    expect((await read(ids.slice(0, 100))).map(({ record }) => record.id)).toEqual(ids.slice(0, 100));
    expect(calls).toEqual([100, 60, 20]);
  });

  it('fails after several empty responses', async () => {
    const { read, calls } = table(0);
    await expect(read(ids.slice(0, 5))).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toHaveLength(8);
  });

  it('omits deleted records', async () => {
    const { read } = table(100, [ids[1]!]);
    expect((await read(ids.slice(0, 3))).map(({ record }) => record.id)).toEqual([ids[0], ids[2]]);
  });
});

/** A cacheTable whose records are what `contents` says, with every call noted. */
function cacheTable(contents: Record<string, { key: string; bytes?: number }>) {
  const calls: string[][] = [];
  const state = { contents, calls, whileReading: async () => {} };
  const read = async (ids: readonly string[]) => {
    calls.push([...ids]);
    const found = ids.flatMap((id) => {
      const content = state.contents[id];
      if (!content) return [];
      return [{ record: { id }, feedKey: content.key, bytes: content.bytes ?? 10 } as unknown as ReadRecord<never>];
    });
    await state.whileReading();
    return found;
  };
  return { state, read };
}

const toKeys = (records: readonly ReadRecord<unknown>[]) => records.map(({ feedKey }) => feedKey);

describe('createRecordCache', () => {
  it('reads a record once while its feed key is unchanged', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' } });
    const recent = createRecordCache(read);
    await recent.read(['A', 'B']);
    recent.onFeedEntry('A', '1#A');
    expect(toKeys(await recent.read(['C', 'B', 'A']))).toEqual(['1#C', '1#B', '1#A']);
    expect(state.calls).toEqual([['A', 'B'], ['C']]);
  });

  it('reads it again when the feed shows another key', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    recent.onFeedEntry('A', '2#A');
    expect(toKeys(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('does not cache a record that changed during the read', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    state.whileReading = async () => recent.onFeedEntry('A', '2#A');
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    expect(toKeys(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('omits missing records and does not cache their absence', async () => {
    const { state, read } = cacheTable({});
    const recent = createRecordCache(read);
    expect(await recent.read(['A'])).toEqual([]);
    state.contents.A = { key: '1#A' };
    expect(toKeys(await recent.read(['A']))).toEqual(['1#A']);
  });

  it('evicts the least recently used record', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' }, D: { key: '1#D' } });
    const recent = createRecordCache(read, 40);
    await recent.read(['A', 'B', 'C', 'D']);
    state.contents.E = { key: '1#E' };
    await recent.read(['A']);
    await recent.read(['E']);
    state.calls.length = 0;
    await recent.read(['A', 'B']);
    expect(state.calls).toEqual([['B']]);
  });

  it('makes no call for an empty page', async () => {
    const { state, read } = cacheTable({});
    expect(await createRecordCache(read).read([])).toEqual([]);
    expect(state.calls).toEqual([]);
  });
});
