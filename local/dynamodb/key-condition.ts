// Converts a key condition expression to one partition and a range of its sort keys.
import { requireValue } from '../require-value.ts';
import { type AttributeValue, getType } from './attribute-value.ts';
import { validationError } from './errors.ts';
import type { BoundCondition, BoundOperand } from './expressions/condition.ts';
import type { Comparator } from './expressions/parser.ts';
import { checkKeyValues, encodeKeyValue } from './key.ts';
import type { KeyAttribute, Keys } from './table.ts';

export interface Bound {
  bytes: Buffer;
  inclusive: boolean;
}

export interface KeyRange {
  pk: Buffer;
  lower: Bound | undefined;
  upper: Bound | undefined;
}

/** One comparison of the expression, with the attribute on the left side. */
interface Clause {
  attribute: string;
  operator: Comparator | 'BETWEEN' | 'begins_with';
  values: readonly AttributeValue[];
}

const mirrored: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

export function toKeyRange(keys: Keys, condition: BoundCondition): KeyRange {
  const clauses = parseClauses(condition);
  if (new Set(clauses.map(({ attribute }) => attribute)).size < clauses.length) {
    throw validationError('KeyConditionExpressions must only contain one condition per key');
  }
  if (clauses.length > 2) throw validationError('Conditions can be of length 1 or 2 only');
  const of = (key: KeyAttribute | undefined) => clauses.find(({ attribute }) => attribute === key?.name);
  const hash = of(keys.hash);
  if (!hash) throw missingKeyError(keys.hash.name);
  const range = of(keys.range);
  if (clauses.length === 2 && !range) {
    throw keys.range ? missingKeyError(keys.range.name) : validationError('Query key condition not supported');
  }
  if (hash.operator !== '=') throw validationError('Query key condition not supported');
  checkClause(keys.hash, hash);
  const pk = encodeKeyValue(keys.hash.type, requireValue(hash.values[0]));
  if (!range) return { pk, lower: undefined, upper: undefined };
  checkClause(requireValue(keys.range), range);
  return { pk, ...toBounds(requireValue(keys.range), range) };
}

export function isWithinRange(bytes: Buffer, { lower, upper }: KeyRange): boolean {
  const above = lower ? Buffer.compare(bytes, lower.bytes) : 1;
  const below = upper ? Buffer.compare(bytes, upper.bytes) : -1;
  return (
    (above > 0 || (above === 0 && lower?.inclusive === true)) &&
    (below < 0 || (below === 0 && upper?.inclusive === true))
  );
}

function parseClauses(condition: BoundCondition): Clause[] {
  switch (condition.kind) {
    case 'and':
      return [...parseClauses(condition.left), ...parseClauses(condition.right)];
    case 'compare': {
      if (condition.operator === '<>') throw invalidOperatorError('<>');
      const left = condition.left.kind === 'path';
      return [
        toClause(left ? condition.operator : mirrored[condition.operator], [
          left ? condition.left : condition.right,
          left ? condition.right : condition.left,
        ]),
      ];
    }
    case 'between':
      return [toClause('BETWEEN', [condition.operand, condition.lower, condition.upper])];
    case 'function':
      if (condition.name !== 'begins_with') throw invalidOperatorError(condition.name);
      if (condition.operands[0]?.kind === 'value' && condition.operands[1]?.kind === 'path') {
        throw validationError(
          'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
        );
      }
      return [toClause('begins_with', condition.operands)];
    case 'in':
      throw invalidOperatorError('IN');
    default:
      throw invalidOperatorError(condition.kind.toUpperCase());
  }
}

function toClause(operator: Clause['operator'], operands: readonly BoundOperand[]): Clause {
  const paths = operands.filter((operand) => operand.kind === 'path');
  if (operands.some(({ kind }) => kind === 'size')) {
    throw validationError('KeyConditionExpressions cannot contain nested operations');
  }
  if (paths.length === 0)
    throw validationError('Invalid condition in KeyConditionExpression: No key attribute specified');
  if (paths.length > 1) {
    throw validationError(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  }
  const [name, ...deeper] = requireValue(paths[0]).path;
  if (deeper.length > 0) {
    throw validationError(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ${name}`,
    );
  }
  const values = operands.flatMap((operand) => (operand.kind === 'value' ? [operand.value] : []));
  return { attribute: name as string, operator, values };
}

function checkClause(key: KeyAttribute, { values }: Clause): void {
  for (const value of values) {
    if (getType(value) !== key.type) {
      throw validationError(
        'One or more parameter values were invalid: Condition parameter type does not match schema type',
      );
    }
    checkKeyValues({ hash: key, range: undefined }, { [key.name]: value });
  }
}

function toBounds(key: KeyAttribute, { operator, values }: Clause): Pick<KeyRange, 'lower' | 'upper'> {
  const [first, second] = values.map((value) => encodeKeyValue(key.type, value));
  const at = (bytes: Buffer | undefined, inclusive: boolean): Bound => ({ bytes: requireValue(bytes), inclusive });
  switch (operator) {
    case '=':
      return { lower: at(first, true), upper: at(first, true) };
    case '<':
      return { lower: undefined, upper: at(first, false) };
    case '<=':
      return { lower: undefined, upper: at(first, true) };
    case '>':
      return { lower: at(first, false), upper: undefined };
    case '>=':
      return { lower: at(first, true), upper: undefined };
    case 'BETWEEN':
      return { lower: at(first, true), upper: at(second, true) };
    case 'begins_with': {
      const beyond = toPrefixEnd(requireValue(first));
      return { lower: at(first, true), upper: beyond && at(beyond, false) };
    }
    default:
      throw new Error(`a key condition cannot use ${operator}`);
  }
}

/** The exclusive upper bound of all values that begin with the prefix; undefined when there is no bound. */
function toPrefixEnd(prefix: Buffer): Buffer | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 255) end--;
  if (end === 0) return undefined;
  const beyond = Buffer.from(prefix.subarray(0, end));
  beyond[end - 1] = (beyond[end - 1] ?? 0) + 1;
  return beyond;
}

function missingKeyError(name: string): Error {
  return validationError(`Query condition missed key schema element: ${name}`);
}

function invalidOperatorError(operator: string): Error {
  return validationError(`Invalid operator used in KeyConditionExpression: ${operator}`);
}
