// Operations on tables: create, describe, list, delete, time to live.

import type { Input } from '../../aws/service.ts';
import { requireValue } from '../../require-value.ts';
import { commit, type Database } from '../database.ts';
import { constraintError, tableNotFoundError, validationError } from '../errors.ts';
import type { Index, Keys, Table } from '../table.ts';
import { checkName, parseTableDefinition } from '../table-definition.ts';

const maxListed = 100;

export async function createTable(database: Database, input: Input): Promise<object> {
  const definition = parseTableDefinition(input, database.clock.now());
  const table = await write(database, () => database.catalog.create(definition));
  return { TableDescription: describe(database, table, 'ACTIVE') };
}

export function describeTable(database: Database, { TableName }: Input): object {
  return { Table: describe(database, getTable(database, TableName), 'ACTIVE') };
}

export function deleteTable(database: Database, { TableName }: Input): Promise<object> {
  getTable(database, TableName);
  return write(database, () => {
    const table = getTable(database, TableName);
    const TableDescription = describe(database, table, 'DELETING');
    database.catalog.drop(table);
    return { TableDescription };
  });
}

export function listTables(database: Database, { Limit, ExclusiveStartTableName }: Input): object {
  if (Limit !== undefined && Limit < 1) throw validationError('Limit must be greater than or equal to 1');
  if (Limit > maxListed) throw validationError(`Limit in ListTables must be <= ${maxListed}`);
  const names = database.catalog.list().map(({ name }) => name);
  const rest =
    ExclusiveStartTableName === undefined ? names : names.filter((name) => isAfter(name, ExclusiveStartTableName));
  const TableNames = rest.slice(0, Limit ?? maxListed);
  return {
    TableNames,
    ...(TableNames.length < rest.length ? { LastEvaluatedTableName: TableNames.at(-1) } : {}),
  };
}

export function describeTimeToLive(database: Database, { TableName }: Input): object {
  const { ttlAttribute } = database.catalog.get(TableName).definition;
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
}

export async function updateTimeToLive(database: Database, input: Input): Promise<object> {
  const specification = input.TimeToLiveSpecification;
  const table = database.catalog.get(input.TableName);
  checkTimeToLive(specification, table.definition.ttlAttribute);
  const ttlAttribute = specification.Enabled ? specification.AttributeName : undefined;
  await write(database, () => database.catalog.redefine(table, { ...table.definition, ttlAttribute }));
  database.timeToLive.scheduleNextSweep();
  return { TimeToLiveSpecification: specification };
}

/** DescribeTable and DeleteTable name the table in the error message; item operations do not. */
function getTable(database: Database, name: unknown): Table {
  checkName(name);
  const table = database.catalog.find(name);
  if (!table) throw tableNotFoundError(name);
  return table;
}

function checkTimeToLive(specification: Input, current: string | undefined): void {
  if (!specification) throw constraintError(undefined, 'timeToLiveSpecification', 'not be null');
  const { Enabled, AttributeName } = specification;
  if (AttributeName === undefined || AttributeName === null) {
    throw constraintError(undefined, 'timeToLiveSpecification.attributeName', 'not be null');
  }
  if (AttributeName === '') {
    throw constraintError('', 'timeToLiveSpecification.attributeName', 'have length greater than or equal to 1');
  }
  if (current !== undefined && current !== AttributeName) {
    throw validationError('TimeToLive is active on a different AttributeName');
  }
  if (Enabled && current !== undefined) throw validationError('TimeToLive is already enabled');
  if (!Enabled && current === undefined) throw validationError('TimeToLive is already disabled');
}

function describe(database: Database, table: Table, TableStatus: string): object {
  const { definition } = table;
  const local = table.indexes.filter(({ kind }) => kind === 'local');
  const global = table.indexes.filter(({ kind }) => kind === 'global');
  const index = (one: Index) => describeIndex(database, one);
  const created = definition.createdMs / 1000;
  return {
    AttributeDefinitions: definition.attributes,
    TableName: table.name,
    KeySchema: describeKeys(table.keys),
    TableStatus,
    CreationDateTime: created,
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...definition.throughput },
    ...describeSize(database, table.sqlTable, 'TableSizeBytes'),
    TableArn: table.arn,
    TableId: definition.tableId,
    ...(definition.billing === 'PAY_PER_REQUEST'
      ? { BillingModeSummary: { BillingMode: definition.billing, LastUpdateToPayPerRequestDateTime: created } }
      : {}),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local.map(index) } : {}),
    ...(global.length > 0 ? { GlobalSecondaryIndexes: global.map(index) } : {}),
    ...(definition.stream
      ? {
          StreamSpecification: { StreamEnabled: true, StreamViewType: definition.stream.view },
          LatestStreamLabel: definition.stream.label,
          LatestStreamArn: table.streamArn,
        }
      : {}),
    DeletionProtectionEnabled: false,
  };
}

function describeIndex(database: Database, index: Index): object {
  return {
    IndexName: index.name,
    KeySchema: describeKeys(index.keys),
    Projection: {
      ProjectionType: index.projection,
      ...(index.include.length > 0 ? { NonKeyAttributes: index.include } : {}),
    },
    ...(index.kind === 'global' ? { IndexStatus: 'ACTIVE' } : {}),
    ...(index.throughput ? { ProvisionedThroughput: index.throughput } : {}),
    ...describeSize(database, index.sqlTable, 'IndexSizeBytes'),
    IndexArn: index.arn,
  };
}

function describeSize(database: Database, sqlTable: string, name: string): object {
  const row = requireValue(
    database.storage.prepare(`SELECT COUNT(*) AS items, TOTAL(size) AS bytes FROM ${sqlTable}`).get(),
  );
  return { [name]: Number(row.bytes), ItemCount: Number(row.items) };
}

function describeKeys({ hash, range }: Keys): object[] {
  return [
    { AttributeName: hash.name, KeyType: 'HASH' },
    ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
  ];
}

function isAfter(name: string, start: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(start)) > 0;
}

function write<T>(database: Database, work: () => T): Promise<T> {
  return commit(database, () => [], work);
}
