import type { Access, Input } from '../../../../local/aws/service.ts';
import { n, s, scan } from './case.ts';
import { type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openDynamoDb();
});

afterEach(() => fixture.close());

const run = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
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
    expect(await actions('TransactGetItems', [{ Get: { ...on, Key: key } }])).toEqual([['dynamodb:GetItem', arn]]);
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
