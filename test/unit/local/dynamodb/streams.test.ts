import fc from '../../../support/properties.ts';
import { get, n, put, query, remove, s, scan, update } from './case.ts';
import { type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026-01-01T00:00:00.000';
const hourMs = 60 * 60 * 1000;

let fixture: Fixture;

afterEach(() => fixture.close());

const run = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
const read = (after?: string) => fixture.dynamoDb.streams.read(streamArn, after, 100);
const key = { pk: s('a'), sk: s('1') };

const toText = (image: unknown) => (image === undefined ? null : JSON.stringify(image));

async function openStreamTable(): Promise<void> {
  fixture = await openDynamoDb();
  fixture.dynamoDb.ensureTable(
    tableProperties({
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    }),
  );
}

describe('streams', () => {
  beforeEach(openStreamTable);

  it('returns records in the format of Lambda', async () => {
    await run(put('things', { ...key, v: n(1) }));
    await run(update('things', key, 'SET v = :v', { ExpressionAttributeValues: { ':v': n(2) } }));
    expect(read()).toEqual([
      expect.objectContaining({ eventName: 'INSERT' }),
      {
        eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventName: 'MODIFY',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'us-east-1',
        dynamodb: {
          ApproximateCreationDateTime: Date.parse('2026-03-01T10:00:30.000Z') / 1000,
          Keys: key,
          NewImage: { ...key, v: n(2) },
          OldImage: { ...key, v: n(1) },
          SequenceNumber: expect.stringMatching(/^\d{21}$/),
          SizeBytes: 24,
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
        eventSourceARN: streamArn,
      },
    ]);
  });

  it('returns the same records from the cache and from storage', async () => {
    for (let version = 1; version <= 3; version++) await run(put('things', { ...key, v: n(version) }));
    await run(remove('things', key));
    const large = s('x'.repeat(300_000));
    for (let index = 0; index < 8; index++) await run(put('things', { pk: s(`large${index}`), sk: s('1'), large }));
    const closely = read();
    const fromTheMiddle = read(closely[9]!.dynamodb.SequenceNumber);
    const texts = closely.map((record) => fixture.dynamoDb.streams.serialize(record));
    expect(texts.map((text) => JSON.parse(text))).toEqual(closely);
    await fixture.restart();
    expect(read()).toEqual(closely);
    expect(fromTheMiddle).toEqual(closely.slice(10));
  });

  it('reads the records of earlier releases, which stored images as texts', async () => {
    for (let version = 1; version <= 2; version++) await run(put('things', { ...key, v: n(version) }));
    await run(remove('things', key));
    const records = read();
    const { storage } = fixture;
    const { name } = storage.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'dynamodb_stream_%'").get()!;
    storage.exec(`ALTER TABLE ${name} ADD COLUMN new_image TEXT; ALTER TABLE ${name} ADD COLUMN old_image TEXT`);
    const write = storage.prepare(`UPDATE ${name} SET new_image = ?, old_image = ? WHERE sequence = ?`);
    for (const [index, { dynamodb }] of records.entries())
      write.run([toText(dynamodb.NewImage), toText(dynamodb.OldImage), index + 1]);
    storage.exec(`ALTER TABLE ${name} DROP COLUMN images`);
    await fixture.restart();
    expect(read()).toEqual(records);
  });

  it('has no record of a change that was rolled back', async () => {
    await run(put('things', { ...key, v: n(1) }));
    const [, failed] = await Promise.allSettled([
      run(put('things', { ...key, v: n(2) })),
      fixture.storage.writeChecked(() => {
        fixture.storage.prepare('DELETE FROM dynamodb_used_tokens').run();
        throw new Error('the disk is full');
      }),
    ]);
    expect(failed.status).toBe('rejected');
    await run(put('things', { ...key, v: n(3) }));
    expect(read().map(({ dynamodb }) => dynamodb.NewImage?.v)).toEqual([n(1), n(3)]);
  });

  it('continues after a sequence number, also after a restart', async () => {
    await run(put('things', { ...key, v: n(1) }));
    const first = fixture.dynamoDb.streams.getLatestSequence(streamArn)!;
    await fixture.restart();
    await run(put('things', { ...key, v: n(2) }));
    const [second, ...rest] = read(first);
    expect(rest).toEqual([]);
    expect(BigInt(second!.dynamodb.SequenceNumber)).toBeGreaterThan(BigInt(first));
    expect(fixture.dynamoDb.streams.getLatestSequence(streamArn)).toBe(second!.dynamodb.SequenceNumber);
  });

  it('notifies listeners after the commit until they unsubscribe', async () => {
    const heard: number[] = [];
    const leave = fixture.dynamoDb.streams.onRecords(streamArn, () => heard.push(read().length));
    await run(put('things', key));
    await run(remove('things', key));
    leave();
    await run(put('things', key));
    expect(heard).toEqual([1, 2]);
  });

  it('does not notify listeners of a rejected write', async () => {
    let heard = 0;
    fixture.dynamoDb.streams.onRecords(streamArn, () => heard++);
    await expect(run(put('things', key, { ConditionExpression: 'attribute_exists(pk)' }))).rejects.toThrow();
    expect(heard).toBe(0);
    expect(read()).toEqual([]);
  });

  it('retains records for 24 hours and never reuses a sequence number', async () => {
    await run(put('things', { ...key, v: n(1) }));
    const first = fixture.dynamoDb.streams.getLatestSequence(streamArn)!;
    await fixture.clock.advance(23 * hourMs);
    expect(read()).toHaveLength(1);
    await fixture.clock.advance(2 * hourMs);
    expect(read()).toEqual([]);
    await fixture.restart();
    await run(put('things', { ...key, v: n(2) }));
    const [second] = read();
    expect(BigInt(second!.dynamodb.SequenceNumber)).toBeGreaterThan(BigInt(first));
  });

  it('continues the sequence numbers when a table is deleted and recreated', async () => {
    await run(put('things', key));
    const before = fixture.dynamoDb.streams.getLatestSequence(streamArn)!;
    await fixture.call('DeleteTable', { TableName: 'things' });
    fixture.dynamoDb.ensureTable(tableProperties({ StreamSpecification: { StreamViewType: 'KEYS_ONLY' } }));
    await run(put('things', key));
    expect(read(before)).toHaveLength(1);
  });

  it('rejects a stream that no table has', () => {
    expect(() => fixture.dynamoDb.streams.read('arn:aws:x', undefined, 1)).toThrow('no table has the stream');
  });
});

describe('time to live', () => {
  beforeEach(openStreamTable);

  const nowSeconds = Date.parse('2026-03-01T10:00:30.000Z') / 1000;
  const count = async () => (await fixture.call('Scan', { TableName: 'things', Select: 'COUNT' })).Count;

  it('deletes an item at the end of the minute in which it expires', async () => {
    await run(put('things', { ...key, expires: n(nowSeconds + 3600) }));
    await fixture.clock.advance(59 * 60 * 1000);
    expect(await count()).toBe(1);
    await fixture.clock.advance(2 * 60 * 1000);
    expect(await count()).toBe(0);
  });

  it('writes a stream record that names the service', async () => {
    await run(put('things', { ...key, expires: n(nowSeconds + 10) }));
    await fixture.clock.advance(60_000);
    expect(read().at(-1)).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
      dynamodb: { OldImage: { ...key, expires: n(nowSeconds + 10) } },
    });
  });

  it('removes the item from the indexes', async () => {
    fixture.dynamoDb.ensureTable(
      tableProperties({
        TableName: 'indexed',
        AttributeDefinitions: [
          ...tableProperties().AttributeDefinitions,
          { AttributeName: 'owner', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byOwner',
            KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      }),
    );
    await run(put('indexed', { ...key, owner: s('o'), expires: n(nowSeconds) }));
    await fixture.clock.advance(60_000);
    expect((await fixture.call('Scan', { TableName: 'indexed', IndexName: 'byOwner' })).Count).toBe(0);
  });

  it('sweeps existing items after a restart', async () => {
    await run(put('things', { ...key, expires: n(nowSeconds + 600) }));
    await fixture.restart();
    await fixture.clock.advance(11 * 60 * 1000);
    expect(await count()).toBe(0);
  });

  it('deletes more items than fit one batch', async () => {
    const expiring = (index: number) => ({ pk: s('many'), sk: s(String(index)), expires: n(nowSeconds + 5) });
    for (let first = 0; first < 450; first += 25) {
      const things = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: expiring(first + at) } }));
      await fixture.call('BatchWriteItem', { RequestItems: { things } });
    }
    await fixture.clock.advance(60_000);
    expect(await count()).toBe(0);
  });

  it.each([
    ['text', s(String(nowSeconds - 10))],
    ['a time in milliseconds', n(nowSeconds * 1000)],
    ['a time more than five years ago', n(nowSeconds - 6 * 365 * 24 * 3600)],
  ])('ignores items with %s', async (_what, expires) => {
    await run(put('things', { ...key, expires }));
    await fixture.clock.advance(10 * 60 * 1000);
    expect(await count()).toBe(1);
  });

  it('ignores an item whose expiry was postponed', async () => {
    await run(put('things', { ...key, expires: n(nowSeconds + 60) }));
    await run(put('things', { ...key, expires: n(nowSeconds + 7200) }));
    await fixture.clock.advance(hourMs);
    expect(await count()).toBe(1);
  });

  it('expires items stored before it was enabled', async () => {
    fixture.dynamoDb.ensureTable(tableProperties({ TableName: 'later' }));
    await run(put('later', { ...key, until: n(nowSeconds + 60) }));
    await fixture.call('UpdateTimeToLive', {
      TableName: 'later',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
    });
    await fixture.clock.advance(5 * 60 * 1000);
    expect((await fixture.call('Scan', { TableName: 'later' })).Count).toBe(0);
  });
});

// Tables without point-in-time recovery are flushed asynchronously. Only a power failure may lose their latest writes.

const expendable = tableProperties({
  TableName: 'counters',
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
});

const call = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
const extractKey = (index: number) => ({ pk: s('counter'), sk: s(`${index}`) });

/** The number of rows that are in the storage. */
const countWritten = () => {
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

/** The response or the error message, without the table name. */
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
  beforeEach(async () => {
    fixture = await openDynamoDb();
    fixture.dynamoDb.ensureTable(tableProperties());
    fixture.dynamoDb.ensureTable(expendable);
  });

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
    expect(countWritten()).toBe(0);
    await fixture.dynamoDb.stop();
    expect(countWritten()).toBe(1);
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
