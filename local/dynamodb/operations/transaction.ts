// TransactWriteItems. A transaction runs in one synchronous step of the storage, so transactions never conflict; only failed
// conditions and invalid items cancel one.

import { AwsError } from '../../aws/error.ts';
import type { Input } from '../../aws/service.ts';
import { requireValue } from '../../require-value.ts';
import { Consumptions, toReadUnits } from '../capacity.ts';
import { commit, type Database } from '../database.ts';
import { constraintError, validationError } from '../errors.ts';
import { keyMismatchError } from '../key.ts';
import { hasDuplicates } from './batch.ts';
import { checkParameters, requireMember } from './item.ts';
import {
  type PreparedWrite,
  planCheck,
  planDelete,
  planPut,
  planUpdate,
  prepare,
  store,
  type WritePlan,
} from './write-plan.ts';

const maxActions = 100;
const maxTransactionBytes = 4 * 1024 * 1024;
const maxTokenLength = 36;
/** A transaction writes each item twice: once to prepare, once to commit. */
const factor = 2;

const actions: Readonly<
  Record<string, { plan: (database: Database, input: Input) => WritePlan; required: readonly string[] }>
> = {
  ConditionCheck: { plan: planCheck, required: ['TableName', 'Key', 'ConditionExpression'] },
  Put: { plan: planPut, required: ['TableName', 'Item'] },
  Update: { plan: planUpdate, required: ['TableName', 'Key', 'UpdateExpression'] },
  Delete: { plan: planDelete, required: ['TableName', 'Key'] },
};

interface Reason {
  Code: string;
  Message?: string;
  Item?: unknown;
}

export async function transactWriteItems(database: Database, input: Input): Promise<object> {
  checkParameters(input);
  const entries = listActions(input);
  const token: string | undefined = input.ClientRequestToken || undefined;
  if (token !== undefined && token.length > maxTokenLength) {
    throw constraintError(token, 'clientRequestToken', `have length less than or equal to ${maxTokenLength}`);
  }
  entries.forEach(checkAction);
  const plans = planAll(
    entries.map(
      ([kind, action]) =>
        () =>
          requireValue(actions[kind]).plan(database, action),
    ),
  );
  if (hasDuplicates(plans.map(({ table, key }) => [table, key]))) {
    throw validationError('Transaction request cannot include multiple operations on one item');
  }
  const consumptions = new Consumptions();
  await commit(
    database,
    () => consumptions.list(),
    () => {
      const remember = token === undefined ? () => {} : database.tokens.check(token, serializeRequest(entries));
      if (!remember) return replay(database, plans, consumptions);
      const prepared = prepareAll(database, plans);
      remember();
      for (const write of prepared) store(database, write, consumptions.on(write.plan.table));
    },
  );
  consumptions.multiply(factor);
  database.usage.count('TransactWriteItems', consumptions.list());
  return consumptions.toResponse(input.ReturnConsumedCapacity);
}

function listActions(input: Input): [kind: string, action: Input][] {
  requireMember(input, 'TransactItems');
  const items: Input[] = input.TransactItems;
  if (items.length === 0) {
    throw validationError(
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: " +
        'Member must have length greater than or equal to 1',
    );
  }
  if (items.length > maxActions) throw validationError(`Member must have length less than or equal to ${maxActions}`);
  return items.map((item) => {
    const given = Object.entries(item).filter(([, action]) => action !== undefined && action !== null);
    if (given.length === 0) {
      throw validationError('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request');
    }
    if (given.length > 1) throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
    return given[0] as [string, Input];
  });
}

/** Serializes a transaction independently of the order of its members, to compare requests with one token. */
function serializeRequest(entries: readonly [kind: string, action: Input][]): string {
  return JSON.stringify(entries.map(([kind, action]) => [kind, ...comparedMembers.map((member) => action[member])]));
}

const comparedMembers = [
  'TableName',
  'Key',
  'Item',
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
];

function checkAction([kind, action]: [string, Input], at: number): void {
  const known = Object.hasOwn(actions, kind) ? actions[kind] : undefined;
  if (!known) throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
  const member = `transactItems.${at + 1}.member.${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
  requireMembers(action, known.required, member);
  checkParameters(action);
}

function requireMembers(action: Input, names: readonly string[], member: string): void {
  for (const name of names) {
    if (action[name] !== undefined && action[name] !== null) continue;
    throw constraintError(undefined, `${member}.${name.charAt(0).toLowerCase()}${name.slice(1)}`, 'not be null');
  }
}

/** An invalid key or item cancels the transaction; any other error rejects the call. */
function planAll<T>(plans: readonly (() => T)[]): T[] {
  const reasons: Reason[] = [];
  const results: T[] = [];
  for (const plan of plans) {
    try {
      results.push(plan());
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (!isValidation(error) || !isCancellation(error)) throw error;
      reasons.push({ Code: 'ValidationError', Message: error.message });
    }
  }
  if (results.length < plans.length) throw createCancellation(reasons);
  return results;
}

function isCancellation({ message }: AwsError): boolean {
  return (
    message === keyMismatchError().message ||
    message.startsWith('Item size has exceeded') ||
    /^One or more parameter values were invalid: (Type mismatch for|Cannot update attribute)/.test(message)
  );
}

/** Computes all changes before the first write; one failure cancels all. */
function prepareAll(database: Database, plans: readonly WritePlan[]): PreparedWrite[] {
  const prepared: PreparedWrite[] = [];
  const reasons = plans.map((plan): Reason => {
    try {
      prepared.push(prepare(plan, database.items.read(plan.table, plan.key)));
      return { Code: 'None' };
    } catch (error) {
      if (isValidation(error)) return { Code: 'ValidationError', Message: error.message };
      if (!(error instanceof AwsError) || error.code !== 'ConditionalCheckFailedException') throw error;
      return { ...error.fields, Code: 'ConditionalCheckFailed', Message: error.message };
    }
  });
  if (prepared.length < plans.length) throw createCancellation(reasons);
  assertTotalSize(prepared.map(({ after }) => (after === 'unchanged' ? undefined : after)));
  return prepared;
}

function assertTotalSize(items: readonly ({ size: number } | undefined)[]): void {
  const bytes = items.reduce((sum, item) => sum + (item?.size ?? 0), 0);
  if (bytes > maxTransactionBytes) throw validationError('The aggregate size of the transaction exceeds 4 MB');
}

/** A repeated transaction consumes the capacity of reading its items. */
function replay(database: Database, plans: readonly WritePlan[], consumptions: Consumptions): void {
  for (const { table, key } of plans) {
    consumptions.on(table).add(toReadUnits(database.items.read(table, key)?.size ?? 0, true));
  }
}

function createCancellation(reasons: readonly Reason[]): AwsError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { fields: { CancellationReasons: reasons } },
  );
}

function isValidation(error: unknown): error is AwsError {
  return error instanceof AwsError && error.code === 'ValidationException';
}
