// Capacity units: what a call costs, by size, consistency and index.
import { type Case, get, type Item, n, put, query, remove, s, scan, table, update } from '../case.ts';

const total = { ReturnConsumedCapacity: 'TOTAL' };
const each = { ReturnConsumedCapacity: 'INDEXES' };
const sized = (pk: string, bytes: number): Item => ({ pk: s(pk), vv: s('x'.repeat(bytes - pk.length - 4)) });
const plain = [table('plain', 'pk:S')];
const indexed = [
  table('indexed', 'pk:S sk:N', {
    gsi: { all: ['owner:S', 'ALL'], keys: ['owner:S', 'KEYS_ONLY'], some: ['rank:N', ['colour']] },
    lsi: { local: ['pk:S rank:N', 'ALL'] },
  }),
];
const key = { pk: s('a'), sk: n(1) };
const full = { ...key, owner: s('o'), rank: n(1), colour: s('red'), note: s('x') };
const set = (expression: string, values: Item, names: Record<string, string> = {}) =>
  update('indexed', key, expression, {
    ExpressionAttributeValues: values,
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...each,
  });

export const cases: Case[] = [
  ...[1, 1023, 1024, 1025, 4095, 4096, 4097, 10_000].map((bytes) => ({
    name: `counts the units of an item of ${Math.max(bytes, 5)} bytes`,
    setup: plain,
    calls: [
      put('plain', sized('a', Math.max(bytes, 5)), total),
      get('plain', { pk: s('a') }, total),
      get('plain', { pk: s('a') }, { ...total, ConsistentRead: true }),
      get('plain', { pk: s('a') }, { ...each, ProjectionExpression: 'pk' }),
      query('plain', 'pk = :p', { ':p': s('a') }, { ...total, Select: 'COUNT' }),
      query('plain', 'pk = :p', { ':p': s('a') }, { ...total, ConsistentRead: true, Select: 'COUNT' }),
      scan('plain', { ...total, Select: 'COUNT' }),
      scan('plain', { ...each, Select: 'COUNT', ConsistentRead: true }),
      update('plain', { pk: s('a') }, 'REMOVE vv', total),
      put('plain', sized('a', Math.max(bytes, 5)), each),
      put('plain', { pk: s('a') }, total),
      remove('plain', { pk: s('a') }, total),
    ],
  })),
  {
    name: 'counts the units of nothing',
    setup: plain,
    calls: [
      get('plain', { pk: s('a') }, total),
      get('plain', { pk: s('a') }, { ...total, ConsistentRead: true }),
      query('plain', 'pk = :p', { ':p': s('a') }, total),
      query('plain', 'pk = :p', { ':p': s('a') }, { ...each, ConsistentRead: true }),
      scan('plain', total),
      scan('plain', { ...total, ConsistentRead: true }),
      remove('plain', { pk: s('a') }, total),
      remove('plain', { pk: s('a') }, each),
      update('plain', { pk: s('a') }, 'REMOVE x', total),
      put('plain', { pk: s('a') }, { ReturnConsumedCapacity: 'NONE' }),
    ],
  },
  {
    name: 'rounds a page as a whole',
    setup: [
      table('ranged', 'pk:S sk:N'),
      ...[1, 2, 3, 4].map((sk) => put('ranged', { pk: s('p'), sk: n(sk), v: s('x'.repeat(2500)) })),
    ],
    calls: [
      query('ranged', 'pk = :p', { ':p': s('p') }, { ...total, Select: 'COUNT' }),
      query('ranged', 'pk = :p', { ':p': s('p') }, { ...total, Select: 'COUNT', Limit: 1 }),
      query('ranged', 'pk = :p', { ':p': s('p') }, { ...total, Select: 'COUNT', Limit: 2, ConsistentRead: true }),
      query('ranged', 'pk = :p', { ':p': s('p'), ':v': s('y') }, { ...total, FilterExpression: 'v = :v' }),
      query('ranged', 'pk = :p', { ':p': s('p') }, { ...total, ProjectionExpression: 'sk' }),
    ],
  },
  {
    name: 'counts index writes of new, changed and deleted items',
    setup: indexed,
    calls: [
      put('indexed', full, each),
      put('indexed', full, each),
      put('indexed', full, total),
      set('SET note = :v', { ':v': s('y') }),
      set('SET colour = :v', { ':v': s('blue') }),
      set('SET #o = :v', { ':v': s('p') }, { '#o': 'owner' }),
      set('SET #r = :v', { ':v': n(2) }, { '#r': 'rank' }),
      update('indexed', key, 'REMOVE #o', { ExpressionAttributeNames: { '#o': 'owner' }, ...each }),
      update('indexed', key, 'REMOVE #o', { ExpressionAttributeNames: { '#o': 'owner' }, ...total }),
      set('SET #o = :v', { ':v': s('p') }, { '#o': 'owner' }),
      put('indexed', key, each),
      put('indexed', full, each),
      remove('indexed', key, each),
      remove('indexed', key, each),
    ],
  },
  {
    name: 'counts index writes of big items',
    setup: indexed,
    calls: [
      put('indexed', { ...full, note: s('x'.repeat(3000)) }, each),
      set('SET colour = :v', { ':v': s('b'.repeat(2000)) }),
      set('SET #o = :v', { ':v': s('p') }, { '#o': 'owner' }),
      remove('indexed', key, each),
    ],
  },
  {
    name: 'counts index reads by what is projected',
    setup: [...indexed, put('indexed', { ...full, note: s('x'.repeat(9000)) })],
    calls: ['all', 'keys', 'some', 'local'].flatMap((IndexName) => [
      scan('indexed', { IndexName, Select: 'COUNT', ...each }),
      scan('indexed', { IndexName, Select: 'COUNT', ...total }),
    ]),
  },
];
