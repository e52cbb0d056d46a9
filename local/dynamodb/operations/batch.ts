// BatchGetItem and BatchWriteItem.
import type { Input } from '../../aws/service.ts';
import type { Item } from '../attribute-value.ts';
import { readUnits, Spendings } from '../capacity.ts';
import { commit, type Database } from '../database.ts';
import { project } from '../expressions/projection.ts';
import { checkedKey, type EncodedKey, encodeKey } from '../key.ts';
import { validation } from '../refusal.ts';
import type { Table } from '../table.ts';
import { boundProjection, checkParameters } from './item.ts';
import { perform, planDelete, planPut, type WritePlan } from './write-plan.ts';

const mostReads = 100;
const mostWrites = 25;
const largestAnswer = 16 * 1024 * 1024;

export function batchGetItem(database: Database, input: Input): object {
  checkParameters(input);
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Input>);
  checkReads(requests);
  const reads = requests.map(([name, request]) => {
    checkParameters(request);
    const wanted = boundProjection(request);
    const table = database.catalog.get(name);
    const keys = (request.Keys as unknown[]).map((key) => encodeKey(table.keys, checkedKey(table, key)));
    refuseDuplicates(keys.map((key) => [table, key]));
    return { name, request, table, keys, wanted };
  });
  const spendings = new Spendings();
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, Input> = {};
  let bytes = 0;
  for (const { name, request, table, keys, wanted } of reads) {
    const found: Item[] = [];
    Responses[name] = found;
    for (const [at, key] of keys.entries()) {
      const stored = database.items.read(table, key);
      bytes += stored?.size ?? 0;
      if (bytes > largestAnswer) {
        UnprocessedKeys[name] = { ...request, Keys: request.Keys.slice(at) };
        break;
      }
      spendings.on(table).add(readUnits(stored?.size ?? 0, request.ConsistentRead));
      if (stored) found.push(wanted ? project(stored.item, wanted) : stored.item);
    }
  }
  database.usage.count('BatchGetItem', spendings.all());
  return { Responses, UnprocessedKeys, ...spendings.shown(input.ReturnConsumedCapacity) };
}

export async function batchWriteItem(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Input[]>);
  checkWrites(requests);
  const plans = requests.flatMap(([name, writes]) => writes.map((write) => planOf(database, name, write)));
  refuseDuplicates(plans.map(({ table, key }) => [table, key]));
  const spendings = new Spendings();
  await commit(
    database,
    () => spendings.all(),
    () => {
      for (const plan of plans) perform(database, plan, spendings.on(plan.table));
    },
  );
  database.usage.count('BatchWriteItem', spendings.all());
  return { UnprocessedItems: {}, ...spendings.shown(input.ReturnConsumedCapacity) };
}

function checkReads(requests: readonly [string, Input][]): void {
  if (requests.length === 0) throw validation('BatchGetItem must have some requests set');
  let count = 0;
  for (const [name, { Keys }] of requests) {
    if (!Array.isArray(Keys) || Keys.length === 0) {
      throw validation(`The list of keys in RequestItems for BatchGetItem is required: ${name} has empty list`);
    }
    if (Keys.some((key) => !key || Object.keys(key).length === 0)) {
      throw validation(
        `The list of keys in RequestItems for BatchGetItem may not contain null or empty values: ${name} has one or more empty keys`,
      );
    }
    count += Keys.length;
  }
  if (count > mostReads) throw validation('Too many items requested for the BatchGetItem call');
}

function checkWrites(requests: readonly [string, Input[]][]): void {
  if (requests.length === 0) throw validation('BatchWriteItem cannot have a null or no requests set');
  let count = 0;
  for (const [name, writes] of requests) {
    if (!Array.isArray(writes) || writes.length === 0) {
      throw validation(`The batch write request list for a table cannot be null or empty: ${name}`);
    }
    count += writes.length;
  }
  if (count > mostWrites) throw validation('Too many items requested for the BatchWriteItem call');
}

function planOf(database: Database, TableName: string, write: Input): WritePlan {
  const { PutRequest, DeleteRequest } = write ?? {};
  if (!PutRequest === !DeleteRequest) {
    throw validation(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  const content = PutRequest ? PutRequest.Item : DeleteRequest.Key;
  if (!content) throw validation('The supplied Item contains a null AttributeValue');
  return PutRequest
    ? planPut(database, { TableName, Item: content })
    : planDelete(database, { TableName, Key: content });
}

function refuseDuplicates(keys: readonly (readonly [Table, EncodedKey])[]): void {
  if (hasDuplicates(keys)) throw validation('Provided list of item keys contains duplicates');
}

export function hasDuplicates(keys: readonly (readonly [Table, EncodedKey])[]): boolean {
  const seen = new Set(keys.map(([table, { pk, sk }]) => `${table.id} ${pk.toString('hex')} ${sk.toString('hex')}`));
  return seen.size < keys.length;
}
