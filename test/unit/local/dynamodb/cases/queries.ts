// Query: key conditions, order by type, filters, pages.
import { b, type Case, call, type Item, l, m, n, put, query, s, scan, table } from '../case.ts';

const ranged = [
  table('ranged', 'pk:S sk:S'),
  ...['a', 'ab', 'abc', 'b', 'B', 'é', 'z', '😀', '￿', '10', '9'].map((sk, index) =>
    put('ranged', { pk: s('p'), sk: s(sk), v: n(index) }),
  ),
  put('ranged', { pk: s('q'), sk: s('a'), v: n(100) }),
];
const numbered = [
  table('numbered', 'pk:S sk:N'),
  ...[
    '0', '1', '-1', '10', '9', '-10', '-9', '1.5', '1.25', '-1.5', '-1.25', '1e10', '-1e10', '1e-10', '-1e-10', '1e-130', '-1e-130',
    '9.9e125', '-9.9e125', '99999999999999999999999999999999999999', '99999999999999999999999999999999999998', '0.1', '0.01', '100', '123', '12', '-12', '-123',
  ].map((sk) => put('numbered', { pk: s('p'), sk: n(sk) })), // biome-ignore format: a dense table reads better
];
const binary = [
  table('binary', 'pk:B sk:B'),
  ...['\x00', '\x00\x00', '\x01', '\x7f', '\x80', '\xff', '\xff\x00', 'a', 'ab'].map((sk) =>
    put('binary', { pk: b('p'), sk: b(sk) }),
  ),
];

type Row = [expression: string, values: Item, names?: Record<string, string>];

const conditions: Row[] = [
  ['pk = :p', { ':p': s('p') }],
  ['pk = :p', { ':p': s('nobody') }],
  [':p = pk', { ':p': s('p') }],
  ['pk = :p AND sk = :s', { ':p': s('p'), ':s': s('ab') }],
  ['sk = :s AND pk = :p', { ':p': s('p'), ':s': s('ab') }],
  ['pk = :p and sk < :s', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND sk <= :s', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND sk > :s', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND sk >= :s', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND :s > sk', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND :s <= sk', { ':p': s('p'), ':s': s('b') }],
  ['pk = :p AND begins_with(sk, :s)', { ':p': s('p'), ':s': s('ab') }],
  ['begins_with(sk, :s) AND pk = :p', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND begins_with(sk, :s)', { ':p': s('p'), ':s': s('') }],
  ['pk = :p AND sk BETWEEN :s AND :t', { ':p': s('p'), ':s': s('ab'), ':t': s('b') }],
  ['pk = :p AND sk BETWEEN :s AND :t', { ':p': s('p'), ':s': s('b'), ':t': s('a') }],
  ['(pk = :p) AND (sk = :s)', { ':p': s('p'), ':s': s('ab') }],
  ['(pk = :p AND sk = :s)', { ':p': s('p'), ':s': s('ab') }],
  ['#p = :p AND #s = :s', { ':p': s('p'), ':s': s('ab') }, { '#p': 'pk', '#s': 'sk' }],
  // Rejected calls.
  ['', { ':p': s('p') }],
  ['pk', { ':p': s('p') }],
  ['pk = :p AND', { ':p': s('p') }],
  ['sk = :s', { ':s': s('a') }],
  ['pk > :p', { ':p': s('p') }],
  ['pk <> :p', { ':p': s('p') }],
  ['begins_with(pk, :p)', { ':p': s('p') }],
  ['pk BETWEEN :p AND :q', { ':p': s('p'), ':q': s('q') }],
  ['pk IN (:p)', { ':p': s('p') }],
  ['pk = :p OR sk = :s', { ':p': s('p'), ':s': s('a') }],
  ['NOT pk = :p', { ':p': s('p') }],
  ['pk = :p AND sk <> :s', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND sk IN (:s)', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND NOT sk = :s', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND contains(sk, :s)', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND attribute_exists(sk)', { ':p': s('p') }],
  ['pk = :p AND size(sk) = :s', { ':p': s('p'), ':s': n(1) }],
  ['pk = :p AND v = :s', { ':p': s('p'), ':s': n(1) }],
  ['pk = :p AND sk = :s AND v = :s', { ':p': s('p'), ':s': s('a') }],
  ['pk = :p AND pk = :p', { ':p': s('p') }],
  ['pk = :p AND sk > :s AND sk < :t', { ':p': s('p'), ':s': s('a'), ':t': s('b') }],
  ['pk = sk', { ':p': s('p') }],
  ['pk = :p AND sk = pk', { ':p': s('p') }],
  ['pk = :p', { ':p': n(1) }],
  ['pk = :p', { ':p': s('') }],
  ['pk = :p AND sk = :s', { ':p': s('p'), ':s': n(1) }],
  ['pk = :p AND sk = :s', { ':p': s('p'), ':s': s('') }],
  ['pk = :p AND sk BETWEEN :s AND :t', { ':p': s('p'), ':s': s('a'), ':t': n(1) }],
  ['pk = :p AND begins_with(sk, :s)', { ':p': s('p'), ':s': n(1) }],
  ['pk = :p', { ':p': s('p'), ':unused': s('x') }],
  ['pk = :missing', { ':p': s('p') }],
  ['#p = :p', { ':p': s('p') }],
  ['pk = :p', { ':p': s('p') }, { '#p': 'pk' }],
  ['pk.a = :p', { ':p': s('p') }],
  ['pk = :p AND sk[0] = :p', { ':p': s('p') }],
  ['pk = :p AND name = :p', { ':p': s('p') }],
  [':p = :p', { ':p': s('p') }],
  ['pk = pk', { ':p': s('p') }],
  ['v = :p', { ':p': s('p') }],
  ['pk = :p AND begins_with(:s, sk)', { ':p': s('p'), ':s': s('a') }],
];

const paged = (pages: object[]) =>
  pages.map((more) => query('ranged', 'pk = :p', { ':p': s('p') }, { ProjectionExpression: 'sk', ...more }));
const p = { ':p': s('p') };

export const cases: Case[] = [
  ...conditions.map(([condition, values, names]) => ({
    name: `queries ${condition} with ${JSON.stringify(values)}${names ? ` ${JSON.stringify(names)}` : ''}`,
    setup: ranged,
    calls: [query('ranged', condition, values, names ? { ExpressionAttributeNames: names } : {})],
  })),
  {
    name: 'orders numbers by value',
    setup: numbered,
    calls: [
      query('numbered', 'pk = :p', p),
      query('numbered', 'pk = :p', p, { ScanIndexForward: false }),
      query('numbered', 'pk = :p AND sk > :s', { ...p, ':s': n('-1.5') }),
      query('numbered', 'pk = :p AND sk BETWEEN :s AND :t', { ...p, ':s': n('-1'), ':t': n('1.00') }),
      query('numbered', 'pk = :p AND begins_with(sk, :s)', { ...p, ':s': n(1) }),
    ],
  },
  {
    name: 'orders binary by unsigned bytes',
    setup: binary,
    calls: [
      query('binary', 'pk = :p', { ':p': b('p') }),
      query('binary', 'pk = :p AND begins_with(sk, :s)', { ':p': b('p'), ':s': b('\xff') }),
      query('binary', 'pk = :p AND sk < :s', { ':p': b('p'), ':s': b('\x80') }),
    ],
  },
  {
    name: 'orders strings by UTF-8 bytes, both ways',
    setup: ranged,
    calls: [
      query('ranged', 'pk = :p', p, { ScanIndexForward: false, ProjectionExpression: 'sk' }),
      query(
        'ranged',
        'pk = :p AND sk >= :s',
        { ...p, ':s': s('￿') },
        { ScanIndexForward: false, ProjectionExpression: 'sk' },
      ),
    ],
  },
  {
    name: 'pages with a limit',
    setup: ranged,
    calls: [
      ...paged([
        { Limit: 1 },
        { Limit: 4 },
        { Limit: 11 },
        { Limit: 12 },
        { Limit: 3, ExclusiveStartKey: { pk: s('p'), sk: s('ab') } },
        { Limit: 3, ExclusiveStartKey: { pk: s('p'), sk: s('between') } },
        { Limit: 3, ExclusiveStartKey: { pk: s('p'), sk: s('ab') }, ScanIndexForward: false },
        { ExclusiveStartKey: { pk: s('p'), sk: s('😀') } },
        { ExclusiveStartKey: { pk: s('other'), sk: s('a') } },
        { ExclusiveStartKey: { pk: s('p') } },
        { ExclusiveStartKey: { pk: s('p'), sk: n(1) } },
        { ExclusiveStartKey: { pk: s('p'), sk: s('a'), more: s('x') } },
        { Limit: 0 },
        { Select: 'COUNT', Limit: 5, ProjectionExpression: undefined },
        { Select: 'COUNT', ProjectionExpression: undefined },
      ]),
      query('ranged', 'pk = :p AND sk > :s', { ...p, ':s': s('b') }, { ExclusiveStartKey: { pk: s('p'), sk: s('a') } }),
      query('ranged', 'pk = :p AND sk = :s', { ...p, ':s': s('b') }, { Limit: 1 }),
    ],
  },
  {
    name: 'filters after reading',
    setup: ranged,
    calls: [
      query('ranged', 'pk = :p', { ...p, ':v': n(5) }, { FilterExpression: 'v > :v' }),
      query('ranged', 'pk = :p', { ...p, ':v': n(5) }, { FilterExpression: 'v > :v', Limit: 3 }),
      query('ranged', 'pk = :p', { ...p, ':v': n(5) }, { FilterExpression: 'v > :v', Select: 'COUNT' }),
      query('ranged', 'pk = :p', { ...p, ':v': n(500) }, { FilterExpression: 'v > :v' }),
      query('ranged', 'pk = :p', { ...p, ':v': s('a') }, { FilterExpression: 'sk = :v' }),
      query('ranged', 'pk = :p', { ...p, ':v': s('a') }, { FilterExpression: 'pk = :v' }),
      query(
        'ranged',
        'pk = :p',
        { ...p, ':v': s('a') },
        { FilterExpression: 'attribute_exists(#k) AND v = :v', ExpressionAttributeNames: { '#k': 'sk' } },
      ),
      query('ranged', 'pk = :p', { ...p, ':v': s('a') }, { FilterExpression: 'x y' }),
      query('ranged', 'pk = :p', p, { FilterExpression: '' }),
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'x y' }),
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'v', Select: 'ALL_ATTRIBUTES' }),
      query('ranged', 'pk = :p', p, { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
      query('ranged', 'pk = :p', p, { Select: 'SPECIFIC_ATTRIBUTES' }),
      query('ranged', 'pk = :p', p, { Select: 'X' }),
      query('ranged', 'pk = :p', p, { ConsistentRead: true, Limit: 1 }),
      query('ranged', 'pk = :p', p, { IndexName: 'absent' }),
      call('Query', { TableName: 'ranged' }),
      call('Query', { TableName: 'absent', KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p }),
      call('Query', { TableName: 'ranged', KeyConditionExpression: 'pk = :p' }),
    ],
  },
  {
    name: 'queries a table without a range key',
    setup: [table('plain', 'pk:S'), put('plain', { pk: s('p'), v: m({ a: l(n(1)) }) })],
    calls: [
      query('plain', 'pk = :p', p),
      query('plain', 'pk = :p', p, { Limit: 1 }),
      query('plain', 'pk = :p', p, { ProjectionExpression: 'v.a[0]' }),
      query('plain', 'pk = :p AND sk = :p', p),
      query('plain', 'pk = :p', p, { ExclusiveStartKey: { pk: s('p') } }),
    ],
  },
  {
    name: 'ends a page at 1 MB',
    setup: [
      table('ranged', 'pk:S sk:N'),
      ...Array.from({ length: 12 }, (_, index) =>
        put('ranged', { pk: s('p'), sk: n(index + 1), v: s('x'.repeat(200_000)) }),
      ),
    ],
    calls: [
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'sk', ReturnConsumedCapacity: 'TOTAL' }),
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'sk', ExclusiveStartKey: { pk: s('p'), sk: n(6) } }),
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'sk', ExclusiveStartKey: { pk: s('p'), sk: n(7) } }),
      query('ranged', 'pk = :p', p, { ProjectionExpression: 'sk', ScanIndexForward: false, Limit: 6 }),
      query('ranged', 'pk = :p', { ...p, ':x': s('y') }, { ProjectionExpression: 'sk', FilterExpression: 'v = :x' }),
      query('ranged', 'pk = :p', p, { Select: 'COUNT', ReturnConsumedCapacity: 'TOTAL', ConsistentRead: true }),
      scan('ranged', { Select: 'COUNT', ReturnConsumedCapacity: 'TOTAL' }),
      scan('ranged', { Select: 'COUNT', ExclusiveStartKey: { pk: s('p'), sk: n(6) }, ReturnConsumedCapacity: 'TOTAL' }),
    ],
  },
  {
    name: 'scans a partition in pages',
    setup: ranged.slice(0, -1),
    calls: [
      call('Scan', { TableName: 'ranged', Limit: 3, ProjectionExpression: 'sk' }),
      call('Scan', { TableName: 'ranged', ExclusiveStartKey: { pk: s('p'), sk: s('b') }, ProjectionExpression: 'sk' }),
      call('Scan', { TableName: 'ranged', Limit: 11, Select: 'COUNT' }),
      call('Scan', { TableName: 'ranged', Limit: 12, Select: 'COUNT' }),
      call('Scan', {
        TableName: 'ranged',
        Limit: 4,
        FilterExpression: 'v > :v',
        ExpressionAttributeValues: { ':v': n(8) },
      }),
    ],
  },
  {
    name: 'counts the bytes of a page exactly',
    setup: [
      table('ranged', 'pk:S sk:S'),
      ...['a', 'b', 'c', 'd'].map((sk) => put('ranged', { pk: s('p'), sk: s(sk), v: s('x'.repeat(262_144 - 7)) })),
      ...['a', 'b', 'c', 'd'].map((sk) => put('ranged', { pk: s('q'), sk: s(sk), v: s('x'.repeat(262_144 - 7)) })),
      put('ranged', { pk: s('q'), sk: s('e') }),
      ...['a', 'b', 'c', 'd'].map((sk) => put('ranged', { pk: s('r'), sk: s(sk), v: s('x'.repeat(262_144 - 6)) })),
    ],
    calls: ['p', 'q', 'r'].map((pk) =>
      query('ranged', 'pk = :p', { ':p': s(pk) }, { Select: 'COUNT', ReturnConsumedCapacity: 'TOTAL' }),
    ),
  },
];
