// GetItem, PutItem, UpdateItem, DeleteItem.

import { assertMemberTypes, type Input, JsonText, type MemberTypes } from '../../aws/service.ts';
import type { Item } from '../attribute-value.ts';
import { Consumption, toReadUnits } from '../capacity.ts';
import { commit, type Database } from '../database.ts';
import { constraintError, validationError } from '../errors.ts';
import { type BoundProjection, compileProjection, createProjection, project } from '../expressions/projection.ts';
import { assertExpressionGiven, Substitutions } from '../expressions/substitutions.ts';
import type { BoundUpdate } from '../expressions/update.ts';
import { encodeKey, parseKey } from '../key.ts';
import { perform, planDelete, planPut, planUpdate, type WritePlan, type Written } from './write-plan.ts';

export function getItem(database: Database, input: Input): object {
  checkParameters(input);
  requireMember(input, 'TableName');
  requireMember(input, 'Key');
  const projection = parseReadProjection(input);
  const table = database.catalog.get(input.TableName);
  const found = database.items.read(table, encodeKey(table.keys, parseKey(table, input.Key)));
  const consumption = new Consumption(table);
  consumption.add(toReadUnits(found?.size ?? 0, input.ConsistentRead));
  database.usage.count('GetItem', [consumption]);
  if (found && !projection) {
    const consumed = consumption.toResponse(input.ReturnConsumedCapacity);
    return new JsonText(`{"Item":${found.text}${consumed ? `,"ConsumedCapacity":${JSON.stringify(consumed)}` : ''}}`);
  }
  return {
    ...(found ? { Item: projection ? project(found.item, projection) : found.item } : {}),
    ...toConsumedCapacity(input, consumption),
  };
}

export function putItem(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  requireMember(input, 'TableName');
  requireMember(input, 'Item');
  requireOldOrNone(input);
  return write(database, 'PutItem', input, planPut(database, input));
}

export function deleteItem(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  requireMember(input, 'TableName');
  requireMember(input, 'Key');
  requireOldOrNone(input);
  return write(database, 'DeleteItem', input, planDelete(database, input));
}

export function updateItem(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  requireMember(input, 'TableName');
  requireMember(input, 'Key');
  return write(database, 'UpdateItem', input, planUpdate(database, input));
}

/** Parses the projection of a read; rejects # names without an expression. */
export function parseReadProjection(input: Input): BoundProjection | undefined {
  const text = input.ProjectionExpression;
  assertExpressionGiven(input, { ProjectionExpression: text }, []);
  if (text === undefined) return undefined;
  const substitutions = new Substitutions(input);
  const bound = compileProjection(text, substitutions);
  substitutions.assertAllUsed();
  return bound;
}

async function write(database: Database, operation: string, input: Input, plan: WritePlan): Promise<object> {
  const consumption = new Consumption(plan.table);
  try {
    const work = () => perform(database, plan, consumption);
    const written = plan.table.isWriteDeferred ? work() : await commit(database, () => [consumption], work);
    const attributes = selectReturnedAttributes(input.ReturnValues, plan, written);
    return {
      ...(attributes && Object.keys(attributes).length > 0 ? { Attributes: attributes } : {}),
      ...toConsumedCapacity(input, consumption),
    };
  } finally {
    database.usage.count(operation, [consumption]);
  }
}

function selectReturnedAttributes(
  returnValues: string | undefined,
  plan: WritePlan,
  { before, after }: Written,
): Item | undefined {
  const updated = (item: Item | undefined, actions: BoundUpdate) =>
    item && project(item, createProjection(actions.map(({ path }) => path)));
  switch (returnValues) {
    case 'ALL_OLD':
      return before?.item;
    case 'ALL_NEW':
      return after?.item;
    case 'UPDATED_OLD':
      return updated(before?.item, plan.update);
    case 'UPDATED_NEW':
      return updated(
        after?.item,
        plan.update.filter(({ kind }) => kind !== 'remove'),
      );
    default:
      return undefined;
  }
}

function toConsumedCapacity(input: Input, consumption: Consumption): object {
  const consumed = consumption.toResponse(input.ReturnConsumedCapacity);
  return consumed ? { ConsumedCapacity: consumed } : {};
}

// Parameter checks that several operations share.

const returnValues = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'];
const choices: Readonly<Record<string, readonly string[]>> = {
  ReturnValues: returnValues,
  ReturnConsumedCapacity: ['INDEXES', 'TOTAL', 'NONE'],
  ReturnItemCollectionMetrics: ['SIZE', 'NONE'],
  ReturnValuesOnConditionCheckFailure: ['ALL_OLD', 'NONE'],
};

/** Legacy parameters and the expressions that replace them. */
const legacy: Readonly<Record<string, string>> = {
  AttributesToGet: 'ProjectionExpression',
  AttributeUpdates: 'UpdateExpression',
  Expected: 'ConditionExpression',
  ConditionalOperator: 'ConditionExpression or FilterExpression',
  KeyConditions: 'KeyConditionExpression',
  QueryFilter: 'FilterExpression',
  ScanFilter: 'FilterExpression',
};

export const memberTypes: MemberTypes = new Map([
  ['ClientRequestToken', 'string'],
  ['ConditionExpression', 'string'],
  ['ExclusiveStartKey', 'object'],
  ['ExclusiveStartTableName', 'string'],
  ['ExpressionAttributeNames', 'object'],
  ['ExpressionAttributeValues', 'object'],
  ['FilterExpression', 'string'],
  ['IndexName', 'string'],
  ['Item', 'object'],
  ['Key', 'object'],
  ['KeyConditionExpression', 'string'],
  ['Keys', 'objects'],
  ['Limit', 'integer'],
  ['ProjectionExpression', 'string'],
  ['RequestItems', 'object'],
  ['TableName', 'string'],
  ['TransactItems', 'objects'],
  ['UpdateExpression', 'string'],
]);

export function checkParameters(input: Input): void {
  assertMemberTypes(input, memberTypes);
  for (const name in input) {
    const allowed = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (allowed && input[name] !== undefined && input[name] !== null && !allowed.includes(input[name])) {
      throw constraintError(input[name], toMemberName(name), `satisfy enum value set: [${allowed.join(', ')}]`);
    }
    if (Object.hasOwn(legacy, name) && input[name] !== undefined && input[name] !== null) {
      throw validationError(`The legacy parameter ${name} is not supported here; use ${legacy[name]} instead`);
    }
  }
  if (input.ReturnItemCollectionMetrics === 'SIZE') {
    throw validationError('ReturnItemCollectionMetrics is not supported here');
  }
}

export function requireMember(input: Input, name: string): void {
  if (input[name] === undefined || input[name] === null) {
    throw constraintError(input[name], toMemberName(name), 'not be null');
  }
}

/** Puts and deletes return the old item or nothing. */
function requireOldOrNone({ ReturnValues }: Input): void {
  if (ReturnValues !== undefined && ReturnValues !== 'ALL_OLD' && ReturnValues !== 'NONE') {
    throw validationError('ReturnValues can only be ALL_OLD or NONE');
  }
}

function toMemberName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
