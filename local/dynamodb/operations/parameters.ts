// Checks of parameters that many operations share.
import type { Input } from '../../aws/service.ts';
import { constraint, validation } from '../refusal.ts';

const returnValues = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'];
const choices: Readonly<Record<string, readonly string[]>> = {
  ReturnValues: returnValues,
  ReturnConsumedCapacity: ['INDEXES', 'TOTAL', 'NONE'],
  ReturnItemCollectionMetrics: ['SIZE', 'NONE'],
  ReturnValuesOnConditionCheckFailure: ['ALL_OLD', 'NONE'],
};

/** Parameters from before expressions, and what takes their place. */
const legacy: Readonly<Record<string, string>> = {
  AttributesToGet: 'ProjectionExpression',
  AttributeUpdates: 'UpdateExpression',
  Expected: 'ConditionExpression',
  ConditionalOperator: 'ConditionExpression or FilterExpression',
  KeyConditions: 'KeyConditionExpression',
  QueryFilter: 'FilterExpression',
  ScanFilter: 'FilterExpression',
};

export function checkParameters(input: Input): void {
  for (const name in input) {
    const allowed = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (allowed && input[name] !== undefined && input[name] !== null && !allowed.includes(input[name])) {
      throw constraint(input[name], memberName(name), `satisfy enum value set: [${allowed.join(', ')}]`);
    }
    if (Object.hasOwn(legacy, name) && input[name] !== undefined && input[name] !== null) {
      throw validation(`The legacy parameter ${name} is not supported here; use ${legacy[name]} instead`);
    }
  }
  if (input.ReturnItemCollectionMetrics === 'SIZE') {
    throw validation('ReturnItemCollectionMetrics is not supported here');
  }
}

export function requireMember(input: Input, name: string): void {
  if (input[name] === undefined || input[name] === null) {
    throw constraint(input[name], memberName(name), 'not be null');
  }
}

/** Puts and deletes give back the old item or nothing. */
export function requireOldOrNone({ ReturnValues }: Input): void {
  if (ReturnValues !== undefined && ReturnValues !== 'ALL_OLD' && ReturnValues !== 'NONE') {
    throw validation('ReturnValues can only be ALL_OLD or NONE');
  }
}

function memberName(name: string): string {
  return name[0]!.toLowerCase() + name.slice(1);
}
