// Binds conditions: replaces placeholders and checks the operands once per call, so that evaluating an item only compares.
import { requireValue } from '../../require-value.ts';
import {
  type AttributeType,
  type AttributeValue,
  compareValues,
  getAttribute,
  getType,
  type Item,
} from '../attribute-value.ts';
import {
  type Comparator,
  type Condition,
  isConditionFunction,
  type Operand,
  type Path,
  syntaxError,
} from './parser.ts';
import { arePathsEqual, formatPath, type Substitutions } from './substitutions.ts';

export type BoundOperand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'size'; of: BoundOperand };

export type BoundCondition =
  | { kind: 'compare'; operator: Comparator; left: BoundOperand; right: BoundOperand }
  | { kind: 'between'; operand: BoundOperand; lower: BoundOperand; upper: BoundOperand }
  | { kind: 'in'; operand: BoundOperand; choices: readonly BoundOperand[] }
  | { kind: 'and' | 'or'; left: BoundCondition; right: BoundCondition }
  | { kind: 'not'; condition: BoundCondition }
  | { kind: 'function'; name: string; operands: readonly BoundOperand[] };

const maxChoices = 100;
const orderedTypes = new Set<AttributeType>(['S', 'N', 'B']);
const operandCounts: Readonly<Record<string, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};
const typeNames = 'N,BS,L,B,NULL,M,S,SS,NS,BOOL';

export function bindCondition(condition: Condition, substitutions: Substitutions): BoundCondition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        left: bindCondition(condition.left, substitutions),
        right: bindCondition(condition.right, substitutions),
      };
    case 'not':
      return { kind: 'not', condition: bindCondition(condition.condition, substitutions) };
    case 'compare':
      return bindComparison(condition, substitutions);
    case 'between':
      return bindBetween(condition, substitutions);
    case 'in':
      return bindMembership(condition, substitutions);
    case 'function':
      return bindFunction(condition, substitutions);
  }
}

/** The top-level attributes that a condition reads, with the paths that go deeper. */
export function listPaths(condition: BoundCondition): Path[] {
  const operand = (one: BoundOperand): Path[] => {
    if (one.kind === 'path') return [one.path];
    return one.kind === 'size' ? operand(one.of) : [];
  };
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...listPaths(condition.left), ...listPaths(condition.right)];
    case 'not':
      return listPaths(condition.condition);
    case 'compare':
      return [...operand(condition.left), ...operand(condition.right)];
    case 'between':
      return [condition.operand, condition.lower, condition.upper].flatMap(operand);
    case 'in':
      return [condition.operand, ...condition.choices].flatMap(operand);
    case 'function':
      return condition.operands.flatMap(operand);
  }
}

function bindComparison(
  { operator, left, right }: Condition & { kind: 'compare' },
  substitutions: Substitutions,
): BoundCondition {
  const bound = bindOperands([left, right], substitutions);
  if (operator !== '=' && operator !== '<>') requireOrdered(operator, bound);
  requireDistinct(operator, bound);
  return { kind: 'compare', operator, left: requireValue(bound[0]), right: requireValue(bound[1]) };
}

function bindBetween(
  { operand, lower, upper }: Condition & { kind: 'between' },
  substitutions: Substitutions,
): BoundCondition {
  const bound = bindOperands([operand, lower, upper], substitutions);
  requireOrdered('BETWEEN', bound);
  requireDistinct('BETWEEN', bound);
  const [, from, to] = bound as [BoundOperand, BoundOperand, BoundOperand];
  if (from.kind === 'value' && to.kind === 'value') requireBounds(from.value, to.value);
  return { kind: 'between', operand: requireValue(bound[0]), lower: from, upper: to };
}

function bindMembership(
  { operand, choices }: Condition & { kind: 'in' },
  substitutions: Substitutions,
): BoundCondition {
  if (choices.length > maxChoices) {
    throw syntaxError(`The IN operator is provided with too many operands; number of operands: ${choices.length}`);
  }
  const bound = bindOperands([operand, ...choices], substitutions);
  requireDistinct('IN', bound);
  return { kind: 'in', operand: requireValue(bound[0]), choices: bound.slice(1) };
}

function bindFunction(
  { name, operands }: Condition & { kind: 'function' },
  substitutions: Substitutions,
): BoundCondition {
  if (!isConditionFunction(name))
    throw syntaxError(`The function is not allowed in a condition expression; function: ${name}`);
  if (name === 'size') throw misplacedFunctionError(name);
  requireCount(name, operands);
  const bound = bindOperands(operands, substitutions);
  const [first, second] = bound;
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    if (first?.kind !== 'path') throw missingPathError(name);
  } else if (name === 'attribute_type') {
    requireTypeName(requireValue(first), requireValue(second));
  } else {
    if (name === 'begins_with') requireTypes(name, bound, new Set(['S', 'B']));
    requireDistinct(name, bound);
  }
  return { kind: 'function', name, operands: bound };
}

function requireTypeName(subject: BoundOperand, type: BoundOperand): void {
  if (subject.kind !== 'path') throw missingPathError('attribute_type');
  if (type.kind !== 'value') throw wrongOperandError('attribute_type', '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}');
  requireTypes('attribute_type', [type], new Set(['S']));
  if (!typeNames.split(',').includes(requireValue(type.value.S))) {
    throw syntaxError(`Invalid attribute type name found; type: ${type.value.S}, valid types: {${typeNames}}`);
  }
}

function bindOperands(operands: readonly Operand[], substitutions: Substitutions): BoundOperand[] {
  return operands.map((operand) => bindOperand(operand, substitutions));
}

function bindOperand(operand: Operand, substitutions: Substitutions): BoundOperand {
  switch (operand.kind) {
    case 'path':
      return { kind: 'path', path: substitutions.resolvePath(operand.path) };
    case 'value':
      return { kind: 'value', value: substitutions.resolveValue(operand.placeholder) };
    case 'function': {
      const { name, operands } = operand;
      if (!isConditionFunction(name)) {
        throw syntaxError(`The function is not allowed in a condition expression; function: ${name}`);
      }
      if (name !== 'size') throw misplacedFunctionError(name);
      requireCount(name, operands);
      const of = bindOperand(requireValue(operands[0]), substitutions);
      requireTypes(name, [of], new Set(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M']));
      return { kind: 'size', of };
    }
    case 'arithmetic':
      throw new Error('a condition was parsed with arithmetic in it');
  }
}

function requireCount(name: string, operands: readonly Operand[]): void {
  if (operands.length === operandCounts[name]) return;
  throw syntaxError(
    'Incorrect number of operands for operator or function; ' +
      `operator or function: ${name}, number of operands: ${operands.length}`,
  );
}

function requireOrdered(operator: string, operands: readonly BoundOperand[]): void {
  requireTypes(operator, operands, orderedTypes);
}

function requireTypes(name: string, operands: readonly BoundOperand[], allowed: ReadonlySet<AttributeType>): void {
  for (const operand of operands) {
    if (operand.kind === 'path') continue;
    const type = operand.kind === 'size' ? 'N' : getType(operand.value);
    if (!allowed.has(type)) throw wrongOperandError(name, type);
  }
}

function requireDistinct(operator: string, [first, ...rest]: readonly BoundOperand[]): void {
  if (first?.kind !== 'path') return;
  const { path } = first;
  if (!rest.some((operand) => operand.kind === 'path' && arePathsEqual(operand.path, path))) return;
  throw syntaxError(
    'The first operand must be distinct from the remaining operands for this operator or function; ' +
      `operator: ${operator}, first operand: ${formatPath(path)}`,
  );
}

function requireBounds(lower: AttributeValue, upper: AttributeValue): void {
  const order = compareValues(lower, upper);
  if (order !== undefined && order <= 0) return;
  const rule =
    order === undefined
      ? 'requires same data type for lower and upper bounds'
      : 'requires upper bound to be greater than or equal to lower bound';
  throw syntaxError(
    `The BETWEEN operator ${rule}; lower bound operand: ${formatValue(lower)}, upper bound operand: ${formatValue(upper)}`,
  );
}

function formatValue(value: AttributeValue): string {
  const type = getType(value);
  return `AttributeValue: {${type}:${String(getAttribute(value as Item, type))}}`;
}

function wrongOperandError(name: string, type: string): Error {
  return syntaxError(
    `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
  );
}

function missingPathError(name: string): Error {
  return syntaxError(`Operator or function requires a document path; operator or function: ${name}`);
}

function misplacedFunctionError(name: string): Error {
  return syntaxError(`The function is not allowed to be used this way in an expression; function: ${name}`);
}
