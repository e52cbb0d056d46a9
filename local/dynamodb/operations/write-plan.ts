// A single write, checked as far as it can be without the item: the same plan serves a call of its own, a batch and a
// transaction.
import type { Input } from '../../aws/service.ts';
import { canonicalItem, type Item } from '../attribute-value.ts';
import { type Spending, writeUnits } from '../capacity.ts';
import type { Database } from '../database.ts';
import type { BoundCondition } from '../expressions/condition.ts';
import { meets } from '../expressions/evaluate.ts';
import { condition, update } from '../expressions/projection.ts';
import { refuseWithoutExpression, Substitutions } from '../expressions/substitutions.ts';
import { applyUpdate, type BoundUpdate } from '../expressions/update.ts';
import { type SizedItem, type StoredItem, sizedItem } from '../item-store.ts';
import { checkedKey, checkItemKeys, checkUpdatedIndexKeys, type EncodedKey, encodeKey } from '../key.ts';
import { conditionFailed, validation } from '../refusal.ts';
import { keyNames, type Table } from '../table.ts';

export interface WritePlan {
  readonly table: Table;
  readonly key: EncodedKey;
  readonly condition: BoundCondition | undefined;
  readonly returnOnFailure: boolean;
  /** The paths an update names, for UPDATED_OLD and UPDATED_NEW. */
  readonly update: BoundUpdate;
  /** What the item becomes; undefined means there is none, 'kept' that it is only checked. */
  next(before: Item | undefined): SizedItem | undefined | 'kept';
}

export interface Written {
  before: StoredItem | undefined;
  after: SizedItem | undefined;
}

export const tooBig = 'Item size has exceeded the maximum allowed size';

export function planPut(database: Database, input: Input): WritePlan {
  const bound = bindCondition(input, ['ConditionExpression']);
  const item = canonicalItem(input.Item);
  const table = database.catalog.get(input.TableName);
  checkItemKeys(table, item);
  const sized = sizedItem(item, tooBig);
  return { table, key: encodeKey(table.keys, item), update: [], ...bound, next: () => sized };
}

export function planDelete(database: Database, input: Input): WritePlan {
  const bound = bindCondition(input, ['ConditionExpression']);
  const table = database.catalog.get(input.TableName);
  const key = checkedKey(table, input.Key);
  return { table, key: encodeKey(table.keys, key), update: [], ...bound, next: () => undefined };
}

export function planCheck(database: Database, input: Input): WritePlan {
  return { ...planDelete(database, input), next: () => 'kept' };
}

export function planUpdate(database: Database, input: Input): WritePlan {
  refuseWithoutExpression(input, expressionsOf(input), ['UpdateExpression', 'ConditionExpression']);
  const substitutions = new Substitutions(input);
  const actions = input.UpdateExpression === undefined ? [] : update(input.UpdateExpression, substitutions);
  const bound = { ...conditionOf(input, substitutions), returnOnFailure: returnsOnFailure(input) };
  substitutions.refuseUnused();
  const table = database.catalog.get(input.TableName);
  const key = checkedKey(table, input.Key);
  checkTargets(table, actions);
  return {
    table,
    key: encodeKey(table.keys, key),
    update: actions,
    ...bound,
    next(before) {
      const after = applyUpdate(before ?? key, actions);
      checkUpdatedIndexKeys(table, after);
      return sizedItem(after, 'Item size to update has exceeded the maximum allowed size');
    },
  };
}

/** A plan with the item that is there and the one that will be. */
export interface PreparedWrite {
  plan: WritePlan;
  before: StoredItem | undefined;
  after: SizedItem | undefined | 'kept';
}

/** Inside a write of the storage: reads, checks the condition, writes. */
export function perform(database: Database, plan: WritePlan, spending: Spending): Written {
  const before = database.items.read(plan.table, plan.key);
  try {
    return store(database, prepare(plan, before), spending);
  } catch (error) {
    // A write that is refused for its condition costs what the item that is there costs.
    spending.add(writeUnits(before?.size ?? 0));
    throw error;
  }
}

/** Checks the condition against the item that is there and works out the new one. */
export function prepare(plan: WritePlan, before: StoredItem | undefined): PreparedWrite {
  if (plan.condition && !meets(before?.item ?? {}, plan.condition)) {
    throw conditionFailed(plan.returnOnFailure ? before?.item : undefined);
  }
  return { plan, before, after: plan.next(before?.item) };
}

export function store(database: Database, { plan, before, after }: PreparedWrite, spending: Spending): Written {
  if (after === 'kept') {
    spending.add(writeUnits(before?.size ?? 0));
    return { before, after: before };
  }
  database.items.write(plan.table, plan.key, before, after, spending);
  return { before, after };
}

function bindCondition(input: Input, withValues: readonly string[]): Pick<WritePlan, 'condition' | 'returnOnFailure'> {
  refuseWithoutExpression(input, expressionsOf(input), withValues);
  const substitutions = new Substitutions(input);
  const bound = conditionOf(input, substitutions);
  substitutions.refuseUnused();
  return { ...bound, returnOnFailure: returnsOnFailure(input) };
}

function conditionOf(input: Input, substitutions: Substitutions): Pick<WritePlan, 'condition'> {
  const text = input.ConditionExpression;
  return { condition: text === undefined ? undefined : condition('ConditionExpression', text, substitutions) };
}

function expressionsOf({ ConditionExpression, UpdateExpression }: Input): Record<string, unknown> {
  return { ConditionExpression, UpdateExpression };
}

function returnsOnFailure(input: Input): boolean {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
}

function checkTargets(table: Table, actions: BoundUpdate): void {
  const keys = keyNames(table.keys);
  const indexKeys = new Set(table.indexes.flatMap((index) => keyNames(index.keys)));
  for (const { path } of actions) {
    const name = path[0] as string;
    if (keys.includes(name)) {
      throw validation(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
    }
    if (path.length > 1 && indexKeys.has(name)) {
      throw validation(
        `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: ${name}`,
      );
    }
  }
}
