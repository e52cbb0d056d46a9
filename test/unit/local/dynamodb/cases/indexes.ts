// Global and local secondary indexes: their contents, their order, and the parameters of reads.
import { b, type Case, type Item, n, nul, put, query, remove, s, scan, table, unordered, update } from '../case.ts';

const item = (pk: string, more: Item = {}): Item => ({ pk: s(pk), sk: n(1), ...more });

const setup = [
  table('indexed', 'pk:S sk:N', {
    gsi: {
      all: ['owner:S rank:N', 'ALL'],
      keys: ['owner:S', 'KEYS_ONLY'],
      some: ['owner:S rank:N', ['colour', 'size']],
    },
    lsi: {
      localAll: ['pk:S rank:N', 'ALL'],
      localKeys: ['pk:S colour:S', 'KEYS_ONLY'],
      localSome: ['pk:S rank:N', ['colour']],
    },
  }),
  put('indexed', item('a', { owner: s('o'), rank: n(3), colour: s('red'), size: n(1), note: s('x') })),
  put('indexed', item('b', { owner: s('o'), rank: n(1), colour: s('blue') })),
  put('indexed', item('c', { owner: s('o'), rank: n(2), size: n(5) })),
  put('indexed', item('d', { owner: s('o'), note: s('no rank') })),
  put('indexed', item('e', { rank: n(9), colour: s('green') })),
  put('indexed', item('f', { owner: s('p'), rank: n(-1), note: s('y') })),
  put('indexed', { pk: s('a'), sk: n(2), rank: n(1), colour: s('amber') }),
  put('indexed', { pk: s('a'), sk: n(3), colour: s('zinc'), note: s('z') }),
];
const o = { ':o': s('o') };
const a = { ':o': s('a') };
const owned = '#k = :o';
const on = (IndexName: string, more: object = {}) => {
  const one = query('indexed', '#k = :o', o, { IndexName, ExpressionAttributeNames: { '#k': 'owner' }, ...more });
  // Without a range key, the entries of a partition have no order.
  return IndexName === 'keys' ? unordered(one) : one;
};
const local = (IndexName: string, more: object = {}) => query('indexed', 'pk = :o', a, { IndexName, ...more });
const names = { '#k': 'owner' };

export const cases: Case[] = [
  ...['all', 'keys', 'some'].map((name) => ({
    name: `queries the global index ${name}`,
    setup,
    calls: [
      on(name),
      on(name, { ScanIndexForward: false }),
      on(name, { ReturnConsumedCapacity: 'INDEXES' }),
      on(name, { ReturnConsumedCapacity: 'TOTAL' }),
      on(name, { Select: 'COUNT' }),
      on(name, { Select: 'ALL_ATTRIBUTES' }),
      on(name, { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
      on(name, { ConsistentRead: true }),
      on(name, { ProjectionExpression: 'pk, colour' }),
      on(name, { ProjectionExpression: 'note' }),
      on(name, { FilterExpression: 'attribute_exists(note)' }),
      scan('indexed', { IndexName: name }),
      scan('indexed', { IndexName: name, ConsistentRead: true }),
      scan('indexed', { IndexName: name, Select: 'ALL_ATTRIBUTES' }),
      scan('indexed', { IndexName: name, ProjectionExpression: 'note' }),
      scan('indexed', { IndexName: name, Select: 'COUNT', ReturnConsumedCapacity: 'INDEXES' }),
    ],
  })),
  ...['localAll', 'localKeys', 'localSome'].map((name) => ({
    name: `queries the local index ${name}`,
    setup,
    calls: [
      local(name),
      local(name, { ScanIndexForward: false }),
      local(name, { ReturnConsumedCapacity: 'INDEXES' }),
      local(name, { ReturnConsumedCapacity: 'TOTAL', ConsistentRead: true }),
      local(name, { Select: 'ALL_ATTRIBUTES', ReturnConsumedCapacity: 'INDEXES' }),
      local(name, { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
      local(name, { ProjectionExpression: 'pk, note', ReturnConsumedCapacity: 'INDEXES' }),
      local(name, { FilterExpression: 'attribute_exists(note)' }),
      local(name, { Select: 'COUNT' }),
      scan('indexed', { IndexName: name }),
      scan('indexed', { IndexName: name, Select: 'ALL_ATTRIBUTES' }),
      scan('indexed', { IndexName: name, ProjectionExpression: 'pk, note' }),
    ],
  })),
  {
    name: 'takes key conditions on an index',
    setup,
    calls: [
      query(
        'indexed',
        '#k = :o AND #r > :r',
        { ...o, ':r': n(1) },
        { IndexName: 'all', ExpressionAttributeNames: { ...names, '#r': 'rank' } },
      ),
      query(
        'indexed',
        '#k = :o AND #r BETWEEN :r AND :t',
        { ...o, ':r': n(1), ':t': n(2) },
        { IndexName: 'all', ExpressionAttributeNames: { ...names, '#r': 'rank' } },
      ),
      query(
        'indexed',
        '#k = :o AND #r = :r',
        { ...o, ':r': s('1') },
        { IndexName: 'all', ExpressionAttributeNames: { ...names, '#r': 'rank' } },
      ),
      query('indexed', '#k = :o AND pk = :o', o, { IndexName: 'all', ExpressionAttributeNames: names }),
      query('indexed', 'pk = :o', o, { IndexName: 'all' }),
      query('indexed', '#k = :o', o, { ExpressionAttributeNames: names }),
      query('indexed', owned, { ':o': n(1) }, { IndexName: 'keys', ExpressionAttributeNames: names }),
      query(
        'indexed',
        owned,
        { ...o, ':p': s('a') },
        { IndexName: 'keys', FilterExpression: 'pk = :p', ExpressionAttributeNames: names },
      ),
      query('indexed', owned, o, { IndexName: 'keys', FilterExpression: '#k = :o', ExpressionAttributeNames: names }),
      query(
        'indexed',
        'pk = :o AND #r >= :r',
        { ...a, ':r': n(2) },
        { IndexName: 'localAll', ExpressionAttributeNames: { '#r': 'rank' } },
      ),
      query('indexed', 'pk = :o AND begins_with(colour, :r)', { ...a, ':r': s('z') }, { IndexName: 'localKeys' }),
      query('indexed', 'pk = :o', a, { IndexName: 'localKeys', FilterExpression: 'colour = :o' }),
      query('indexed', 'pk = :o', a, { IndexName: 'localKeys', FilterExpression: 'sk = :o' }),
    ],
  },
  {
    name: 'pages through an index',
    setup,
    calls: [
      on('all', { Limit: 1 }),
      on('all', { Limit: 2 }),
      on('all', { Limit: 2, ScanIndexForward: false }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1), owner: s('o'), rank: n(1) } }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1), owner: s('o'), rank: n(1) }, ScanIndexForward: false }),
      on('all', { ExclusiveStartKey: { pk: s('zz'), sk: n(1), owner: s('o'), rank: n('1.5') } }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1) } }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1), owner: s('o') } }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1), owner: s('x'), rank: n(1) } }),
      on('all', { ExclusiveStartKey: { pk: s('b'), sk: n(1), owner: s('o'), rank: s('1') } }),
      on('keys', { Limit: 10 }),
      local('localAll', { Limit: 1 }),
      local('localAll', { ExclusiveStartKey: { pk: s('a'), sk: n(2), rank: n(1) } }),
      local('localAll', { ExclusiveStartKey: { pk: s('a'), sk: n(2) } }),
    ],
  },
  {
    name: 'follows every write in the indexes',
    setup,
    calls: [
      put('indexed', item('a', { owner: s('q'), rank: n(3) })),
      scan('indexed', { IndexName: 'all' }),
      update('indexed', { pk: s('b'), sk: n(1) }, 'SET colour = :c', {
        ExpressionAttributeValues: { ':c': s('teal') },
      }),
      scan('indexed', { IndexName: 'some' }),
      update('indexed', { pk: s('b'), sk: n(1) }, 'REMOVE #k', { ExpressionAttributeNames: names }),
      scan('indexed', { IndexName: 'keys' }),
      remove('indexed', { pk: s('c'), sk: n(1) }),
      scan('indexed', { IndexName: 'keys' }),
      update('indexed', { pk: s('new'), sk: n(1) }, 'SET #k = :o, colour = :o', {
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: o,
      }),
      scan('indexed', { IndexName: 'keys' }),
      scan('indexed', { IndexName: 'some' }),
      scan('indexed', { IndexName: 'localKeys' }),
    ],
  },
  {
    name: 'rejects index keys of the wrong type',
    setup,
    calls: [
      put('indexed', item('x', { owner: n(1) })),
      put('indexed', item('x', { rank: s('1') })),
      put('indexed', item('x', { colour: nul })),
      put('indexed', item('x', { colour: b('x') })),
      put('indexed', item('x', { colour: s('') })),
      put('indexed', item('x', { colour: s('c'.repeat(1025)) })),
      update('indexed', { pk: s('a'), sk: n(1) }, 'SET colour = :c', { ExpressionAttributeValues: { ':c': n(1) } }),
      update('indexed', { pk: s('a'), sk: n(1) }, 'SET colour = :c', { ExpressionAttributeValues: { ':c': s('') } }),
    ],
  },
];
