// A table in memory: keys with their types, indexes with their projections, the stream and the TTL attribute.
import type { StackEnvironment } from '../template/resource-type.ts';

export type KeyType = 'S' | 'N' | 'B';

export interface KeyAttribute {
  name: string;
  type: KeyType;
}

export interface Keys {
  hash: KeyAttribute;
  range: KeyAttribute | undefined;
}

export type StreamView = 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'KEYS_ONLY';

export interface Throughput {
  ReadCapacityUnits: number;
  WriteCapacityUnits: number;
}

export interface IndexDefinition {
  /** Identifies the index's SQLite table; never reused within a table. */
  number: number;
  name: string;
  kind: 'global' | 'local';
  keys: Keys;
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  include: readonly string[];
  throughput?: Throughput;
}

/** Stored as JSON. */
export interface TableDefinition {
  name: string;
  tableId: string;
  createdMs: number;
  attributes: readonly { AttributeName: string; AttributeType: KeyType }[];
  keys: Keys;
  indexes: readonly IndexDefinition[];
  nextIndexNumber: number;
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED';
  throughput: Throughput;
  stream: { label: string; view: StreamView } | undefined;
  ttlAttribute: string | undefined;
  /** Point-in-time recovery is off: a crash may lose the latest writes. */
  expendable?: boolean;
}

export interface Index extends IndexDefinition {
  /** Attributes in the index; undefined: all. */
  projected: ReadonlySet<string> | undefined;
  arn: string;
  sqlTable: string;
}

export interface Table {
  id: number;
  definition: TableDefinition;
  name: string;
  arn: string;
  keys: Keys;
  indexes: readonly Index[];
  streamArn: string | undefined;
  /** Expendable and without indexes or streams, so writes can be deferred. */
  isWriteDeferred: boolean;
  sqlTable: string;
  sqlStream: string;
}

export function buildTable(id: number, definition: TableDefinition, environment: StackEnvironment): Table {
  const arn = toTableArn(definition.name, environment);
  return {
    id,
    definition,
    name: definition.name,
    arn,
    keys: definition.keys,
    streamArn: definition.stream && `${arn}/stream/${definition.stream.label}`,
    isWriteDeferred: definition.expendable === true && !definition.stream && definition.indexes.length === 0,
    sqlTable: `dynamodb_items_${id}`,
    sqlStream: `dynamodb_stream_${id}`,
    indexes: definition.indexes.map((index) => ({
      ...index,
      arn: `${arn}/index/${index.name}`,
      sqlTable: `dynamodb_index_${id}_${index.number}`,
      projected:
        index.projection === 'ALL'
          ? undefined
          : new Set([...listKeyNames(definition.keys), ...listKeyNames(index.keys), ...index.include]),
    })),
  };
}

export function toTableArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${name}`;
}

export function listKeyNames({ hash, range }: Keys): string[] {
  return range ? [hash.name, range.name] : [hash.name];
}

export function areKeysEqual(one: Keys, two: Keys): boolean {
  const same = (left: KeyAttribute | undefined, right: KeyAttribute | undefined) =>
    left?.name === right?.name && left?.type === right?.type;
  return same(one.hash, two.hash) && same(one.range, two.range);
}
