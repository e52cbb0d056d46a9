import type { Input } from '../../../../local/aws/service.ts';
import fc from '../../../support/properties.ts';
import { b, bool, get, l, m, n, ns, put, query, remove, s, scan, ss, table, update } from './case.ts';
import { type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openDynamoDb();
});

afterEach(() => fixture.close());

const run = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
const key = { pk: s('a'), sk: s('1') };

describe('DynamoDB service', () => {
  beforeEach(() => fixture.dynamoDb.ensureTable(tableProperties()));

  const send = (target: string, body: string) =>
    fixture.dynamoDb.service.handle(
      {
        method: 'POST',
        path: '/',
        query: new URLSearchParams(),
        headers: { 'x-amz-target': target },
        body: Buffer.from(body),
      },
      () => {},
    );

  it('responds and rejects over HTTP like AWS', async () => {
    const good = await send('DynamoDB_20120810.ListTables', '{}');
    expect([good.status, JSON.parse(String(good.body))]).toEqual([200, { TableNames: ['things'] }]);
    const bad = await send('DynamoDB_20120810.GetItem', JSON.stringify({ TableName: 'absent', Key: key }));
    expect([bad.status, JSON.parse(String(bad.body))]).toEqual([
      400,
      {
        __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
        message: 'Requested resource not found',
      },
    ]);
  });

  it.each(['ExecuteStatement', 'BatchExecuteStatement', 'UpdateTable', 'toString'])(
    'rejects the unknown operation %s',
    async (operation) => {
      await expect(fixture.call(operation, {})).rejects.toMatchObject({ code: 'UnknownOperationException' });
    },
  );

  it.each([
    ['GetItem', { Key: key, AttributesToGet: ['a'] }],
    ['PutItem', { Item: key, Expected: {} }],
    ['UpdateItem', { Key: key, AttributeUpdates: {} }],
    ['Query', { KeyConditions: {} }],
    ['Scan', { ScanFilter: {} }],
    ['Scan', { FilterExpression: 'a = :a', ConditionalOperator: 'AND' }],
  ])('rejects the legacy parameters of %s', async (operation, input) => {
    await expect(fixture.call(operation, { TableName: 'things', ...input })).rejects.toThrow(
      /^The legacy parameter \w+ is not supported here; use \w+/,
    );
  });

  it.each([
    ['GetItem', { Key: key, ProjectionExpression: 'a[4294967295]' }],
    ['UpdateItem', { Key: key, UpdateExpression: 'REMOVE a[99999999999999999999]' }],
  ])('rejects a list index above the maximum in %s', async (operation, input) => {
    await expect(fixture.call(operation, { TableName: 'things', ...input })).rejects.toThrow(
      /^Invalid \w+Expression: List index is not within the allowable range; index: \[\d+\]$/,
    );
  });

  it('rejects transactions above 4 MB', async () => {
    const large = (sk: number) => ({ pk: s('large'), sk: s(`${sk}`), text: s('x'.repeat(399_000)) });
    const items = Array.from({ length: 11 }, (_, index) => large(index));
    const putAll = (count: number) =>
      fixture.call('TransactWriteItems', {
        TransactItems: items.slice(0, count).map((Item) => ({ Put: { TableName: 'things', Item } })),
      });
    const tooLarge = { code: 'ValidationException', message: expect.stringContaining('4 MB') };
    await expect(putAll(11)).rejects.toMatchObject(tooLarge);
    await putAll(10);
  });

  it('rejects item collection metrics', async () => {
    await expect(run(put('things', key, { ReturnItemCollectionMetrics: 'SIZE' }))).rejects.toThrow(
      'not supported here',
    );
  });

  it('accepts attribute names with a meaning in JavaScript', async () => {
    const names = { '#c': 'constructor', '#p': '__proto__', '#t': 'toString' };
    await run(
      update('things', key, 'SET #c = :v, #p = :v', {
        ExpressionAttributeNames: { '#c': names['#c'], '#p': names['#p'] },
        ExpressionAttributeValues: { ':v': n(1) },
      }),
    );
    const { Items } = await run(
      scan('things', {
        FilterExpression: 'attribute_exists(#c) AND attribute_exists(#p) AND attribute_not_exists(#t)',
        ExpressionAttributeNames: names,
      }),
    );
    expect(Object.keys(Items[0]).sort()).toEqual(['__proto__', 'constructor', 'pk', 'sk']);
  });

  it('keeps every type of value exactly after a restart', async () => {
    const item = {
      ...key,
      t: s('é😀'),
      num: n('-1.5'),
      bin: b('\x00\xff'),
      list: l(bool(false), { NULL: true }, m({ x: ss('a', 'b') })),
      nums: ns(1, 2),
    };
    await run(put('things', item));
    await fixture.restart();
    expect((await run(get('things', key))).Item).toEqual(item);
  });

  it('serializes concurrent writes', async () => {
    const bump = () => run(update('things', key, 'ADD v :one', { ExpressionAttributeValues: { ':one': n(1) } }));
    await Promise.all(Array.from({ length: 100 }, bump));
    expect((await run(get('things', key))).Item.v).toEqual(n(100));
  });

  it('lets one of two conditional writes succeed', async () => {
    const create = () => run(put('things', key, { ConditionExpression: 'attribute_not_exists(pk)' }));
    const results = await Promise.allSettled([create(), create(), create()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('counts calls and capacity by operation and table, until reset', async () => {
    await run(put('things', { ...key, v: s('x'.repeat(2000)) }));
    await run(get('things', key));
    await run(get('things', key, { ConsistentRead: true }));
    await run(remove('things', key, { ConditionExpression: 'attribute_not_exists(pk)' })).catch(() => {});
    expect(fixture.dynamoDb.usage()).toEqual({
      calls: { PutItem: { things: 1 }, GetItem: { things: 2 }, DeleteItem: { things: 1 } },
      consumed: { PutItem: { things: 2 }, GetItem: { things: 1.5 }, DeleteItem: { things: 2 } },
    });
    fixture.dynamoDb.resetUsage();
    expect(fixture.dynamoDb.usage()).toEqual({ calls: {}, consumed: {} });
  });
});

describe('scans and queries', () => {
  it('splits a scan into segments that hold each item once', async () => {
    fixture.dynamoDb.ensureTable(tableProperties());
    for (let first = 0; first < 200; first += 25) {
      const things = Array.from({ length: 25 }, (_, at) => ({
        PutRequest: { Item: { pk: s(`p${first + at}`), sk: s('1') } },
      }));
      await fixture.call('BatchWriteItem', { RequestItems: { things } });
    }
    const segments = await Promise.all(
      [0, 1, 2, 3].map((Segment) => run(scan('things', { Segment, TotalSegments: 4 }))),
    );
    const seen = segments.flatMap(({ Items }) => Items.map((item: Input) => item.pk.S));
    expect(new Set(seen).size).toBe(200);
    expect(seen).toHaveLength(200);
    for (const { Count } of segments) expect(Count).toBeGreaterThan(20);
  });

  it('pages through any number of items, each once, in both directions and on indexes', async () => {
    await run(
      table('paged', 'pk:S sk:N', {
        gsi: { byGroup: ['group:S', 'KEYS_ONLY'] },
        lsi: { byRank: ['pk:S rank:N', 'ALL'] },
      }),
    );
    for (let first = 0; first < 150; first += 25) {
      const paged = Array.from({ length: 25 }, (_, at) => ({
        PutRequest: { Item: { pk: s('p'), sk: n(first + at), group: s('g'), rank: n((first + at) % 3) } },
      }));
      await fixture.call('BatchWriteItem', { RequestItems: { paged } });
    }
    const all = Array.from({ length: 150 }, (_, at) => at);
    const byRank = [...all].sort((one, two) => (one % 3) - (two % 3) || one - two);
    const onGroup = { IndexName: 'byGroup', ExpressionAttributeNames: { '#g': 'group' } };
    expect(await queryInPages('pk = :p', {})).toEqual(all);
    expect(await queryInPages('pk = :p', { ScanIndexForward: false })).toEqual([...all].reverse());
    expect(await queryInPages('pk = :p', { IndexName: 'byRank' })).toEqual(byRank);
    expect(await queryInPages('#g = :p', onGroup, 'g')).toEqual(all);
    expect(await queryInPages('#g = :p', { ...onGroup, ScanIndexForward: false }, 'g')).toEqual([...all].reverse());
  });

  async function queryInPages(condition: string, more: object, partition = 'p'): Promise<number[]> {
    const seen: number[] = [];
    let ExclusiveStartKey: Input;
    for (let page = 0; page < 30; page++) {
      const start = ExclusiveStartKey ? { ExclusiveStartKey } : {};
      const response = await run(query('paged', condition, { ':p': s(partition) }, { ...more, ...start, Limit: 7 }));
      seen.push(...response.Items.map((item: Input) => Number(item.sk.N)));
      ExclusiveStartKey = response.LastEvaluatedKey;
      if (!ExclusiveStartKey) break;
    }
    return seen;
  }

  it('returns keys beyond 16 MB of a batch as unprocessed', async () => {
    fixture.dynamoDb.ensureTable(tableProperties());
    const keys = Array.from({ length: 45 }, (_, at) => ({ pk: s(`p${at}`), sk: s('1') }));
    for (const one of keys) await run(put('things', { ...one, v: s('x'.repeat(400_000)) }));
    const request = { Keys: keys, ProjectionExpression: 'pk' };
    const { Responses, UnprocessedKeys } = await fixture.call('BatchGetItem', { RequestItems: { things: request } });
    expect(Responses.things).toHaveLength(41);
    expect(UnprocessedKeys).toEqual({ things: { ...request, Keys: keys.slice(41) } });
  });
});

describe('transactions', () => {
  beforeEach(() => fixture.dynamoDb.ensureTable(tableProperties()));

  const bump = (ClientRequestToken: string) =>
    fixture.call('TransactWriteItems', {
      ClientRequestToken,
      TransactItems: [
        {
          Update: {
            TableName: 'things',
            Key: key,
            UpdateExpression: 'ADD v :one',
            ExpressionAttributeValues: { ':one': n(1) },
          },
        },
      ],
    });

  it('stores a token for ten minutes, also across a restart', async () => {
    await bump('token');
    await fixture.clock.advance(9 * 60 * 1000);
    await fixture.restart();
    await bump('token');
    expect((await run(get('things', key))).Item.v).toEqual(n(1));
    await fixture.clock.advance(2 * 60 * 1000);
    await bump('token');
    expect((await run(get('things', key))).Item.v).toEqual(n(2));
  });

  it('recognizes a transaction regardless of the order of its members', async () => {
    await bump('token');
    const again = (one: number) =>
      fixture.call('TransactWriteItems', {
        TransactItems: [
          {
            Update: {
              ExpressionAttributeValues: { ':one': n(one) },
              UpdateExpression: 'ADD v :one',
              Key: key,
              TableName: 'things',
            },
          },
        ],
        ClientRequestToken: 'token',
      });
    await again(1);
    expect((await run(get('things', key))).Item.v).toEqual(n(1));
    await expect(again(2)).rejects.toMatchObject({ code: 'IdempotentParameterMismatchException' });
  });

  it('does not store the token of a transaction that was rolled back', async () => {
    const [, failed] = await Promise.allSettled([
      bump('token'),
      fixture.storage.writeChecked(() => {
        fixture.storage.prepare('UPDATE dynamodb_used_tokens SET expires_ms = 0').run();
        throw new Error('the disk is full');
      }),
    ]);
    expect(failed.status).toBe('rejected');
    await bump('token');
    expect((await run(get('things', key))).Item.v).toEqual(n(1));
  });

  it('does not store the token of a transaction that a full disk rejected', async () => {
    const { page_count: pages } = fixture.storage.prepare('PRAGMA page_count').get()!;
    fixture.storage.exec(`PRAGMA max_page_count = ${pages}`);
    const put = () =>
      fixture.call('TransactWriteItems', {
        ClientRequestToken: 'token',
        TransactItems: [{ Put: { TableName: 'things', Item: { ...key, text: { S: 'x'.repeat(20_000) } } } }],
      });
    await expect(put()).rejects.toThrow('The disk is full.');
    expect((await run(get('things', key))).Item).toBeUndefined();
    fixture.storage.exec('PRAGMA max_page_count = 100000');
    await put();
    expect((await run(get('things', key))).Item).toMatchObject(key);
  });

  it('does not store the token of a cancelled transaction', async () => {
    const attempt = (ConditionExpression: string) =>
      fixture.call('TransactWriteItems', {
        ClientRequestToken: 'once',
        TransactItems: [{ Put: { TableName: 'things', Item: key, ConditionExpression } }],
      });
    await expect(attempt('attribute_exists(pk)')).rejects.toMatchObject({ code: 'TransactionCanceledException' });
    await attempt('attribute_not_exists(pk)');
    expect((await run(get('things', key))).Item).toEqual(key);
  });
});

const toKey = (index: number) => ({ pk: s(`k${index}`), sk: s('1') });
const items = async () => {
  const found = [];
  for (let index = 0; index < 5; index++) found.push((await run(get('things', toKey(index)))).Item ?? null);
  return found;
};

const kinds = ['put', 'update', 'remove', 'get', 'rejected', 'undone'] as const;

/** Fails a whole commit after its first change. */
async function undo(index: number, value: number): Promise<void> {
  const [, failed] = await Promise.allSettled([
    run(put('things', { ...toKey(index), v: n(value), by: s('nobody') })),
    fixture.storage.writeChecked(() => {
      fixture.storage.prepare('DELETE FROM dynamodb_used_tokens').run();
      throw new Error('the disk is full');
    }),
  ]);
  expect(failed.status).toBe('rejected');
}

async function act(kind: (typeof kinds)[number], index: number, value: number): Promise<unknown> {
  const key = toKey(index);
  if (kind === 'put') return run(put('things', { ...key, v: n(value), put: s('x'.repeat(value)) }));
  if (kind === 'update') {
    const more = { ExpressionAttributeValues: { ':v': n(value), ':w': s('w') } };
    return run(update('things', key, 'SET v = :v, w = :w ADD counted :v', more));
  }
  if (kind === 'remove') return run(remove('things', key));
  if (kind === 'undone') return undo(index, value);
  if (kind === 'get') return run(get('things', key));
  const condition = { ConditionExpression: 'v = :never', ExpressionAttributeValues: { ':never': n(-1) } };
  return run(put('things', { ...key, v: n(value) }, condition)).catch((error: Error) => error);
}

describe('cached items', () => {
  beforeEach(() => fixture.dynamoDb.ensureTable(tableProperties()));

  it('equal the stored items after any sequence of calls', async () => {
    const step = fc.tuple(fc.constantFrom(...kinds), fc.nat(4), fc.integer({ min: 1, max: 50 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        for (const [kind, index, value] of steps) await act(kind, index, value);
        const before = await items();
        await fixture.restart();
        expect(await items()).toEqual(before);
        expect(JSON.stringify(before)).not.toContain('nobody');
      }),
      { numRuns: 25 },
    );
  });
});
