// TransactWriteItems: all or nothing, with a reason for each item.
import { type Case, call, type Item, n, put, s, scan, ss, table } from '../case.ts';

const setup = [
  table('one', 'pk:S'),
  table('two', 'pk:S sk:N', { gsi: { byColour: ['colour:S', 'ALL'] } }),
  put('one', { pk: s('a'), v: n(1), w: s('x') }),
  put('one', { pk: s('b'), v: n(2) }),
  put('two', { pk: s('a'), sk: n(1), colour: s('red') }),
];
const write = (TransactItems: unknown, more: object = {}) => call('TransactWriteItems', { TransactItems, ...more });
const key = (pk: string) => ({ pk: s(pk) });
const Put = (Item: Item, more: object = {}) => ({ Put: { TableName: 'one', Item, ...more } });
const Update = (pk: string, UpdateExpression: string, values: Item | undefined, more: object = {}) => ({
  Update: {
    TableName: 'one',
    Key: key(pk),
    UpdateExpression,
    ...(values ? { ExpressionAttributeValues: values } : {}),
    ...more,
  },
});
const Delete = (pk: string, more: object = {}) => ({ Delete: { TableName: 'one', Key: key(pk), ...more } });
const Check = (pk: string, ConditionExpression: string | undefined, more: object = {}) => ({
  ConditionCheck: {
    TableName: 'one',
    Key: key(pk),
    ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
    ...more,
  },
});
const absent = 'attribute_not_exists(pk)';
const present = 'attribute_exists(pk)';
const old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

const rejected: [name: string, items: unknown][] = [
  ['nothing', []],
  ['an empty element', [{}]],
  [
    'two actions in an element',
    [{ Put: { TableName: 'one', Item: key('a') }, Delete: { TableName: 'one', Key: key('b') } }],
  ],
  ['a put without an item', [{ Put: { TableName: 'one' } }]],
  ['a put without a table', [{ Put: { Item: key('a') } }]],
  ['a put without a key', [Put({ v: n(1) })]],
  ['a put with a wrong key type', [Put({ pk: n(1) })]],
  ['a put with an empty key', [Put({ pk: s('') })]],
  ['a put with a bad number', [Put({ pk: s('a'), v: n('x') })]],
  ['a put into an absent table', [{ Put: { TableName: 'absent', Item: key('a') } }]],
  ['the same item twice', [Put(key('a')), Put(key('a'))]],
  ['the same item in two actions', [Check('a', present), Delete('a')]],
  ['an update without an expression', [{ Update: { TableName: 'one', Key: key('a') } }]],
  ['an update of the key', [Update('a', 'SET pk = :v', { ':v': s('x') })]],
  ['an update with a bad expression', [Update('a', 'SET x y', undefined)]],
  ['an update with unused values', [Update('a', 'SET x = :v', { ':v': n(1), ':w': n(2) })]],
  ['a condition check without a condition', [Check('a', undefined)]],
  ['a condition check with a bad condition', [Check('a', 'a b')]],
  ['a delete with a wrong key', [{ Delete: { TableName: 'one', Key: { other: s('a') } } }]],
  ['an item that is too big', [Put({ pk: s('big'), v: s('x'.repeat(409_601)) })]],
  ['more than 100 actions', Array.from({ length: 101 }, (_, index) => Put(key(`k${index}`)))],
];

export const cases: Case[] = [
  {
    name: 'writes all items of a transaction',
    setup,
    calls: [
      write([
        Put({ pk: s('new'), v: n('1.0') }, { ConditionExpression: absent }),
        Update('a', 'SET v = v + :one', { ':one': n(1) }, { ConditionExpression: 'v = :one' }),
        Delete('b', { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': n(2) } }),
        { ConditionCheck: { TableName: 'two', Key: { pk: s('a'), sk: n(1) }, ConditionExpression: present } },
      ]),
      scan('one'),
      write(Array.from({ length: 100 }, (_, index) => Put(key(`k${index}`)))),
      scan('one', { Select: 'COUNT' }),
    ],
  },
  {
    name: 'writes nothing when a condition fails',
    setup,
    calls: [
      write([Put({ pk: s('new') }), Update('a', 'SET v = :v', { ':v': n(9) }), Check('b', absent)]),
      write([Put({ pk: s('a') }, { ConditionExpression: absent }), Check('b', absent), Delete('nobody')]),
      write([
        Put({ pk: s('a') }, { ConditionExpression: absent, ...old }),
        Check('b', absent, old),
        Delete('nobody', { ConditionExpression: present, ...old }),
      ]),
      write([Update('a', 'SET v = :v', { ':v': n(9) }, { ConditionExpression: absent, ...old })]),
      scan('one'),
    ],
  },
  {
    name: 'gives a reason for items that cannot be updated',
    setup,
    calls: [
      write([Update('a', 'SET w = w + :v', { ':v': n(9) }), Put(key('new'))]),
      write([Update('a', 'SET x.y = :v', { ':v': n(9) })]),
      write([Update('a', 'SET x = nothing', undefined)]),
      write([Update('a', 'ADD w :v', { ':v': ss('9') })]),
      write([Update('a', 'SET x = :v', { ':v': s('x'.repeat(409_601)) })]),
      write([
        {
          Update: {
            TableName: 'two',
            Key: { pk: s('a'), sk: n(1) },
            UpdateExpression: 'SET colour = :v',
            ExpressionAttributeValues: { ':v': n(1) },
          },
        },
      ]),
      write([{ Put: { TableName: 'two', Item: { pk: s('a'), sk: n(1), colour: n(1) } } }]),
      write([Update('a', 'SET w = w + :v', { ':v': n(9) }), Check('a2', present), Put({ pk: s('') })]),
    ],
  },
  ...rejected.map(([name, items]) => ({
    name: `rejects a transaction with ${name}`,
    setup,
    calls: [write(items), scan('one', { Select: 'COUNT' })],
  })),
  {
    name: 'runs a transaction once per token',
    setup,
    calls: [
      write([Update('a', 'ADD v :one', { ':one': n(1) })], { ClientRequestToken: 'token-1' }),
      write([Update('a', 'ADD v :one', { ':one': n(1) })], { ClientRequestToken: 'token-1' }),
      write([Update('a', 'ADD v :one', { ':one': n(2) })], { ClientRequestToken: 'token-1' }),
      write([Update('a', 'ADD v :one', { ':one': n(2) })], { ClientRequestToken: 'token-2' }),
      write([Check('a', absent)], { ClientRequestToken: 'token-3' }),
      write([Check('a', present)], { ClientRequestToken: 'token-3' }),
      write([Put(key('x'))], { ClientRequestToken: '' }),
      write([Put(key('x'))], { ClientRequestToken: 't'.repeat(37) }),
      scan('one'),
    ],
  },
  {
    name: 'counts the capacity of transactions',
    setup,
    calls: [
      write([Put({ pk: s('x') }), Put({ pk: s('y'), v: s('x'.repeat(1100)) })], { ReturnConsumedCapacity: 'TOTAL' }),
      write([Put({ pk: s('x') }), Check('a', present)], { ReturnConsumedCapacity: 'INDEXES' }),
      write([{ Put: { TableName: 'two', Item: { pk: s('a'), sk: n(1), colour: s('blue') } } }, Delete('x')], {
        ReturnConsumedCapacity: 'INDEXES',
      }),
      write([Delete('nobody')], { ReturnConsumedCapacity: 'TOTAL' }),
      write([Update('a', 'ADD v :one', { ':one': n(1) })], {
        ReturnConsumedCapacity: 'TOTAL',
        ClientRequestToken: 'token',
      }),
    ],
  },
  { name: 'needs a list of writes', setup, calls: [call('TransactWriteItems', {})] },
];
