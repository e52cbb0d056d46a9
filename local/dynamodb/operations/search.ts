// Query and Scan, page by page.

import type { Input } from '../../aws/service.ts';
import { requireValue } from '../../require-value.ts';
import { getAttribute, getType, type Item, normalizeValue } from '../attribute-value.ts';
import { Consumption, toReadUnits } from '../capacity.ts';
import type { Database } from '../database.ts';
import { constraintError, validationError } from '../errors.ts';
import { type BoundCondition, listPaths } from '../expressions/condition.ts';
import { matchesCondition } from '../expressions/evaluate.ts';
import { type BoundProjection, compileCondition, compileProjection, project } from '../expressions/projection.ts';
import { assertExpressionGiven, Substitutions } from '../expressions/substitutions.ts';
import { getPosition, type PageRequest, type Position, readPage } from '../item-pages.ts';
import { encodeKey, hashBytes, hashSpace, listKeyAttributes } from '../key.ts';
import { isWithinRange, toKeyRange } from '../key-condition.ts';
import { type Index, listKeyNames, type Table } from '../table.ts';
import { checkParameters, requireMember } from './item.ts';

const selections = ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'];
const maxSegments = 1_000_000;

export function query(database: Database, input: Input): object {
  checkSearch(input);
  if (input.KeyConditionExpression === undefined) {
    throw validationError(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const substitutions = new Substitutions(input);
  const keyCondition = compileCondition('KeyConditionExpression', input.KeyConditionExpression, substitutions);
  const search = parseSearch(database, input, substitutions);
  const keys = (search.index ?? search.table).keys;
  const range = toKeyRange(keys, keyCondition);
  assertNoKeysInFilter(search, listKeyNames(keys));
  const after = startAfter(search, input.ExclusiveStartKey);
  if (after && (!after.pk.equals(range.pk) || (keys.range && !isWithinRange(after.sk, range)))) {
    throw validationError('The provided starting key does not match the range key predicate');
  }
  const within = { hash: hashBytes(range.pk), range };
  return runSearch(database, 'Query', input, search, { within, forward: input.ScanIndexForward !== false, after });
}

export function scan(database: Database, input: Input): object {
  checkSearch(input);
  checkSegments(input);
  assertExpressionGiven(input, collectExpressions(input), ['FilterExpression']);
  const search = parseSearch(database, input, new Substitutions(input));
  const after = startAfter(search, input.ExclusiveStartKey);
  const total = input.TotalSegments ?? 1;
  const edge = (segment: number) => Math.floor((hashSpace / total) * segment);
  const within = { fromHash: edge(input.Segment ?? 0), toHash: edge((input.Segment ?? 0) + 1) };
  if (after && (after.hash < within.fromHash || after.hash >= within.toHash)) {
    throw validationError(
      'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct ' +
        `Segment. TotalSegments: ${total} Segment: ${input.Segment}`,
    );
  }
  return runSearch(database, 'Scan', input, search, { within, forward: true, after });
}

interface Search {
  table: Table;
  index: Index | undefined;
  filter: BoundCondition | undefined;
  projection: BoundProjection | undefined;
  counts: boolean;
  /** Whether a local index reads the item for attributes that it does not project. */
  fetches: boolean;
}

function checkSearch(input: Input): void {
  checkParameters(input);
  requireMember(input, 'TableName');
  if (input.Limit !== undefined && !(input.Limit >= 1))
    throw validationError('Limit must be greater than or equal to 1');
  const { Select, ProjectionExpression } = input;
  if (Select !== undefined && !selections.includes(Select)) {
    throw constraintError(Select, 'select', `satisfy enum value set: [${selections.join(', ')}]`);
  }
  if (ProjectionExpression !== undefined && Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES') {
    const choice = Select === 'COUNT' ? 'only the Count' : Select;
    throw validationError(`Cannot specify the ProjectionExpression when choosing to get ${choice}`);
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && ProjectionExpression === undefined) {
    throw validationError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && input.IndexName === undefined) {
    throw validationError('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  }
}

function checkSegments({ Segment, TotalSegments }: Input): void {
  if (Segment === undefined && TotalSegments === undefined) return;
  if (TotalSegments === undefined) {
    throw validationError('If segment is specified, total segment must also be specified');
  }
  if (Segment === undefined) {
    throw validationError(
      'If total segments is specified, a particular segment must also be specified for this request',
    );
  }
  if (TotalSegments < 1) throw constraintError(TotalSegments, 'totalSegments', 'have value greater than or equal to 1');
  if (TotalSegments > maxSegments) {
    throw constraintError(TotalSegments, 'totalSegments', `have value less than or equal to ${maxSegments}`);
  }
  if (Segment < 0) throw constraintError(Segment, 'segment', 'have value greater than or equal to 0');
  if (Segment >= TotalSegments) {
    throw constraintError(Segment, 'segment', `have value less than or equal to ${TotalSegments - 1}`);
  }
}

function parseSearch(database: Database, input: Input, substitutions: Substitutions): Search {
  const { FilterExpression, ProjectionExpression } = input;
  const filter =
    FilterExpression === undefined ? undefined : compileCondition('FilterExpression', FilterExpression, substitutions);
  const projection =
    ProjectionExpression === undefined ? undefined : compileProjection(ProjectionExpression, substitutions);
  substitutions.assertAllUsed();
  const table = database.catalog.get(input.TableName);
  const index = findIndex(table, input.IndexName);
  if (index?.kind === 'global' && input.ConsistentRead === true) {
    throw validationError('Consistent reads are not supported on global secondary indexes');
  }
  const search = { table, index, filter, projection, counts: input.Select === 'COUNT', fetches: false };
  return index?.projected ? { ...search, fetches: needsItems(search, index, input.Select) } : search;
}

function findIndex(table: Table, name: unknown): Index | undefined {
  if (name === undefined) return undefined;
  const index = table.indexes.find((one) => one.name === name);
  if (!index) throw validationError(`The table does not have the specified index: ${name}`);
  return index;
}

/** Whether a local index must read the items; a global index cannot and rejects the query. */
function needsItems(search: Omit<Search, 'fetches'>, index: Index, select: unknown): boolean {
  const outside = (paths: readonly (readonly unknown[])[]) => [
    ...new Set(paths.map(([name]) => name as string).filter((name) => !requireValue(index.projected).has(name))),
  ];
  const filtered = outside(search.filter ? listPaths(search.filter) : []);
  if (filtered.length > 0) {
    throw validationError(
      `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more ` +
        `filter attributes: [${filtered.join(', ')}]`,
    );
  }
  const missing = outside(search.projection?.paths ?? []);
  if (index.kind === 'local') return select === 'ALL_ATTRIBUTES' || missing.length > 0;
  if (select === 'ALL_ATTRIBUTES') {
    throw validationError(
      'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary ' +
        `index ${index.name} because its projection type is not ALL`,
    );
  }
  if (missing.length > 0) {
    throw validationError(
      `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${missing.join(', ')}]`,
    );
  }
  return false;
}

function assertNoKeysInFilter({ filter }: Search, keys: readonly string[]): void {
  const key = filter && listPaths(filter).find(([name]) => keys.includes(name as string));
  if (!key) return;
  throw validationError(
    `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key[0]}`,
  );
}

/** Parses ExclusiveStartKey. */
function startAfter({ table, index }: Search, given: Input): Position | undefined {
  if (given === undefined || given === null) return undefined;
  const attributes = [...listKeyAttributes(table.keys), ...(index ? listKeyAttributes(index.keys) : [])];
  const entries = Object.entries(given).map(([name, value]) => [name, normalizeValue(value)] as const);
  const key = Object.fromEntries(entries) as Item;
  const matches = attributes.every(({ name, type }) => {
    const value = getAttribute(key, name);
    return value !== undefined && getType(value) === type;
  });
  if (!matches || entries.length !== new Set(attributes.map(({ name }) => name)).size) {
    throw validationError('The provided starting key is invalid: The provided key element does not match the schema');
  }
  return getPosition({ table, index }, key);
}

function runSearch(
  database: Database,
  operation: string,
  input: Input,
  search: Search,
  where: Pick<PageRequest, 'within' | 'forward' | 'after'>,
): object {
  const { table, index, filter, counts } = search;
  const consumption = new Consumption(table);
  const items: Item[] = [];
  let count = 0;
  const page = readPage(database.storage, { table, index, ...where, limit: input.Limit }, ({ text }) => {
    if (counts && !filter) {
      count++;
      return;
    }
    const item = JSON.parse(text) as Item;
    if (filter && !matchesCondition(item, filter)) return;
    count++;
    if (!counts) items.push(toResponseItem(database, search, item, consumption, input.ConsistentRead));
  });
  consumption.add(toReadUnits(page.bytes, input.ConsistentRead), index?.name);
  database.usage.count(operation, [consumption]);
  // Without a range key, a partition has one item, so a query always reads the whole partition.
  const ends = operation === 'Query' && !index && !table.keys.range;
  const consumed = consumption.toResponse(input.ReturnConsumedCapacity);
  return {
    ...(counts ? {} : { Items: items }),
    Count: count,
    ScannedCount: page.scanned,
    ...(page.last && !ends ? { LastEvaluatedKey: toLastKey(search, JSON.parse(page.last.text) as Item) } : {}),
    ...(consumed ? { ConsumedCapacity: consumed } : {}),
  };
}

function toResponseItem(
  database: Database,
  search: Search,
  found: Item,
  consumption: Consumption,
  consistent: unknown,
): Item {
  let item = found;
  if (search.fetches) {
    const stored = database.items.read(search.table, encodeKey(search.table.keys, found));
    if (!stored)
      throw new Error(`the index ${requireValue(search.index).name} contains an item that is not in the table`);
    consumption.add(toReadUnits(stored.size, consistent));
    item = stored.item;
  }
  return search.projection ? project(item, search.projection) : item;
}

function toLastKey({ table, index }: Search, item: Item): Item {
  const names = new Set([...listKeyNames(table.keys), ...(index ? listKeyNames(index.keys) : [])]);
  return Object.fromEntries([...names].map((name) => [name, requireValue(item[name])]));
}

function collectExpressions({ FilterExpression, ProjectionExpression }: Input): Record<string, unknown> {
  return { FilterExpression, ProjectionExpression };
}
