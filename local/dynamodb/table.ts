// What the service knows of a table, ready for use: keys with their types, indexes with what they project, the stream
// and the time-to-live attribute.
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
  /** Numbers the index's rows in the storage; never used twice in a table. */
  number: number;
  name: string;
  kind: 'global' | 'local';
  keys: Keys;
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  include: readonly string[];
  throughput?: Throughput;
}

/** Kept in the storage as JSON. */
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
  /** Stated to need no recovery: what was written a moment before a crash may be gone. */
  expendable?: boolean;
}

export interface Index extends IndexDefinition {
  /** Attributes in the index; undefined when it holds all. */
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
  /** Expendable, and nothing else changes with its items: they can be written a moment later. */
  isWriteDeferred: boolean;
  sqlTable: string;
  sqlStream: string;
}

export function buildTable(id: number, definition: TableDefinition, environment: StackEnvironment): Table {
  const arn = tableArn(definition.name, environment);
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
          : new Set([...keyNames(definition.keys), ...keyNames(index.keys), ...index.include]),
    })),
  };
}

export function tableArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${name}`;
}

export function keyNames({ hash, range }: Keys): string[] {
  return range ? [hash.name, range.name] : [hash.name];
}

export function sameKeys(one: Keys, two: Keys): boolean {
  const same = (left: KeyAttribute | undefined, right: KeyAttribute | undefined) =>
    left?.name === right?.name && left?.type === right?.type;
  return same(one.hash, two.hash) && same(one.range, two.range);
}
