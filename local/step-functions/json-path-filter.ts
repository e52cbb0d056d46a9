// Filters inside a path: [?(@.price < 10 && @.kind == 'book')].
import { isDeepStrictEqual } from 'node:util';
import type { Scanner } from './scanner.ts';

export type Filter =
  | { kind: 'or' | 'and'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'exists'; operand: Operand }
  | { kind: 'compare'; operator: string; left: Operand; right: Operand };

/** What an operand gives for a node; the whole document is for paths that begin with $. */
export type Operand = (node: unknown, root: unknown) => unknown;

/** Reads a path that begins with @ or $. */
export type ScanOperandPath = (scanner: Scanner) => Operand;

/** Distinguishes what is not there from a null that is. */
export const absent = Symbol('absent');

/** Reads the parenthesised filter that follows a question mark. */
export function readFilter(scanner: Scanner, scanPath: ScanOperandPath): Filter {
  scanner.skipSpace();
  scanner.expect('(');
  const filter = scanOr(scanner, scanPath);
  scanner.skipSpace();
  scanner.expect(')');
  return filter;
}

export function matches(filter: Filter, node: unknown, root: unknown): boolean {
  switch (filter.kind) {
    case 'or':
      return filter.filters.some((part) => matches(part, node, root));
    case 'and':
      return filter.filters.every((part) => matches(part, node, root));
    case 'not':
      return !matches(filter.filter, node, root);
    case 'exists':
      return exists(filter.operand(node, root));
    case 'compare':
      return compare(filter.operator, filter.left(node, root), filter.right(node, root));
  }
}

function scanOr(scanner: Scanner, scanPath: ScanOperandPath): Filter {
  const filters = [scanAnd(scanner, scanPath)];
  for (scanner.skipSpace(); scanner.take('||'); scanner.skipSpace()) filters.push(scanAnd(scanner, scanPath));
  return filters.length === 1 ? filters[0]! : { kind: 'or', filters };
}

function scanAnd(scanner: Scanner, scanPath: ScanOperandPath): Filter {
  const filters = [scanUnary(scanner, scanPath)];
  for (scanner.skipSpace(); scanner.take('&&'); scanner.skipSpace()) filters.push(scanUnary(scanner, scanPath));
  return filters.length === 1 ? filters[0]! : { kind: 'and', filters };
}

function scanUnary(scanner: Scanner, scanPath: ScanOperandPath): Filter {
  scanner.skipSpace();
  if (scanner.peek() === '!' && scanner.peek(2) !== '!=') {
    scanner.take('!');
    return { kind: 'not', filter: scanUnary(scanner, scanPath) };
  }
  if (scanner.peek() === '(') return readFilter(scanner, scanPath);
  const left = scanOperand(scanner, scanPath);
  scanner.skipSpace();
  if (scanner.peek(2) === '=~') scanner.fail('regular expressions are not supported in a filter');
  const operator = scanner.match(/==|!=|<=|>=|<|>/y);
  if (!operator) return { kind: 'exists', operand: left };
  scanner.skipSpace();
  return { kind: 'compare', operator, left, right: scanOperand(scanner, scanPath) };
}

function scanOperand(scanner: Scanner, scanPath: ScanOperandPath): Operand {
  const next = scanner.peek();
  if (next === '@' || next === '$') return scanPath(scanner);
  if (next === "'" || next === '"') return literal(scanner.quoted());
  const number = scanner.match(/-?\d+(\.\d+)?([eE][+-]?\d+)?/y);
  if (number !== undefined) return literal(Number(number));
  const word = scanner.match(/true|false|null/y);
  return word === undefined ? scanner.fail('expected a value or a path') : literal(JSON.parse(word));
}

function literal(value: unknown): Operand {
  return () => value;
}

function exists(value: unknown): boolean {
  return value !== absent && !(Array.isArray(value) && value.length === 0);
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '==') return isDeepStrictEqual(left, right);
  if (operator === '!=') return !isDeepStrictEqual(left, right);
  const ordered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!ordered) return false;
  const [a, b] = [left as number, right as number];
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b;
}
