// Items of expendable tables are written a moment later; nobody may notice but who pulls the plug.
import fc from 'fast-check';
import { get, n, put, query, remove, s, scan, update } from './case.ts';
import { type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

let fixture: Fixture;

const expendable = tableProperties({
  TableName: 'counters',
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
});

beforeEach(async () => {
  fixture = await openDynamoDb();
  fixture.dynamoDb.ensureTable(tableProperties());
  fixture.dynamoDb.ensureTable(expendable);
});
afterEach(() => fixture.close());

const call = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
const extractKey = (index: number) => ({ pk: s('counter'), sk: s(`${index}`) });

/** The rows that the storage has of the expendable table. */
const written = () => {
  const row = fixture.storage.prepare("SELECT id FROM dynamodb_tables WHERE name = 'counters'").get()!;
  return fixture.storage.prepare(`SELECT item FROM dynamodb_items_${row.id}`).all().length;
};

const operations = {
  add: (table: string, index: number, value: number) =>
    update(table, extractKey(index), 'ADD used :v', {
      ExpressionAttributeValues: { ':v': n(value) },
      ReturnValues: 'ALL_NEW',
    }),
  join: (table: string, index: number, value: number) =>
    update(table, extractKey(index), 'ADD used :v', {
      ConditionExpression: 'used < :v',
      ExpressionAttributeValues: { ':v': n(value) },
      ReturnValues: 'UPDATED_OLD',
    }),
  put: (table: string, index: number, value: number) => put(table, { ...extractKey(index), used: n(value) }),
  remove: (table: string, index: number) => remove(table, extractKey(index), { ReturnValues: 'ALL_OLD' }),
  get: (table: string, index: number) => get(table, extractKey(index)),
  query: (table: string) => query(table, 'pk = :pk', { ':pk': s('counter') }),
  scan: (table: string) => scan(table),
  transact: (TableName: string, index: number, value: number) => ({
    operation: 'TransactWriteItems',
    input: {
      TransactItems: [
        { Put: { TableName, Item: { ...extractKey(index), used: n(value) } } },
        { Delete: { TableName, Key: extractKey(index + 1), ConditionExpression: 'attribute_exists(pk)' } },
      ],
    },
  }),
  batch: (table: string, index: number) => ({
    operation: 'BatchGetItem',
    input: { RequestItems: { [table]: { Keys: [extractKey(index)] } } },
  }),
  restart: undefined,
} as const;

/** What it answers or why not, without the table's name. */
async function answer(
  make: NonNullable<(typeof operations)[keyof typeof operations]>,
  table: string,
  at: [number, number],
) {
  try {
    return JSON.stringify(await call(make(table, ...at))).replaceAll(table, 'table');
  } catch (error) {
    return String(error);
  }
}

describe('items of expendable tables', () => {
  it('behave like the items of other tables', async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(operations)), fc.nat(3), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        for (const [name, index, value] of steps) {
          const make = operations[name as keyof typeof operations];
          if (!make) await fixture.restart();
          else
            expect(await answer(make, 'counters', [index, value])).toBe(await answer(make, 'things', [index, value]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are readable before they are written, and written once per interval', async () => {
    for (let times = 1; times <= 5; times++) {
      const { Attributes } = await call(operations.add('counters', 1, 1));
      expect(Attributes.used).toEqual(n(times));
    }
    expect(written()).toBe(0);
    await fixture.dynamoDb.stop();
    expect(written()).toBe(1);
  });

  it('change while the disk is full, and are written when there is space', async () => {
    await call(operations.add('counters', 1, 1));
    fixture.faults.set({ at: 'statement', error: 'ENOSPC' });
    await expect(call(operations.scan('counters'))).rejects.toThrow('The disk is full.');
    const { Attributes } = await call(operations.add('counters', 1, 1));
    expect(Attributes.used).toEqual(n(2));
    fixture.faults.clear();
    expect(await call(operations.scan('counters'))).toMatchObject({ Items: [{ used: n(2) }] });
  });

  it('return to their state before a transaction whose commit fails', async () => {
    await call(put('counters', { ...extractKey(1), used: n(1) }));
    await call(put('counters', { ...extractKey(2), used: n(1) }));
    for (const at of ['statement', 'commit'] as const) {
      const request = operations.transact('counters', 1, 9);
      const ClientRequestToken = `failing-${at}`;
      fixture.faults.set({ at, error: 'EIO', times: 1 });
      await expect(fixture.call(request.operation, { ...request.input, ClientRequestToken })).rejects.toThrow();
      fixture.faults.clear();
      expect(await call(get('counters', extractKey(1)))).toMatchObject({ Item: { used: n(1) } });
      expect(await call(get('counters', extractKey(2)))).toMatchObject({ Item: { used: n(1) } });
    }
  });

  it('expire before they are written', async () => {
    await fixture.call('UpdateTimeToLive', {
      TableName: 'counters',
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    });
    const expires = n(Math.floor(fixture.clock.now() / 1000) + 30);
    await call(put('counters', { ...extractKey(1), expires }));
    await fixture.clock.advance(3 * 60_000);
    expect(await call(get('counters', extractKey(1)))).toEqual({});
  });

  it('are deleted with their table', async () => {
    await call(put('counters', { ...extractKey(1), used: n(1) }));
    await fixture.call('DeleteTable', { TableName: 'counters' });
    fixture.dynamoDb.ensureTable(expendable);
    expect(await call(scan('counters'))).toMatchObject({ Count: 0 });
  });
});
