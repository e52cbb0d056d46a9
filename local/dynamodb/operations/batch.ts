// BatchGetItem and BatchWriteItem.
import type { Input } from '../../aws/service.ts';
import type { Item } from '../attribute-value.ts';
import { Consumptions, toReadUnits } from '../capacity.ts';
import { commit, type Database } from '../database.ts';
import { validationError } from '../errors.ts';
import { project } from '../expressions/projection.ts';
import { type EncodedKey, encodeKey, parseKey } from '../key.ts';
import type { Table } from '../table.ts';
import { checkParameters, parseReadProjection } from './item.ts';
import { perform, planDelete, planPut, type WritePlan } from './write-plan.ts';

const maxReads = 100;
const maxWrites = 25;
const maxResponseBytes = 16 * 1024 * 1024;

export function batchGetItem(database: Database, input: Input): object {
  checkParameters(input);
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Input>);
  checkReads(requests);
  const reads = requests.map(([name, request]) => {
    checkParameters(request);
    const projection = parseReadProjection(request);
    const table = database.catalog.get(name);
    const keys = (request.Keys as unknown[]).map((key) => encodeKey(table.keys, parseKey(table, key)));
    assertNoDuplicates(keys.map((key) => [table, key]));
    return { name, request, table, keys, projection };
  });
  const consumptions = new Consumptions();
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, Input> = {};
  let bytes = 0;
  for (const { name, request, table, keys, projection } of reads) {
    const found: Item[] = [];
    Responses[name] = found;
    for (const [at, key] of keys.entries()) {
      const stored = database.items.read(table, key);
      bytes += stored?.size ?? 0;
      if (bytes > maxResponseBytes) {
        UnprocessedKeys[name] = { ...request, Keys: request.Keys.slice(at) };
        break;
      }
      consumptions.on(table).add(toReadUnits(stored?.size ?? 0, request.ConsistentRead));
      if (stored) found.push(projection ? project(stored.item, projection) : stored.item);
    }
  }
  database.usage.count('BatchGetItem', consumptions.list());
  return { Responses, UnprocessedKeys, ...consumptions.toResponse(input.ReturnConsumedCapacity) };
}

export async function batchWriteItem(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Input[]>);
  checkWrites(requests);
  const plans = requests.flatMap(([name, writes]) => writes.map((write) => planWrite(database, name, write)));
  assertNoDuplicates(plans.map(({ table, key }) => [table, key]));
  const consumptions = new Consumptions();
  await commit(
    database,
    () => consumptions.list(),
    () => {
      for (const plan of plans) perform(database, plan, consumptions.on(plan.table));
    },
  );
  database.usage.count('BatchWriteItem', consumptions.list());
  return { UnprocessedItems: {}, ...consumptions.toResponse(input.ReturnConsumedCapacity) };
}

function checkReads(requests: readonly [string, Input][]): void {
  if (requests.length === 0) throw validationError('BatchGetItem must have some requests set');
  let count = 0;
  for (const [name, request] of requests) {
    const Keys: unknown = request?.Keys;
    if (!Array.isArray(Keys) || Keys.length === 0) {
      throw validationError(`The list of keys in RequestItems for BatchGetItem is required: ${name} has empty list`);
    }
    if (Keys.some((key) => !key || Object.keys(key).length === 0)) {
      throw validationError(
        `The list of keys in RequestItems for BatchGetItem may not contain null or empty values: ${name} has one or more empty keys`,
      );
    }
    count += Keys.length;
  }
  if (count > maxReads) throw validationError('Too many items requested for the BatchGetItem call');
}

function checkWrites(requests: readonly [string, Input[]][]): void {
  if (requests.length === 0) throw validationError('BatchWriteItem cannot have a null or no requests set');
  let count = 0;
  for (const [name, writes] of requests) {
    if (!Array.isArray(writes) || writes.length === 0) {
      throw validationError(`The batch write request list for a table cannot be null or empty: ${name}`);
    }
    count += writes.length;
  }
  if (count > maxWrites) throw validationError('Too many items requested for the BatchWriteItem call');
}

function planWrite(database: Database, TableName: string, write: Input): WritePlan {
  const { PutRequest, DeleteRequest } = write ?? {};
  if (!PutRequest === !DeleteRequest) {
    throw validationError(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  const content = PutRequest ? PutRequest.Item : DeleteRequest.Key;
  if (!content) throw validationError('The supplied Item contains a null AttributeValue');
  return PutRequest
    ? planPut(database, { TableName, Item: content })
    : planDelete(database, { TableName, Key: content });
}

function assertNoDuplicates(keys: readonly (readonly [Table, EncodedKey])[]): void {
  if (hasDuplicates(keys)) throw validationError('Provided list of item keys contains duplicates');
}

export function hasDuplicates(keys: readonly (readonly [Table, EncodedKey])[]): boolean {
  const seen = new Set(keys.map(([table, { pk, sk }]) => `${table.id} ${pk.toString('hex')} ${sk.toString('hex')}`));
  return seen.size < keys.length;
}
