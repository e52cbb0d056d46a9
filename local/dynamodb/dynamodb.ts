// DynamoDB on SQLite: the service for SDK clients, the template's tables, streams for event source mappings, and usage
// counters for benchmarks.
import { AwsError } from '../aws/error.ts';
import { type AwsService, createJsonService, type Input } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import type { Storage } from '../storage/storage.ts';
import { isTrue, type Properties, type Resource, type StackEnvironment } from '../template/resource-type.ts';
import { createAccess } from './access.ts';
import { type Usage, UsageCounter } from './capacity.ts';
import { Catalog, requireCompatible } from './catalog.ts';
import type { Database } from './database.ts';
import { ItemStore } from './item-store.ts';
import { batchGetItem, batchWriteItem } from './operations/batch.ts';
import { deleteItem, getItem, memberTypes, putItem, updateItem } from './operations/item.ts';
import { query, scan } from './operations/search.ts';
import { describeStream, getRecords, getShardIterator, listStreams } from './operations/stream.ts';
import {
  createTable,
  deleteTable,
  describeTable,
  describeTimeToLive,
  listTables,
  updateTimeToLive,
} from './operations/table.ts';
import { transactWriteItems } from './operations/transaction.ts';
import { PropagationDelay } from './propagation-delay.ts';
import { RequestTokens } from './request-tokens.ts';
import { templateStreamLabel } from './resource-types.ts';
import { StreamLog } from './stream-log.ts';
import type { StreamRecord } from './stream-record.ts';
import { parseTableDefinition } from './table-definition.ts';
import { TimeToLive } from './time-to-live.ts';

export interface Streams {
  /** Oldest first; without `afterSequence`, from the oldest record. */
  read(streamArn: string, afterSequence: string | undefined, limit: number): StreamRecord[];
  serialize(record: StreamRecord): string;
  /** The newest sequence number; undefined for a stream that was always empty. */
  getLatestSequence(streamArn: string): string | undefined;
  /** Calls back after each commit that may have added records; returns a function that unsubscribes. */
  onRecords(streamArn: string, listener: () => void): () => void;
  /** Sets the arrival time of new records; undefined: use the clock. */
  arriveAt(timeMs: number | undefined): void;
}

export interface DynamoDb extends RuntimeService {
  readonly service: Required<AwsService>;
  readonly streams: Streams;
  /** The propagation delay of global indexes and streams. */
  readonly delay: PropagationDelay;
  /** Creates or updates a table from the properties of AWS::DynamoDB::Table (with TableName). */
  ensureTable(properties: Properties): void;
  /** Creates or updates every table of a template. */
  load(resources: readonly Resource[]): void;
  /** Calls and capacity units since the start or the last reset, by operation and table. */
  usage(): Usage;
  resetUsage(): void;
}

const operations: Readonly<Record<string, (database: Database, input: Input) => object | Promise<object>>> = {
  GetItem: getItem,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  Query: query,
  Scan: scan,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactWriteItems: transactWriteItems,
  CreateTable: createTable,
  DescribeTable: describeTable,
  ListTables: listTables,
  DeleteTable: deleteTable,
  UpdateTimeToLive: updateTimeToLive,
  DescribeTimeToLive: describeTimeToLive,
  ListStreams: listStreams,
  DescribeStream: describeStream,
  GetShardIterator: getShardIterator,
  GetRecords: getRecords,
};

/** Operations that read items by key and so see deferred writes; all others need them in the storage. */
const byKey = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

export function createDynamoDb(options: {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
}): DynamoDb {
  const { storage, clock, environment, log } = options;
  const catalog = new Catalog(storage, environment);
  const delay = new PropagationDelay({ storage, clock, catalog });
  const streams = new StreamLog({ storage, clock, catalog, delay, region: environment.region });
  const timeToLive = new TimeToLive({ clock, storage, catalog, streams, log });
  const items = new ItemStore(storage, streams, delay, (seconds) => timeToLive.scheduleSweep(seconds));
  const usage = new UsageCounter();
  const tokens = new RequestTokens(storage, clock);
  const database: Database = { storage, clock, catalog, items, streams, timeToLive, tokens, usage };

  const ensureTable = (properties: Properties) => storage.writeNow(() => ensure(database, properties));
  return {
    name: 'dynamodb',
    streams,
    delay,
    ensureTable,
    load: (resources) => {
      for (const { type, properties, physicalId } of resources) {
        if (type === 'AWS::DynamoDB::Table') ensureTable({ ...properties, TableName: physicalId });
      }
    },
    usage: () => usage.read(),
    resetUsage: () => usage.reset(),
    start: async () => {
      delay.applyAll();
      await timeToLive.start(items);
    },
    stop: async () => {
      timeToLive.stop();
      items.settle();
    },
    service: createJsonService({
      signingName: 'dynamodb',
      jsonVersion: '1.0',
      errorPrefix: 'com.amazonaws.dynamodb.v20120810#',
      memberTypes,
      access: createAccess(catalog, environment),
      call: async (operation, input) => {
        const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
        if (!run) {
          log.warn('Unsupported DynamoDB operation', { operation });
          throw new AwsError('UnknownOperationException', 'An unknown operation was requested.');
        }
        const table = byKey.has(operation) ? undefined : catalog.find(input.TableName);
        if (table) items.settle(table);
        return run(database, input);
      },
    }),
  };
}

function ensure({ catalog, clock, streams }: Database, properties: Properties): void {
  const stated = parseTableDefinition(properties, clock.now());
  const ttl = properties.TimeToLiveSpecification;
  const ttlAttribute: string | undefined = isTrue(ttl?.Enabled) ? ttl.AttributeName : undefined;
  const stream = stated.stream && { ...stated.stream, label: templateStreamLabel };
  const recovery = properties.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled;
  const expendable = recovery !== undefined && !isTrue(recovery);
  const wanted = { ...stated, stream, ttlAttribute, expendable };
  const existing = catalog.find(wanted.name);
  if (!existing) {
    catalog.create(wanted);
    return;
  }
  requireCompatible(existing, wanted);
  const table = catalog.changeIndexes(
    existing,
    wanted.indexes.filter(({ kind }) => kind === 'global'),
  );
  if (existing.definition.stream && !stream) streams.removeRecords(existing);
  const { attributes, billing, throughput } = wanted;
  catalog.redefine(table, { ...table.definition, attributes, billing, throughput, stream, ttlAttribute, expendable });
}
