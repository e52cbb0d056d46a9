// Evaluates bound conditions. A missing attribute makes every comparison false, except <>.
import { requireValue } from '../../require-value.ts';
import {
  type AttributeValue,
  areValuesEqual,
  compareValues,
  getType,
  type Item,
  measureBinary,
} from '../attribute-value.ts';
import type { BoundCondition, BoundOperand } from './condition.ts';
import type { Comparator } from './parser.ts';
import { getValueAt } from './substitutions.ts';

export function matchesCondition(item: Item, condition: BoundCondition): boolean {
  switch (condition.kind) {
    case 'and':
      return matchesCondition(item, condition.left) && matchesCondition(item, condition.right);
    case 'or':
      return matchesCondition(item, condition.left) || matchesCondition(item, condition.right);
    case 'not':
      return !matchesCondition(item, condition.condition);
    case 'compare':
      return compare(condition.operator, resolve(item, condition.left), resolve(item, condition.right));
    case 'between': {
      const value = resolve(item, condition.operand);
      return (
        compare('>=', value, resolve(item, condition.lower)) && compare('<=', value, resolve(item, condition.upper))
      );
    }
    case 'in': {
      const value = resolve(item, condition.operand);
      return condition.choices.some((choice) => compare('=', value, resolve(item, choice)));
    }
    case 'function':
      return call(condition.name, item, condition.operands);
  }
}

function compare(operator: Comparator, left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (!left || !right) return operator === '<>';
  if (operator === '=') return areValuesEqual(left, right);
  if (operator === '<>') return !areValuesEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function resolve(item: Item, operand: BoundOperand): AttributeValue | undefined {
  switch (operand.kind) {
    case 'path':
      return getValueAt(item, operand.path);
    case 'value':
      return operand.value;
    case 'size': {
      const size = measureText(resolve(item, operand.of));
      return size === undefined ? undefined : { N: String(size) };
    }
  }
}

function call(name: string, item: Item, operands: readonly BoundOperand[]): boolean {
  const first = resolve(item, requireValue(operands[0]));
  if (name === 'attribute_exists') return first !== undefined;
  if (name === 'attribute_not_exists') return first === undefined;
  const second = resolve(item, requireValue(operands[1]));
  if (!first || !second) return false;
  if (name === 'attribute_type') return getType(first) === second.S;
  return name === 'begins_with' ? beginsWith(first, second) : contains(first, second);
}

function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if (value.S !== undefined && prefix.S !== undefined) return value.S.startsWith(prefix.S);
  if (value.B === undefined || prefix.B === undefined) return false;
  const wanted = Buffer.from(prefix.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, wanted.length).equals(wanted);
}

function contains(value: AttributeValue, part: AttributeValue): boolean {
  if (value.L) return value.L.some((element) => areValuesEqual(element, part));
  if (part.S !== undefined) return value.S !== undefined ? value.S.includes(part.S) : !!value.SS?.includes(part.S);
  if (part.N !== undefined) return !!value.NS?.includes(part.N);
  if (part.B === undefined) return false;
  if (value.B !== undefined) return Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
  return !!value.BS?.includes(part.B);
}

function measureText(value: AttributeValue | undefined): number | undefined {
  if (!value) return undefined;
  if (value.B !== undefined) return measureBinary(value.B);
  if (value.M) return Object.keys(value.M).length;
  return (value.S ?? value.L ?? value.SS ?? value.NS ?? value.BS)?.length;
}
