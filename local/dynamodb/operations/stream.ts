// The DynamoDB Streams API. A stream has one shard that never closes; a shard iterator contains the read position.

import { AwsError } from '../../aws/error.ts';
import type { Input } from '../../aws/service.ts';
import { requireValue } from '../../require-value.ts';
import type { Database } from '../database.ts';
import { constraintError, validationError } from '../errors.ts';
import { formatSequence, type StreamRecord } from '../stream-record.ts';
import { listKeyNames, type Table } from '../table.ts';

const maxRecords = 1000;
const iteratorTypes = ['TRIM_HORIZON', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'];

export function listStreams(database: Database, { TableName }: Input): object {
  const tables = database.catalog.list().filter(({ name, streamArn }) => streamArn && (TableName ?? name) === name);
  return {
    Streams: tables.map(({ name, streamArn, definition }) => ({
      StreamArn: streamArn,
      TableName: name,
      StreamLabel: requireValue(definition.stream).label,
    })),
  };
}

export function describeStream(database: Database, { StreamArn }: Input): object {
  const table = toTable(database, StreamArn);
  const [hash, range] = listKeyNames(table.keys);
  return {
    StreamDescription: {
      StreamArn,
      StreamLabel: requireValue(table.definition.stream).label,
      StreamStatus: 'ENABLED',
      StreamViewType: requireValue(table.definition.stream).view,
      CreationRequestDateTime: table.definition.createdMs / 1000,
      TableName: table.name,
      KeySchema: [
        { AttributeName: hash, KeyType: 'HASH' },
        ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
      ],
      Shards: [
        { ShardId: toShardId(table), SequenceNumberRange: { StartingSequenceNumber: formatSequence(table, 1) } },
      ],
    },
  };
}

export function getShardIterator(database: Database, input: Input): object {
  const { StreamArn, ShardId, ShardIteratorType } = input;
  const table = toTable(database, StreamArn);
  if (ShardId !== toShardId(table)) {
    throw new AwsError('ResourceNotFoundException', `Requested resource not found: Shard: ${ShardId} not found`);
  }
  if (!iteratorTypes.includes(ShardIteratorType)) {
    throw constraintError(
      ShardIteratorType,
      'shardIteratorType',
      `satisfy enum value set: [${iteratorTypes.join(', ')}]`,
    );
  }
  return { ShardIterator: encodeIterator(StreamArn, findStart(database, input)) };
}

/** The sequence number before the first record to read. */
function findStart(database: Database, { StreamArn, ShardIteratorType, SequenceNumber }: Input): string | undefined {
  if (ShardIteratorType === 'TRIM_HORIZON') return undefined;
  if (ShardIteratorType === 'LATEST') return database.streams.getLatestSequence(StreamArn);
  if (!/^\d+$/.test(SequenceNumber ?? '')) throw validationError('Invalid SequenceNumber');
  return String(BigInt(SequenceNumber) - (ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? 1n : 0n));
}

export function getRecords(database: Database, { ShardIterator, Limit }: Input): object {
  const [, streamArn, after] = /^(arn:[^|]+)\|(\d*)$/.exec(ShardIterator ?? '') ?? [];
  if (streamArn === undefined) throw validationError('Invalid ShardIterator');
  if (Limit !== undefined && !(Limit >= 1 && Limit <= maxRecords)) {
    throw constraintError(Limit, 'limit', `have value between 1 and ${maxRecords}`);
  }
  toTable(database, streamArn);
  const records = database.streams.read(streamArn, after || undefined, Limit ?? maxRecords);
  return {
    Records: records.map(toApiRecord),
    NextShardIterator: encodeIterator(streamArn, records.at(-1)?.dynamodb.SequenceNumber ?? after),
  };
}

/** Converts a record from Lambda's format to the API's: no stream ARN, and an identity with capitalized fields. */
function toApiRecord({ eventSourceARN: _, userIdentity, ...record }: StreamRecord): object {
  if (!userIdentity) return record;
  return { ...record, userIdentity: { PrincipalId: userIdentity.principalId, Type: userIdentity.type } };
}

function toTable(database: Database, streamArn: unknown): Table {
  const table = typeof streamArn === 'string' ? database.catalog.withStream(streamArn) : undefined;
  if (table) return table;
  throw new AwsError('ResourceNotFoundException', `Requested resource not found: Stream: ${streamArn} not found`);
}

function toShardId({ id }: Table): string {
  return `shardId-${String(id).padStart(20, '0')}-00000001`;
}

function encodeIterator(streamArn: string, after: string | undefined): string {
  return `${streamArn}|${after ?? ''}`;
}
