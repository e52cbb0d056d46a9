// BatchGetItem and BatchWriteItem.
import { type Case, call, n, put, s, scan, table } from '../case.ts';

const setup = [
  table('one', 'pk:S'),
  table('two', 'pk:S sk:N', { gsi: { byColour: ['colour:S', 'ALL'] } }),
  put('one', { pk: s('a'), v: n(1), w: s('x') }),
  put('one', { pk: s('b'), v: n(2), big: s('x'.repeat(5000)) }),
  put('two', { pk: s('a'), sk: n(1), colour: s('red') }),
  put('two', { pk: s('a'), sk: n(2) }),
];
const read = (RequestItems: unknown, more: object = {}) => call('BatchGetItem', { RequestItems, ...more });
const write = (RequestItems: unknown, more: object = {}) => call('BatchWriteItem', { RequestItems, ...more });
const key = (pk: string) => ({ pk: s(pk) });
const PutRequest = (Item: object) => ({ PutRequest: { Item } });
const DeleteRequest = (Key: object) => ({ DeleteRequest: { Key } });
const many = (count: number) => Array.from({ length: count }, (_, index) => key(`k${index}`));

export const cases: Case[] = [
  {
    name: 'reads several items of several tables',
    setup,
    calls: [
      read({ one: { Keys: [key('a')] } }),
      read({ one: { Keys: [key('a'), key('b'), key('nobody')] } }),
      read({
        one: { Keys: [key('a')] },
        two: {
          Keys: [
            { pk: s('a'), sk: n(2) },
            { pk: s('a'), sk: n('1.0') },
          ],
        },
      }),
      read({ one: { Keys: [key('a'), key('b')], ProjectionExpression: 'v' } }),
      read({ one: { Keys: [key('a')], ProjectionExpression: '#v', ExpressionAttributeNames: { '#v': 'v' } } }),
      read({ one: { Keys: [key('nobody')] } }),
    ],
  },
  {
    name: 'counts the capacity of batch reads',
    setup,
    calls: [
      read({ one: { Keys: [key('a'), key('b'), key('nobody')] } }, { ReturnConsumedCapacity: 'TOTAL' }),
      read({ one: { Keys: [key('a'), key('b')], ConsistentRead: true } }, { ReturnConsumedCapacity: 'INDEXES' }),
      read(
        { one: { Keys: [key('a')] }, two: { Keys: [{ pk: s('a'), sk: n(1) }] } },
        { ReturnConsumedCapacity: 'TOTAL' },
      ),
    ],
  },
  {
    name: 'checks batch reads',
    setup,
    calls: [
      call('BatchGetItem', {}),
      read({}),
      read({ one: {} }),
      read({ one: { Keys: [] } }),
      read({ one: { Keys: [{}] } }),
      read({ one: { Keys: [{ pk: n(1) }] } }),
      read({ one: { Keys: [{ other: s('a') }] } }),
      read({ one: { Keys: [key('a'), key('a')] } }),
      read({
        two: {
          Keys: [
            { pk: s('a'), sk: n(1) },
            { pk: s('a'), sk: n('1.0') },
          ],
        },
      }),
      read({ one: { Keys: many(100) } }),
      read({ one: { Keys: many(101) } }),
      read({ one: { Keys: many(60) }, two: { Keys: many(60) } }),
      read({ absent: { Keys: [key('a')] } }),
      read({ one: { Keys: [key('a')], ProjectionExpression: 'x y' } }),
      read({ one: { Keys: [key('a')], ExpressionAttributeNames: { '#v': 'v' } } }),
      read({ one: { Keys: [key('a')], ProjectionExpression: 'v', ExpressionAttributeNames: { '#v': 'v' } } }),
      read({ one: { Keys: [key('')] } }),
    ],
  },
  {
    name: 'puts and deletes in a batch',
    setup,
    calls: [
      write({
        one: [PutRequest({ pk: s('new'), v: n('1.0') }), DeleteRequest(key('a'))],
        two: [DeleteRequest({ pk: s('a'), sk: n(1) })],
      }),
      scan('one'),
      scan('two'),
      write({ one: [DeleteRequest(key('nobody'))] }, { ReturnConsumedCapacity: 'TOTAL' }),
      write(
        { one: [PutRequest({ pk: s('c'), v: s('x'.repeat(3000)) }), PutRequest({ pk: s('d') })] },
        { ReturnConsumedCapacity: 'TOTAL' },
      ),
      write(
        { two: [PutRequest({ pk: s('c'), sk: n(1), colour: s('red') }), PutRequest({ pk: s('d'), sk: n(1) })] },
        { ReturnConsumedCapacity: 'INDEXES' },
      ),
      write(
        { one: [PutRequest({ pk: s('e') })], two: [PutRequest({ pk: s('e'), sk: n(1) })] },
        { ReturnConsumedCapacity: 'TOTAL' },
      ),
    ],
  },
  {
    name: 'checks batch writes',
    setup,
    calls: [
      call('BatchWriteItem', {}),
      write({}),
      write({ one: [] }),
      write({ one: [{}] }),
      write({ one: [{ PutRequest: { Item: key('a') }, DeleteRequest: { Key: key('b') } }] }),
      write({ one: [{ PutRequest: {} }] }),
      write({ one: [{ DeleteRequest: {} }] }),
      write({ one: [PutRequest({})] }),
      write({ one: [PutRequest({ pk: n(1) })] }),
      write({ one: [PutRequest({ pk: s('') })] }),
      write({ one: [PutRequest({ pk: s('x'), v: n('x') })] }),
      write({ one: [DeleteRequest({ pk: n(1) })] }),
      write({ one: [DeleteRequest({ other: s('a') })] }),
      write({ one: [PutRequest(key('a')), PutRequest(key('a'))] }),
      write({ one: [PutRequest(key('a')), DeleteRequest(key('a'))] }),
      write({ one: many(25).map(PutRequest) }),
      write({ one: many(26).map(PutRequest) }),
      write({ absent: [PutRequest(key('a'))] }),
      write({ one: [PutRequest({ pk: s('a'), v: s('x'.repeat(409_601)) })] }),
      write({ two: [PutRequest({ pk: s('a'), sk: n(1), colour: n(1) })] }),
      write({ one: [PutRequest(key('good'))], two: [PutRequest({ pk: s('bad') })] }),
      scan('one', { Select: 'COUNT' }),
    ],
  },
];
