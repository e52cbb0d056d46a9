// Accepted values, how they are returned, and rejected values.
import { b, bool, bs, type Case, call, get, l, m, n, ns, nul, put, s, ss, table, type Value } from '../case.ts';

const setup = [table('plain', 'pk:S')];
const key = { pk: s('a') };

const stored: [name: string, value: Value][] = [
  ['a string', s('héllo 😀')],
  ['an empty string', s('')],
  ['binary', b('\x00\xff binary')],
  ['empty binary', b('')],
  ['true', bool(true)],
  ['false', bool(false)],
  ['null', nul],
  ['null that says false', { NULL: false }],
  ['a list of every type', l(s('x'), n(1), b('x'), bool(true), nul, l(), m({}), ss('a'), ns(1), bs('a'))],
  ['an empty list', l()],
  ['an empty map', m({})],
  ['a nested map', m({ a: m({ b: l(m({ c: n('1.50') })) }) })],
  ['a string set', ss('b', 'a', 'c')],
  ['a number set that is normalised', ns('1.0', '2e1', '-0.5')],
  ['a binary set', bs('b', 'a')],
  ['an empty string in a list', l(s(''))],
  ['an empty string set', ss()],
  ['an empty number set', ns()],
  ['an empty binary set', bs()],
  ['a string set with an empty string', ss('a', '')],
  ['a binary set with an empty value', bs('a', '')],
  ['a string set with duplicates', ss('a', 'b', 'a')],
  ['a number set with duplicates', ns('1', '1')],
  ['a number set with equal numbers', ns('1', '1.0')],
  ['a binary set with duplicates', bs('a', 'a')],
  ['a nested empty set', m({ a: l(ss()) })],
  ['no type', {}],
  ['two types', { S: 'a', N: '1' }],
  ['an unknown type', { X: 'a' }],
  ['a nested value without a type', m({ a: {} })],
  ['a nested value with two types', l({ S: 'a', BOOL: true })],
  ['a number set with a word', ns('1', 'x')],
  ['a nested number that is none', m({ a: n('x') })],
];

const numbers = [
  '0', '1', '-1', '007', '+5', '-0', '-0.0', '1.0', '1.50', '0.10', '.5', '5.', '1e3', '1E3', '1e+3', '1e-3', '-1.5e2', '123.456e-2',
  '12345678901234567890', '0.00000000000000000001', '1e37', '1e38', '1e39', '1e125', '9.9999999999999999999999999999999999999e125',
  '1e126', '-1e126', '1e-130', '-1e-130', '1e-131', '1.1e-130', '99999999999999999999999999999999999999',
  '999999999999999999999999999999999999999', '100000000000000000000000000000000000000000', '0.12345678901234567890123456789012345678',
  '0.123456789012345678901234567890123456789', '1.23456789012345678901234567890123456780', '123456789012345678901234567890.123456789',
  '', ' ', ' 1', '1 ', 'abc', '1e', 'e1', '0x10', '1_000', '1,000', 'NaN', 'Infinity', '-Infinity', '--1', '1.2.3', '1e400', '0e400', '.', '-',
]; // biome-ignore format: a dense table reads better

const depth = (levels: number): Value => (levels === 0 ? s('x') : l(depth(levels - 1)));

export const cases: Case[] = [
  ...stored.map(([name, value]) => ({
    name: `stores or rejects ${name}`,
    setup,
    calls: [put('plain', { ...key, v: value }), get('plain', key)],
  })),
  ...numbers.map((number) => ({
    name: `stores or rejects the number "${number}"`,
    setup,
    calls: [put('plain', { ...key, v: n(number) }), get('plain', key)],
  })),
  ...[31, 32, 33].map((levels) => ({
    name: `nests ${levels} levels`,
    setup,
    calls: [put('plain', { ...key, v: depth(levels) }), get('plain', key)],
  })),
  ...[409_594, 409_595, 409_596, 409_600].map((length) => ({
    name: `takes an item with ${length} characters beside the keys`,
    setup,
    calls: [put('plain', { ...key, vv: s('x'.repeat(length)) }), get('plain', key, { ProjectionExpression: 'pk' })],
  })),
  ...[2048, 2049].map((length) => ({
    name: `takes a hash key of ${length} bytes`,
    setup,
    calls: [put('plain', { pk: s('k'.repeat(length)) }), get('plain', { pk: s('k'.repeat(length)) })],
  })),
  ...[1024, 1025].map((length) => ({
    name: `takes a range key of ${length} bytes`,
    setup: [table('ranged', 'pk:S sk:S')],
    calls: [
      put('ranged', { pk: s('a'), sk: s('k'.repeat(length)) }),
      get('ranged', { pk: s('a'), sk: s('k'.repeat(length)) }),
    ],
  })),
  {
    name: 'rejects items without or with wrong keys',
    setup: [table('ranged', 'pk:S sk:N')],
    calls: [
      put('ranged', {}),
      put('ranged', { pk: s('a') }),
      put('ranged', { sk: n(1) }),
      put('ranged', { pk: n(1), sk: n(1) }),
      put('ranged', { pk: s('a'), sk: s('1') }),
      put('ranged', { pk: s(''), sk: n(1) }),
      put('ranged', { pk: s('a'), sk: n('x') }),
      put('ranged', { pk: nul, sk: n(1) }),
      put('ranged', { pk: ss('a'), sk: n(1) }),
    ],
  },
  {
    name: 'rejects keys that do not match the schema',
    setup: [table('ranged', 'pk:S sk:N')],
    calls: [
      get('ranged', {}),
      get('ranged', { pk: s('a') }),
      get('ranged', { pk: s('a'), sk: s('1') }),
      get('ranged', { pk: s('a'), sk: n(1), more: s('x') }),
      get('ranged', { pk: s('a'), other: n(1) }),
      get('ranged', { pk: s(''), sk: n(1) }),
      get('ranged', { pk: s('a'), sk: n('') }),
      get('ranged', { pk: {}, sk: n(1) }),
      call('DeleteItem', { TableName: 'ranged', Key: { pk: s('a') } }),
      call('DeleteItem', { TableName: 'ranged', Key: { pk: s('a'), sk: s('1') } }),
      call('UpdateItem', { TableName: 'ranged', Key: { pk: s('a') }, UpdateExpression: 'REMOVE a' }),
      call('UpdateItem', { TableName: 'ranged', Key: { pk: s('a'), sk: s('1') }, UpdateExpression: 'REMOVE a' }),
      call('UpdateItem', { TableName: 'ranged', Key: { pk: s(''), sk: n(1) }, UpdateExpression: 'REMOVE a' }),
    ],
  },
  {
    name: 'finds equal numbers in any notation as the same key',
    setup: [table('numbered', 'pk:N sk:B')],
    calls: [
      put('numbered', { pk: n('1.0'), sk: b('x'), v: n(1) }),
      put('numbered', { pk: n('10e-1'), sk: b('x'), v: n(2) }),
      get('numbered', { pk: n('1'), sk: b('x') }),
      get('numbered', { pk: n('2'), sk: b('x') }),
      put('numbered', { pk: n('1'), sk: b('') }),
      get('numbered', { pk: n('1'), sk: b('') }),
    ],
  },
  {
    name: 'rejects an empty value for a key of an index',
    setup: [table('indexed', 'pk:S', { gsi: { byOwner: ['owner:S', 'ALL'], byCount: ['count:N', 'ALL'] } })],
    calls: [
      put('indexed', { pk: s('a'), owner: s('') }),
      put('indexed', { pk: s('a'), owner: n(1) }),
      put('indexed', { pk: s('a'), count: s('1') }),
      put('indexed', { pk: s('a'), owner: nul }),
      put('indexed', { pk: s('a'), owner: s('o'.repeat(2049)) }),
      call('UpdateItem', {
        TableName: 'indexed',
        Key: { pk: s('a') },
        UpdateExpression: 'SET #o = :o',
        ExpressionAttributeNames: { '#o': 'owner' },
        ExpressionAttributeValues: { ':o': s('') },
      }),
      call('UpdateItem', {
        TableName: 'indexed',
        Key: { pk: s('a') },
        UpdateExpression: 'SET #o = :o',
        ExpressionAttributeNames: { '#o': 'owner' },
        ExpressionAttributeValues: { ':o': n(1) },
      }),
    ],
  },
];
