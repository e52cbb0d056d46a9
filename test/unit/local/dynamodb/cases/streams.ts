// Stream records of every kind of write. A call may use an earlier response as {"$from": [call, path…]}.
import { b, type Call, type Case, call, l, m, n, ns, put, remove, s, ss, table, update } from '../case.ts';

const streamed = (view: string) =>
  table('streamed', 'pk:S sk:N', { StreamSpecification: { StreamEnabled: true, StreamViewType: view } });
const from = (...path: (string | number)[]) => ({ $from: path });
const key = { pk: s('a'), sk: n(1) };

const reading: Call[] = [
  call('ListStreams', { TableName: 'streamed' }),
  call('DescribeStream', { StreamArn: from(0, 'Streams', 0, 'StreamArn') }),
  call('GetShardIterator', {
    StreamArn: from(0, 'Streams', 0, 'StreamArn'),
    ShardId: from(1, 'StreamDescription', 'Shards', 0, 'ShardId'),
    ShardIteratorType: 'TRIM_HORIZON',
  }),
  call('GetRecords', { ShardIterator: from(2, 'ShardIterator') }),
];

const writes = [
  put('streamed', { ...key, v: n('1.0'), set: ss('b', 'a') }),
  put('streamed', { ...key, v: n(1), set: ss('a', 'b') }),
  put('streamed', { ...key, v: n(2) }),
  update('streamed', key, 'SET v = :v', { ExpressionAttributeValues: { ':v': n(2) } }),
  update('streamed', key, 'SET v = :v', { ExpressionAttributeValues: { ':v': n(3) } }),
  update('streamed', { pk: s('b'), sk: n(1) }, 'SET v = :v', { ExpressionAttributeValues: { ':v': n(3) } }),
  update('streamed', { pk: s('b'), sk: n(1) }, 'REMOVE nothing'),
  remove('streamed', key),
  remove('streamed', key),
  call('BatchWriteItem', {
    RequestItems: { streamed: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: { pk: s('b'), sk: n(1) } } }] },
  }),
];

const sized = [
  { pk: s('a'), sk: n(1) },
  { pk: s('a'), sk: n(12) },
  { pk: s('a'), sk: n(123) },
  { pk: s('a'), sk: n('-1') },
  { pk: s('a'), sk: n('1.5') },
  { pk: s('a'), sk: n(0) },
  { pk: s('a'), sk: n(100) },
  { pk: s('a'), sk: n('0.001') },
  { pk: s('a'), sk: n('12345678901234567890') },
  { pk: s('a'), sk: n('-1234') },
  { pk: s('a'), sk: n(2), t: { BOOL: true } },
  { pk: s('a'), sk: n(3), t: { NULL: true } },
  { pk: s('a'), sk: n(4), t: b('abc') },
  { pk: s('a'), sk: n(5), t: l() },
  { pk: s('a'), sk: n(6), t: l(s('ab'), n(1)) },
  { pk: s('a'), sk: n(7), t: m({}) },
  { pk: s('a'), sk: n(8), t: m({ ab: s('cd'), e: n(1) }) },
  { pk: s('a'), sk: n(9), t: ss('a', 'bc') },
  { pk: s('a'), sk: n(10), t: ns(1, 22) },
  { pk: s('é'), sk: n(11), t: s('') },
];

export const cases: Case[] = [
  ...['NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE', 'KEYS_ONLY'].map((view) => ({
    name: `records writes with ${view}`,
    setup: [streamed(view), ...writes],
    calls: reading,
  })),
  {
    name: 'records a transaction',
    setup: [
      streamed('NEW_AND_OLD_IMAGES'),
      put('streamed', { pk: s('c'), sk: n(1) }),
      call('TransactWriteItems', {
        TransactItems: [
          { Put: { TableName: 'streamed', Item: key } },
          {
            Update: {
              TableName: 'streamed',
              Key: { pk: s('b'), sk: n(1) },
              UpdateExpression: 'SET v = :v',
              ExpressionAttributeValues: { ':v': n(1) },
            },
          },
          { Delete: { TableName: 'streamed', Key: { pk: s('c'), sk: n(1) } } },
          {
            ConditionCheck: {
              TableName: 'streamed',
              Key: { pk: s('d'), sk: n(1) },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    ],
    calls: reading,
  },
  {
    name: 'tells the size of each record',
    setup: [streamed('NEW_IMAGE'), ...sized.map((item) => put('streamed', item))],
    calls: reading,
  },
  {
    name: 'checks stream calls',
    setup: [streamed('NEW_IMAGE'), table('quiet', 'pk:S')],
    calls: [
      call('ListStreams', { TableName: 'quiet' }),
      call('ListStreams', { TableName: 'absent' }),
      call('DescribeStream', {
        StreamArn: 'arn:aws:dynamodb:ddblocal:000000000000:table/quiet/stream/2026-01-01T00:00:00.000',
      }),
      call('GetRecords', { ShardIterator: 'nonsense' }),
    ],
  },
];
