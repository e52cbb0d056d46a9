// Parses the parameters of CreateTable (or the same properties of AWS::DynamoDB::Table), with DynamoDB's rules.

import { randomUUID } from 'node:crypto';
import type { Input } from '../aws/service.ts';
import { requireValue } from '../require-value.ts';
import { constraintError, validationError } from './errors.ts';
import type { IndexDefinition, Keys, KeyType, StreamView, TableDefinition, Throughput } from './table.ts';

const namePattern = /^[A-Za-z0-9_.-]{3,255}$/;
const views = ['NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE', 'KEYS_ONLY'];
const maxGlobalIndexes = 20;
const maxLocalIndexes = 5;
const maxIncluded = 100;

export function parseTableDefinition(input: Input, nowMs: number): TableDefinition {
  checkName(input.TableName);
  const attributes = parseAttributeTypes(input.AttributeDefinitions);
  const keys = parseTableKeys(input.KeySchema, attributes);
  const { billing, throughput } = parseBilling(input);
  const local = parseLocalIndexes(input, keys, attributes);
  const global = parseGlobalIndexes(input, attributes, local.length);
  checkAllUsed(attributes, [keys, ...local.map((index) => index.keys), ...global.map((index) => index.keys)]);
  return {
    name: input.TableName,
    tableId: randomUUID(),
    createdMs: nowMs,
    attributes: [...attributes].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    keys,
    indexes: [...local, ...global],
    nextIndexNumber: local.length + global.length,
    billing,
    throughput,
    stream: parseStream(input.StreamSpecification, nowMs),
    ttlAttribute: undefined,
  };
}

export function checkName(name: unknown): asserts name is string {
  if (name === undefined || name === null) throw constraintError(name, 'tableName', 'not be null');
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw validationError(
      'Invalid table/index name.  Table/index names must be between 3 and 255 characters long, ' +
        "and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    );
  }
}

type AttributeTypes = ReadonlyMap<string, KeyType>;

function parseAttributeTypes(definitions: Input): AttributeTypes {
  if (!Array.isArray(definitions) || definitions.length === 0) throw validationError('No Attribute Schema Defined');
  const types = new Map<string, KeyType>();
  for (const { AttributeName, AttributeType } of definitions) {
    if (!['S', 'N', 'B'].includes(AttributeType))
      throw validationError('Member must satisfy enum value set: [B, N, S]');
    if (types.has(AttributeName)) throw validationError('Cannot have two attributes with the same name');
    types.set(AttributeName, AttributeType);
  }
  return types;
}

function parseTableKeys(schema: Input, attributes: AttributeTypes): Keys {
  if (!Array.isArray(schema) || schema.length === 0) {
    throw validationError(
      'No defined key schema.  A key schema containing at least a hash key must be defined for all tables',
    );
  }
  checkRoles(schema);
  const [hash, range] = schema;
  if (!attributes.has(hash.AttributeName)) {
    throw validationError('Hash Key not specified in Attribute Definitions.  Type unknown.');
  }
  if (range && !attributes.has(range.AttributeName)) {
    throw validationError('Range Key not specified in Attribute Definitions.  Type unknown.');
  }
  return parseKeys(schema, attributes);
}

function checkRoles(schema: Input[]): void {
  const hashes = schema.filter(({ KeyType }) => KeyType === 'HASH');
  if (hashes.length > 1) {
    throw validationError('Too many hash keys specified.  All Dynamo DB tables must have exactly one hash key');
  }
  if (hashes.length === 0) {
    throw validationError('No Hash Key specified in schema.  All Dynamo DB tables must have exactly one hash key');
  }
  if (schema[0].KeyType !== 'HASH' || schema.length > 2 || (schema[1] && schema[1].KeyType !== 'RANGE')) {
    throw validationError(
      'Invalid key order. Hash Key must be specified first in key schema, Range Key must be specifed second',
    );
  }
  if (schema[1] && schema[0].AttributeName === schema[1].AttributeName) {
    throw validationError('Two keys can not have the same name');
  }
}

function parseKeys([hash, range]: Input[], attributes: AttributeTypes): Keys {
  const key = ({ AttributeName }: Input) => ({
    name: AttributeName,
    type: requireValue(attributes.get(AttributeName)),
  });
  return { hash: key(hash), range: range && key(range) };
}

function parseBilling(input: Input): { billing: TableDefinition['billing']; throughput: Throughput } {
  const billing = input.BillingMode ?? 'PROVISIONED';
  if (billing !== 'PROVISIONED' && billing !== 'PAY_PER_REQUEST') {
    throw constraintError(billing, 'billingMode', 'satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]');
  }
  if (billing === 'PAY_PER_REQUEST') return { billing, throughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 } };
  if (!input.ProvisionedThroughput) throw validationError('No provisioned throughput specified for the table');
  return { billing, throughput: parseThroughput(input.ProvisionedThroughput) };
}

function parseThroughput({ ReadCapacityUnits, WriteCapacityUnits }: Input): Throughput {
  const read = Number(ReadCapacityUnits);
  const write = Number(WriteCapacityUnits);
  if (!(read >= 1) || !(write >= 1)) {
    throw validationError('Table read and write throughput must be at least 1, and cannot be null');
  }
  return { ReadCapacityUnits: read, WriteCapacityUnits: write };
}

function parseLocalIndexes(input: Input, keys: Keys, attributes: AttributeTypes): IndexDefinition[] {
  const given: Input[] = input.LocalSecondaryIndexes ?? [];
  if (given.length > maxLocalIndexes)
    throw validationError('Cannot have more than 5 local secondary indexes per table');
  if (given.length > 0 && !keys.range) {
    throw validationError('Local Secondary indices are not allowed on hash tables, only hash and range tables');
  }
  assertUniqueNames(given, 'local');
  return given.map((one, number) => {
    const index = parseIndex(one, 'local', attributes, number);
    if (index.keys.hash.name !== keys.hash.name) {
      throw validationError('Local Secondary indices must have the same hash key as the main table');
    }
    if (!index.keys.range) throw validationError('Local secondary indices must have a range key');
    return index;
  });
}

function parseGlobalIndexes(input: Input, attributes: AttributeTypes, firstNumber: number): IndexDefinition[] {
  const given: Input[] | undefined = input.GlobalSecondaryIndexes;
  if (!given) return [];
  if (given.length === 0) throw validationError('GSI list is empty/invalid');
  if (given.length > maxGlobalIndexes) throw validationError('GlobalSecondaryIndex count exceeds the per-table limit');
  assertUniqueNames(given, 'global');
  return given.map((one, at) => {
    const index = parseIndex(one, 'global', attributes, firstNumber + at);
    return one.ProvisionedThroughput ? { ...index, throughput: parseThroughput(one.ProvisionedThroughput) } : index;
  });
}

function parseIndex(
  input: Input,
  kind: 'global' | 'local',
  attributes: AttributeTypes,
  number: number,
): IndexDefinition {
  checkName(input.IndexName);
  if (!Array.isArray(input.KeySchema) || input.KeySchema.length === 0) {
    throw validationError(
      'No defined key schema.  A key schema containing at least a hash key must be defined for all tables',
    );
  }
  checkRoles(input.KeySchema);
  for (const { AttributeName } of input.KeySchema) {
    if (!attributes.has(AttributeName)) {
      throw validationError(`Attribute ${AttributeName} is not defined in AttributeDefinitions`);
    }
  }
  const { projection, include } = parseProjection(input.Projection);
  return { number, name: input.IndexName, kind, keys: parseKeys(input.KeySchema, attributes), projection, include };
}

function parseProjection(given: Input): Pick<IndexDefinition, 'projection' | 'include'> {
  const type = given?.ProjectionType;
  const include: string[] = given?.NonKeyAttributes ?? [];
  if (type === undefined || type === null) throw validationError('Indexes must have a projection specified');
  if (type !== 'ALL' && type !== 'KEYS_ONLY' && type !== 'INCLUDE') {
    throw validationError('Projection type must be INCLUDE, ALL, or KEYS_ONLY');
  }
  if (type !== 'INCLUDE' && include.length > 0) {
    throw validationError('No attributes should be specified to be projected unless projection type is INCLUDE');
  }
  if (type === 'INCLUDE' && include.length === 0) {
    throw validationError(
      'If Projection type INCLUDE is specified, some non-key attributes to include in the projection must be specified as well',
    );
  }
  if (include.length > maxIncluded) {
    throw validationError(
      `One or more parameter values were invalid: NonKeyAttributes exceeds ${maxIncluded} attributes`,
    );
  }
  return { projection: type, include };
}

function assertUniqueNames(indexes: Input[], kind: 'global' | 'local'): void {
  const names = indexes.map(({ IndexName }) => IndexName);
  if (new Set(names).size < names.length) throw validationError(`Two ${kind} secondary indices have the same name`);
}

function checkAllUsed(attributes: AttributeTypes, schemas: readonly Keys[]): void {
  const used = new Set(schemas.flatMap(({ hash, range }) => (range ? [hash.name, range.name] : [hash.name])));
  if (used.size === attributes.size) return;
  throw validationError(
    'The number of attributes in key schema must match the number of attributes defined in attribute definitions.',
  );
}

function parseStream(given: Input, nowMs: number): TableDefinition['stream'] {
  if (!given) return undefined;
  const view = given.StreamViewType;
  // CloudFormation's StreamSpecification has no StreamEnabled: a StreamViewType enables the stream.
  const enabled = given.StreamEnabled ?? view !== undefined;
  if (!enabled) {
    if (view === undefined) return undefined;
    throw validationError('Invalid StreamViewType: Stream StreamEnabled was false but a StreamViewType was present.');
  }
  if (!view) {
    throw validationError('Invalid StreamViewType: Stream ViewType must not be null or empty when enabling streams.');
  }
  if (!views.includes(view)) {
    throw constraintError(view, 'streamSpecification.streamViewType', `satisfy enum value set: [${views.join(', ')}]`);
  }
  return { label: new Date(nowMs).toISOString().slice(0, -1), view: view as StreamView };
}
