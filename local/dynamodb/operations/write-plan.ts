// A single write, validated without reading the item. Calls, batches and transactions use the same plans.
import type { Input } from '../../aws/service.ts';
import { type Item, normalizeItem } from '../attribute-value.ts';
import { type Consumption, toWriteUnits } from '../capacity.ts';
import type { Database } from '../database.ts';
import { conditionFailedError, validationError } from '../errors.ts';
import type { BoundCondition } from '../expressions/condition.ts';
import { matchesCondition } from '../expressions/evaluate.ts';
import { compileCondition, compileUpdate } from '../expressions/projection.ts';
import { assertExpressionGiven, Substitutions } from '../expressions/substitutions.ts';
import { applyUpdate, type BoundUpdate } from '../expressions/update.ts';
import { type SizedItem, type StoredItem, toSizedItem } from '../item-store.ts';
import { checkItemKeys, checkUpdatedIndexKeys, type EncodedKey, encodeKey, parseKey } from '../key.ts';
import { listKeyNames, type Table } from '../table.ts';

export interface WritePlan {
  readonly table: Table;
  readonly key: EncodedKey;
  readonly condition: BoundCondition | undefined;
  readonly returnOnFailure: boolean;
  /** The actions of an update, for UPDATED_OLD and UPDATED_NEW. */
  readonly update: BoundUpdate;
  /** Returns the new item, undefined for a delete, or 'unchanged' for a condition check. */
  next(before: Item | undefined): SizedItem | undefined | 'unchanged';
}

export interface Written {
  before: StoredItem | undefined;
  after: SizedItem | undefined;
}

export const itemTooLarge = 'Item size has exceeded the maximum allowed size';

export function planPut(database: Database, input: Input): WritePlan {
  const bound = bindCondition(input, ['ConditionExpression']);
  const item = normalizeItem(input.Item);
  const table = database.catalog.get(input.TableName);
  checkItemKeys(table, item);
  const sized = toSizedItem(item, itemTooLarge);
  return { table, key: encodeKey(table.keys, item), update: [], ...bound, next: () => sized };
}

export function planDelete(database: Database, input: Input): WritePlan {
  const bound = bindCondition(input, ['ConditionExpression']);
  const table = database.catalog.get(input.TableName);
  const key = parseKey(table, input.Key);
  return { table, key: encodeKey(table.keys, key), update: [], ...bound, next: () => undefined };
}

export function planCheck(database: Database, input: Input): WritePlan {
  return { ...planDelete(database, input), next: () => 'unchanged' };
}

export function planUpdate(database: Database, input: Input): WritePlan {
  assertExpressionGiven(input, collectExpressions(input), ['UpdateExpression', 'ConditionExpression']);
  const substitutions = new Substitutions(input);
  const actions = input.UpdateExpression === undefined ? [] : compileUpdate(input.UpdateExpression, substitutions);
  const bound = { ...requireCondition(input, substitutions), returnOnFailure: shouldReturnItemOnFailure(input) };
  substitutions.assertAllUsed();
  const table = database.catalog.get(input.TableName);
  const key = parseKey(table, input.Key);
  checkTargets(table, actions);
  return {
    table,
    key: encodeKey(table.keys, key),
    update: actions,
    ...bound,
    next(before) {
      const after = applyUpdate(before ?? key, actions);
      checkUpdatedIndexKeys(table, after);
      return toSizedItem(after, 'Item size to update has exceeded the maximum allowed size');
    },
  };
}

/** A plan with the stored item and the new one. */
export interface PreparedWrite {
  plan: WritePlan;
  before: StoredItem | undefined;
  after: SizedItem | undefined | 'unchanged';
}

/** Reads the item, checks the condition and writes. Must run inside storage.write(). */
export function perform(database: Database, plan: WritePlan, consumption: Consumption): Written {
  const before = database.items.read(plan.table, plan.key);
  try {
    return store(database, prepare(plan, before), consumption);
  } catch (error) {
    // A write with a failed condition consumes the capacity of the stored item.
    consumption.add(toWriteUnits(before?.size ?? 0));
    throw error;
  }
}

/** Checks the condition against the stored item and computes the new one. */
export function prepare(plan: WritePlan, before: StoredItem | undefined): PreparedWrite {
  if (plan.condition && !matchesCondition(before?.item ?? {}, plan.condition)) {
    throw conditionFailedError(plan.returnOnFailure ? before?.item : undefined);
  }
  return { plan, before, after: plan.next(before?.item) };
}

export function store(database: Database, { plan, before, after }: PreparedWrite, consumption: Consumption): Written {
  if (after === 'unchanged') {
    consumption.add(toWriteUnits(before?.size ?? 0));
    return { before, after: before };
  }
  database.items.write(plan.table, plan.key, before, after, consumption);
  return { before, after };
}

function bindCondition(input: Input, withValues: readonly string[]): Pick<WritePlan, 'condition' | 'returnOnFailure'> {
  assertExpressionGiven(input, collectExpressions(input), withValues);
  const substitutions = new Substitutions(input);
  const bound = requireCondition(input, substitutions);
  substitutions.assertAllUsed();
  return { ...bound, returnOnFailure: shouldReturnItemOnFailure(input) };
}

function requireCondition(input: Input, substitutions: Substitutions): Pick<WritePlan, 'condition'> {
  const text = input.ConditionExpression;
  return { condition: text === undefined ? undefined : compileCondition('ConditionExpression', text, substitutions) };
}

function collectExpressions({ ConditionExpression, UpdateExpression }: Input): Record<string, unknown> {
  return { ConditionExpression, UpdateExpression };
}

function shouldReturnItemOnFailure(input: Input): boolean {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
}

function checkTargets(table: Table, actions: BoundUpdate): void {
  const keys = listKeyNames(table.keys);
  const indexKeys = new Set(table.indexes.flatMap((index) => listKeyNames(index.keys)));
  for (const { path } of actions) {
    const name = path[0] as string;
    if (keys.includes(name)) {
      throw validationError(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
    }
    if (path.length > 1 && indexKeys.has(name)) {
      throw validationError(
        `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: ${name}`,
      );
    }
  }
}
