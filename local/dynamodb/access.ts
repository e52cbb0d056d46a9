// The permissions that a call needs, with DynamoDB's condition keys. The condition values are computed only when a policy
// uses them.

import type { Access, Input } from '../aws/service.ts';
import { requireValue } from '../require-value.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { getType } from './attribute-value.ts';
import type { Catalog } from './catalog.ts';
import { tokenize } from './expressions/parser.ts';
import { toTableArn } from './table.ts';

const perItem = new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
const onIndexes = new Set(['Query', 'Scan']);
const inTransactions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
};
const onStreams = new Set(['DescribeStream', 'GetShardIterator', 'GetRecords']);
const conditionExpressions = [
  'ProjectionExpression',
  'FilterExpression',
  'ConditionExpression',
  'UpdateExpression',
  'KeyConditionExpression',
];

/** Limits the cache: clients can send any name. */
const maxArns = 1000;

export type GetAccesses = (operation: string, input: Input) => readonly Access[];

export function createAccess(catalog: Catalog, environment: StackEnvironment): GetAccesses {
  const arns = new Map<unknown, string>();
  const toArn = (name: unknown) => {
    const known = arns.get(name);
    if (known !== undefined) return known;
    const arn =
      typeof name === 'string' && name.startsWith('arn:') ? name : toTableArn(String(name ?? ''), environment);
    if (arns.size < maxArns) arns.set(name, arn);
    return arn;
  };
  const hashKey = (name: unknown) => catalog.find(toBareName(name))?.keys.hash.name;
  const forItem = (action: string, input: Input) =>
    toAccess(action, toArn(input.TableName), () => buildItemContext(action, input, hashKey(input.TableName)));

  return (operation, input) => {
    if (perItem.has(operation)) return [forItem(operation, input)];
    if (onIndexes.has(operation)) {
      const index = typeof input.IndexName === 'string' ? `/index/${input.IndexName}` : '';
      const context = () => buildSearchContext(operation, input, findIndexHash(catalog, input));
      return [toAccess(operation, toArn(input.TableName) + index, context)];
    }
    if (operation.startsWith('Transact')) {
      return listActions(input).map(([kind, action]) => forItem(requireValue(inTransactions[kind]), action));
    }
    if (operation.startsWith('Batch')) {
      return Object.entries((input.RequestItems ?? {}) as Record<string, Input>).map(([name, request]) =>
        toAccess(operation, toArn(name), () => buildBatchContext(request, hashKey(name))),
      );
    }
    if (operation === 'ListTables') return [toAccess(operation, toTableArn('*', environment))];
    if (operation === 'ListStreams') return [toAccess(operation, '*')];
    if (onStreams.has(operation)) return [toAccess(operation, findStreamArn(input))];
    return [toAccess(operation, toArn(input.TableName))];
  };
}

function toAccess(action: string, resource: string, context?: () => Context): Access {
  return context ? new AccessInContext(action, resource, context) : { action: `dynamodb:${action}`, resource };
}

/** Computes the context on first use. */
class AccessInContext implements Access {
  readonly action: string;
  readonly resource: string;
  readonly #compute: () => Context;
  #context: Context | undefined;

  constructor(action: string, resource: string, context: () => Context) {
    this.action = `dynamodb:${action}`;
    this.resource = resource;
    this.#compute = context;
  }

  get context(): Context {
    this.#context ??= this.#compute();
    return this.#context;
  }
}

function listActions({ TransactItems }: Input): [kind: string, action: Input][] {
  return listEntries(TransactItems)
    .flatMap((item) => Object.entries(item ?? {}))
    .filter(([kind, action]) => Object.hasOwn(inTransactions, kind) && action) as [string, Input][];
}

function findStreamArn({ StreamArn, ShardIterator }: Input): string {
  return String(StreamArn ?? String(ShardIterator ?? '').split('|')[0]);
}

function toBareName(name: unknown): string {
  return requireValue(String(name).split('/').pop());
}

type Context = Record<string, string | readonly string[]>;

function buildItemContext(action: string, input: Input, hashKey: string | undefined): Context {
  const values = input.Item ?? input.Key ?? {};
  const reads = action === 'GetItem';
  return {
    ...listLeadingKeys([values], hashKey),
    'dynamodb:Attributes': listAttributeNames(input, [values]),
    ...(reads ? { 'dynamodb:Select': getSelect(input) } : { 'dynamodb:ReturnValues': input.ReturnValues ?? 'NONE' }),
    ...buildCapacityContext(input),
  };
}

function buildSearchContext(operation: string, input: Input, hashKey: string | undefined): Context {
  return {
    ...(operation === 'Query' ? buildQueryKey(input, hashKey) : {}),
    'dynamodb:Attributes': listAttributeNames(input, []),
    'dynamodb:Select': getSelect(input),
    ...buildCapacityContext(input),
  };
}

function buildBatchContext(request: Input, hashKey: string | undefined): Context {
  const writes = Array.isArray(request) ? request : [];
  const values = Array.isArray(request)
    ? writes.map((write: Input) => write.PutRequest?.Item ?? write.DeleteRequest?.Key ?? {})
    : listEntries(request.Keys);
  return {
    ...listLeadingKeys(values, hashKey),
    'dynamodb:Attributes': listAttributeNames(Array.isArray(request) ? {} : request, values),
    ...(Array.isArray(request) ? {} : { 'dynamodb:Select': getSelect(request) }),
  };
}

function listLeadingKeys(items: readonly Input[], hashKey: string | undefined): Context {
  const keys = items.flatMap((item) => (hashKey !== undefined && item[hashKey] ? [formatKeyValue(item[hashKey])] : []));
  return keys.length > 0 ? { 'dynamodb:LeadingKeys': keys } : {};
}

/** The hash key's value in the key condition. */
function buildQueryKey(input: Input, hashKey: string | undefined): Context {
  const words = tokenize(String(input.KeyConditionExpression ?? ''));
  const isHash = (text: string) => (input.ExpressionAttributeNames?.[text] ?? text) === hashKey;
  for (const [at, { kind, text }] of words.entries()) {
    if (kind !== 'symbol' || text !== '=') continue;
    const sides = [words[at - 1]?.text ?? '', words[at + 1]?.text ?? ''];
    const value = sides.some(isHash) && sides.map((side) => input.ExpressionAttributeValues?.[side]).find(Boolean);
    if (value) return { 'dynamodb:LeadingKeys': [formatKeyValue(value)] };
  }
  return {};
}

function findIndexHash(catalog: Catalog, { TableName, IndexName }: Input): string | undefined {
  const table = catalog.find(toBareName(TableName));
  return (table?.indexes.find(({ name }) => name === IndexName) ?? table)?.keys.hash.name;
}

/** Top-level names only: a name that follows a dot is inside an attribute. */
function listAttributeNames(input: Input, items: readonly Input[]): string[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  for (const which of conditionExpressions) {
    const words = tokenize(String(input[which] ?? ''));
    for (const [at, { kind, text }] of words.entries()) {
      const isCall = words[at + 1]?.text === '(' && kind === 'word';
      if ((kind !== 'word' && kind !== 'name') || words[at - 1]?.text === '.' || isCall || isKeyword(text)) continue;
      names.add(input.ExpressionAttributeNames?.[text] ?? text);
    }
  }
  return [...names];
}

function isKeyword(text: string): boolean {
  return /^(set|remove|add|delete|and|or|not|between|in)$/i.test(text);
}

function getSelect(input: Input): string {
  if (input.Select) return input.Select;
  if (input.ProjectionExpression !== undefined) return 'SPECIFIC_ATTRIBUTES';
  return input.IndexName === undefined ? 'ALL_ATTRIBUTES' : 'ALL_PROJECTED_ATTRIBUTES';
}

function buildCapacityContext({ ReturnConsumedCapacity }: Input): Context {
  return ReturnConsumedCapacity ? { 'dynamodb:ReturnConsumedCapacity': ReturnConsumedCapacity } : {};
}

function formatKeyValue(value: Input): string {
  return String(value[getType(value)]);
}

function listEntries(list: unknown): Input[] {
  return Array.isArray(list) ? list : [];
}
