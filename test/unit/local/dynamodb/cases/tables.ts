// Tables: creation and its rules, description, listing, deletion, time to live.
import { type Case, call, n, put, s, table } from '../case.ts';

const create = (input: object) =>
  call('CreateTable', { TableName: 'created', BillingMode: 'PAY_PER_REQUEST', ...input });
const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' });
const typed = (AttributeName: string, AttributeType = 'S') => ({ AttributeName, AttributeType });
const base = { KeySchema: [hash('pk')], AttributeDefinitions: [typed('pk')] };
const index = (IndexName: string, KeySchema: object[], Projection: object | undefined = { ProjectionType: 'ALL' }) => ({
  IndexName,
  KeySchema,
  Projection,
});
const both = { KeySchema: [hash('pk'), range('sk')], AttributeDefinitions: [typed('pk'), typed('sk'), typed('x')] };

const rejected: [name: string, input: object][] = [
  ['without a key schema', { AttributeDefinitions: [typed('pk')] }],
  ['without attribute definitions', { KeySchema: [hash('pk')] }],
  ['with an empty key schema', { ...base, KeySchema: [] }],
  ['with a short name', { ...base, TableName: 'ab' }],
  ['with a bad name', { ...base, TableName: 'bad name!' }],
  ['with a long name', { ...base, TableName: 'n'.repeat(256) }],
  ['with two hash keys', { KeySchema: [hash('pk'), hash('sk')], AttributeDefinitions: [typed('pk'), typed('sk')] }],
  [
    'with the range key first',
    { KeySchema: [range('pk'), hash('sk')], AttributeDefinitions: [typed('pk'), typed('sk')] },
  ],
  ['with the same attribute twice', { KeySchema: [hash('pk'), range('pk')], AttributeDefinitions: [typed('pk')] }],
  ['with a key that is not defined', { KeySchema: [hash('pk'), range('sk')], AttributeDefinitions: [typed('pk')] }],
  ['with a definition that is not used', { ...base, AttributeDefinitions: [typed('pk'), typed('x')] }],
  ['with a definition given twice', { ...base, AttributeDefinitions: [typed('pk'), typed('pk', 'N')] }],
  ['with a bad key type', { ...base, KeySchema: [{ AttributeName: 'pk', KeyType: 'SORT' }] }],
  ['with a bad attribute type', { ...base, AttributeDefinitions: [typed('pk', 'BOOL')] }],
  ['with a bad billing mode', { ...base, BillingMode: 'FREE' }],
  ['with throughput on demand', { ...base, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }],
  ['without throughput when provisioned', { ...base, BillingMode: 'PROVISIONED' }],
  [
    'with zero throughput',
    { ...base, BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 1 } },
  ],
  ['with an empty list of global indexes', { ...base, GlobalSecondaryIndexes: [] }],
  [
    'with an empty list of local indexes',
    { ...both, AttributeDefinitions: [typed('pk'), typed('sk')], LocalSecondaryIndexes: [] },
  ],
  [
    'with a local index but no range key',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      LocalSecondaryIndexes: [index('local', [hash('pk'), range('x')])],
    },
  ],
  [
    'with a local index on another hash key',
    { ...both, LocalSecondaryIndexes: [index('local', [hash('x'), range('sk')])] },
  ],
  [
    'with a local index without a range key',
    {
      ...both,
      AttributeDefinitions: [typed('pk'), typed('sk')],
      LocalSecondaryIndexes: [index('local', [hash('pk')])],
    },
  ],
  ['with an index that names an unknown attribute', { ...base, GlobalSecondaryIndexes: [index('one', [hash('x')])] }],
  [
    'with an index without a projection',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [{ IndexName: 'one', KeySchema: [hash('x')] }],
    },
  ],
  [
    'with an index with an empty projection',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [index('one', [hash('x')], {})],
    },
  ],
  [
    'with a bad projection',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [index('one', [hash('x')], { ProjectionType: 'NONE' })],
    },
  ],
  [
    'with attributes for KEYS_ONLY',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [index('one', [hash('x')], { ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['a'] })],
    },
  ],
  [
    'with no attributes for INCLUDE',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [index('one', [hash('x')], { ProjectionType: 'INCLUDE' })],
    },
  ],
  [
    'with two indexes of one name',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: [index('one', [hash('x')]), index('one', [hash('x')])],
    },
  ],
  [
    'with a short index name',
    { ...base, AttributeDefinitions: [typed('pk'), typed('x')], GlobalSecondaryIndexes: [index('x', [hash('x')])] },
  ],
  [
    'with 21 global indexes',
    {
      ...base,
      AttributeDefinitions: [typed('pk'), typed('x')],
      GlobalSecondaryIndexes: Array.from({ length: 21 }, (_, i) => index(`index${i}`, [hash('x')])),
    },
  ],
  [
    'with 6 local indexes',
    {
      ...both,
      LocalSecondaryIndexes: Array.from({ length: 6 }, (_, i) => index(`index${i}`, [hash('pk'), range('x')])),
    },
  ],
  ['with a bad stream view', { ...base, StreamSpecification: { StreamEnabled: true, StreamViewType: 'ALL' } }],
  ['with a stream without a view', { ...base, StreamSpecification: { StreamEnabled: true } }],
  ['with a view of no stream', { ...base, StreamSpecification: { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' } }],
];

export const cases: Case[] = [
  ...rejected.map(([name, input]) => ({ name: `answers a table ${name}`, setup: [], calls: [create(input)] })),
  {
    name: 'creates and describes a plain table',
    setup: [],
    calls: [
      table('fresh', 'pk:S'),
      call('DescribeTable', { TableName: 'fresh' }),
      table('fresh', 'pk:S'),
      call('ListTables', {}),
    ],
  },
  {
    name: 'creates and describes a table with everything',
    setup: [],
    calls: [
      table('everything', 'pk:S sk:N', {
        gsi: { all: ['owner:S rank:N', 'ALL'], keys: ['owner:S', 'KEYS_ONLY'], some: ['rank:N', ['colour', 'size']] },
        lsi: { local: ['pk:S rank:N', 'ALL'] },
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
      call('DescribeTable', { TableName: 'everything' }),
      put('everything', { pk: s('a'), sk: n(1), owner: s('o') }),
      call('DescribeTable', { TableName: 'everything' }),
    ],
  },
  {
    name: 'creates a provisioned table',
    setup: [],
    calls: [
      call('CreateTable', {
        TableName: 'provisioned',
        ...base,
        AttributeDefinitions: [typed('pk'), typed('x', 'B')],
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
        GlobalSecondaryIndexes: [
          { ...index('byX', [hash('x')]), ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } },
        ],
      }),
      call('DescribeTable', { TableName: 'provisioned' }),
    ],
  },
  {
    name: 'lists tables by name, in pages',
    setup: ['ccc', 'aaa', 'bbb', 'Zed'].map((name) => table(name, 'pk:S')),
    calls: [
      call('ListTables', {}),
      call('ListTables', { Limit: 2 }),
      call('ListTables', { Limit: 2, ExclusiveStartTableName: 'aaa' }),
      call('ListTables', { ExclusiveStartTableName: 'abc' }),
      call('ListTables', { ExclusiveStartTableName: 'zzz' }),
      call('ListTables', { Limit: 0 }),
      call('ListTables', { Limit: 101 }),
    ],
  },
  {
    name: 'deletes a table and what is in it',
    setup: [table('doomed', 'pk:S'), put('doomed', { pk: s('a') })],
    calls: [
      call('DeleteTable', { TableName: 'doomed' }),
      call('DescribeTable', { TableName: 'doomed' }),
      call('DeleteTable', { TableName: 'doomed' }),
      table('doomed', 'pk:S'),
      call('Scan', { TableName: 'doomed' }),
      call('DeleteTable', {}),
      call('DescribeTable', {}),
      call('DescribeTable', { TableName: 'x' }),
    ],
  },
  {
    name: 'switches time to live',
    setup: [table('plain', 'pk:S')],
    calls: [
      call('DescribeTimeToLive', { TableName: 'plain' }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
      }),
      call('DescribeTimeToLive', { TableName: 'plain' }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
      }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' },
      }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: false, AttributeName: 'other' },
      }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' },
      }),
      call('UpdateTimeToLive', {
        TableName: 'plain',
        TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' },
      }),
      call('DescribeTimeToLive', { TableName: 'plain' }),
      call('UpdateTimeToLive', {
        TableName: 'absent',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
      }),
      call('DescribeTimeToLive', { TableName: 'absent' }),
      call('UpdateTimeToLive', { TableName: 'plain' }),
      call('UpdateTimeToLive', { TableName: 'plain', TimeToLiveSpecification: { Enabled: true } }),
      call('UpdateTimeToLive', { TableName: 'plain', TimeToLiveSpecification: { Enabled: true, AttributeName: '' } }),
    ],
  },
  {
    name: 'knows no other operation',
    setup: [],
    calls: [call('NoSuchOperation', {})],
  },
];
