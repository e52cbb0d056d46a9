import type { Access, Input } from '../../../../local/aws/service.ts';
import { resourceTypes } from '../../../../local/dynamodb/resource-types.ts';
import { n, put, s, scan } from './case.ts';
import { environment, type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

const byOwner = {
  IndexName: 'byOwner',
  KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};
const withOwner = tableProperties({
  AttributeDefinitions: [...tableProperties().AttributeDefinitions, { AttributeName: 'owner', AttributeType: 'S' }],
  GlobalSecondaryIndexes: [byOwner],
});

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openDynamoDb();
});

afterEach(() => fixture.close());

const run = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);

describe('ensureTable', () => {
  it('creates the table once and keeps its items after restarts', async () => {
    fixture.dynamoDb.ensureTable(tableProperties());
    await run(put('things', { pk: s('a'), sk: s('1') }));
    await fixture.restart();
    fixture.dynamoDb.ensureTable(tableProperties());
    expect((await run(scan('things'))).Items).toEqual([{ pk: s('a'), sk: s('1') }]);
  });

  it('backfills a new global index', async () => {
    fixture.dynamoDb.ensureTable(tableProperties());
    await run(put('things', { pk: s('a'), sk: s('1'), owner: s('o'), v: n(1) }));
    await run(put('things', { pk: s('b'), sk: s('1') }));
    fixture.dynamoDb.ensureTable(withOwner);
    expect((await run(scan('things', { IndexName: 'byOwner' }))).Items).toEqual([
      { pk: s('a'), sk: s('1'), owner: s('o') },
    ]);
  });

  it('drops a removed index and can create it again', async () => {
    fixture.dynamoDb.ensureTable(withOwner);
    await run(put('things', { pk: s('a'), sk: s('1'), owner: s('o') }));
    fixture.dynamoDb.ensureTable(tableProperties());
    await expect(run(scan('things', { IndexName: 'byOwner' }))).rejects.toThrow('does not have the specified index');
    fixture.dynamoDb.ensureTable(withOwner);
    expect((await run(scan('things', { IndexName: 'byOwner' }))).Count).toBe(1);
  });

  it.each([
    [
      'another range key',
      {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      },
    ],
    [
      'another key type',
      {
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'N' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
      },
    ],
    [
      'new local indexes',
      { LocalSecondaryIndexes: [{ ...byOwner, IndexName: 'local', KeySchema: tableProperties().KeySchema }] },
    ],
  ])('rejects a table with %s', (_what, change) => {
    fixture.dynamoDb.ensureTable(tableProperties());
    expect(() => fixture.dynamoDb.ensureTable(tableProperties(change))).toThrow('the table things exists with');
  });

  it('rejects a change of an existing index', () => {
    fixture.dynamoDb.ensureTable(withOwner);
    const changed = { ...withOwner, GlobalSecondaryIndexes: [{ ...byOwner, Projection: { ProjectionType: 'ALL' } }] };
    expect(() => fixture.dynamoDb.ensureTable(changed)).toThrow('another index byOwner');
  });

  it('enables and disables the stream', async () => {
    const streamed = tableProperties({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
    fixture.dynamoDb.ensureTable(tableProperties());
    fixture.dynamoDb.ensureTable(streamed);
    const { LatestStreamArn } = (await fixture.call('DescribeTable', { TableName: 'things' })).Table;
    expect(LatestStreamArn).toBe('arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026-01-01T00:00:00.000');
    await run(put('things', { pk: s('a'), sk: s('1') }));
    const last = fixture.dynamoDb.streams.getLatestSequence(LatestStreamArn)!;
    fixture.dynamoDb.ensureTable(tableProperties());
    fixture.dynamoDb.ensureTable(streamed);
    expect(fixture.dynamoDb.streams.read(LatestStreamArn, undefined, 10)).toEqual([]);
    await run(put('things', { pk: s('b'), sk: s('1') }));
    expect(fixture.dynamoDb.streams.read(LatestStreamArn, last, 10)).toHaveLength(1);
  });
});

describe('load', () => {
  it('creates the tables of a template with their physical names', async () => {
    const { TableName: _, ...properties } = tableProperties();
    fixture.dynamoDb.load([
      {
        logicalId: 'Things',
        type: 'AWS::DynamoDB::Table',
        properties,
        physicalId: 'stack-Things',
        attributes: {},
        metadata: {},
      },
      {
        logicalId: 'Queue',
        type: 'AWS::SQS::Queue',
        properties: {},
        physicalId: 'queue',
        attributes: {},
        metadata: {},
      },
    ]);
    expect((await fixture.call('ListTables', {})).TableNames).toEqual(['stack-Things']);
  });
});

describe('the resource type of a table', () => {
  const type = resourceTypes['AWS::DynamoDB::Table']!;

  it('is named by the template or by stack and logical id', () => {
    expect(type.ref('Things', { TableName: 'mine' }, environment)).toBe('mine');
    expect(type.ref('Things', {}, environment)).toBe('stack-Things');
  });

  it('has a stream ARN only with a stream', () => {
    const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/stack-Things';
    expect(type.attributes!('Things', {}, environment)).toEqual({ Arn: arn });
    expect(type.attributes!('Things', { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }, environment)).toEqual({
      Arn: arn,
      StreamArn: `${arn}/stream/2026-01-01T00:00:00.000`,
    });
  });
});

const key = { pk: s('a'), sk: s('1') };

describe('access', () => {
  const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/things';

  /** Lists the permissions that a call requires, without running it. */
  async function listAccesses(operation: string, input: Input): Promise<Access[]> {
    let accesses: readonly Access[] = [];
    await fixture.dynamoDb.service
      .call(operation, input, (asked) => {
        accesses = asked;
        throw new Error('enough');
      })
      .catch(() => {});
    return accesses.map((access) => ({ ...access, ...(access.context ? { context: access.context } : {}) }));
  }

  beforeEach(() => fixture.dynamoDb.ensureTable(tableProperties()));

  it('requires the action on the table, with the context of conditions', async () => {
    const input = {
      TableName: 'things',
      Key: key,
      UpdateExpression: 'SET #n.x = :v REMOVE old',
      ConditionExpression: 'attribute_exists(pk) AND other = :v',
      ExpressionAttributeNames: { '#n': 'name' },
      ReturnValues: 'ALL_NEW',
    };
    expect(await listAccesses('UpdateItem', input)).toEqual([
      {
        action: 'dynamodb:UpdateItem',
        resource: arn,
        context: {
          'dynamodb:LeadingKeys': ['a'],
          'dynamodb:Attributes': ['pk', 'sk', 'other', 'name', 'old'],
          'dynamodb:ReturnValues': 'ALL_NEW',
        },
      },
    ]);
  });

  it('requires access to the index of a query', async () => {
    const input = {
      TableName: 'things',
      IndexName: 'byOwner',
      KeyConditionExpression: '#p = :p',
      ExpressionAttributeNames: { '#p': 'pk' },
      ExpressionAttributeValues: { ':p': s('a') },
    };
    expect(await listAccesses('Query', input)).toEqual([
      {
        action: 'dynamodb:Query',
        resource: `${arn}/index/byOwner`,
        context: {
          'dynamodb:LeadingKeys': ['a'],
          'dynamodb:Attributes': ['pk'],
          'dynamodb:Select': 'ALL_PROJECTED_ATTRIBUTES',
        },
      },
    ]);
  });

  it('requires each action of a transaction', async () => {
    const on = { TableName: 'things' };
    const writes = [
      { Put: { ...on, Item: key } },
      { Update: { ...on, Key: key } },
      { Delete: { ...on, Key: key } },
      { ConditionCheck: { ...on, Key: key } },
    ];
    const actions = async (operation: string, TransactItems: unknown) =>
      (await listAccesses(operation, { TransactItems })).map(({ action, resource }) => [action, resource]);
    expect(await actions('TransactWriteItems', writes)).toEqual([
      ['dynamodb:PutItem', arn],
      ['dynamodb:UpdateItem', arn],
      ['dynamodb:DeleteItem', arn],
      ['dynamodb:ConditionCheckItem', arn],
    ]);
  });

  it('requires one action per table of a batch, with all keys', async () => {
    const batch = await listAccesses('BatchWriteItem', {
      RequestItems: {
        things: [{ PutRequest: { Item: { ...key, v: n(1) } } }, { DeleteRequest: { Key: { pk: s('b'), sk: s('1') } } }],
      },
    });
    expect(batch).toEqual([
      {
        action: 'dynamodb:BatchWriteItem',
        resource: arn,
        context: { 'dynamodb:LeadingKeys': ['a', 'b'], 'dynamodb:Attributes': ['pk', 'sk', 'v'] },
      },
    ]);
    const [read] = await listAccesses('BatchGetItem', { RequestItems: { things: { Keys: [key] } } });
    expect(read).toMatchObject({ action: 'dynamodb:BatchGetItem', context: { 'dynamodb:Select': 'ALL_ATTRIBUTES' } });
  });

  it('runs nothing without permission', async () => {
    await listAccesses('PutItem', { TableName: 'things', Item: key });
    expect((await run(scan('things'))).Count).toBe(0);
  });
});
