// Intrinsic functions: States.Format('{} of {}', $.done, States.ArrayLength($.all)).
import { functions } from './intrinsic-functions.ts';
import { absent, type JsonPath, scanPath, select } from './json-path.ts';
import { Scanner } from './scanner.ts';
import { runtimeError } from './state-error.ts';

export type Expression =
  | { kind: 'call'; name: string; arguments: readonly Expression[] }
  | { kind: 'path'; path: JsonPath }
  | { kind: 'literal'; value: unknown /** As written, with its backslashes, for States.Format. */; raw?: string };

/** The data that paths look into: $ and $$. */
export interface Scope {
  data: unknown;
  context: unknown;
}

const deepest = 10;
const known = new Map<string, Expression>();

/** Reads a path or a call of an intrinsic function. Throws SyntaxProblem. */
export function readExpression(text: string): Expression {
  const cached = known.get(text);
  if (cached) return cached;
  const scanner = new Scanner(text);
  if (!text.startsWith('$') && !text.startsWith('States.')) scanner.fail('expected a path or an intrinsic function');
  const expression = scanExpression(scanner, 0);
  scanner.skipSpace();
  if (!scanner.ended) scanner.fail('unexpected text');
  known.set(text, expression);
  return expression;
}

/** `field` is named in the message when a path finds nothing. */
export function evaluate(expression: Expression, scope: Scope, field: string): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'path':
      return resolve(expression.path, scope, field);
    case 'call': {
      const values = expression.arguments.map((argument) => evaluate(argument, scope, field));
      const [template] = expression.arguments;
      if (expression.name === 'States.Format' && template?.kind === 'literal') values[0] = template.raw;
      return functions[expression.name]!(...values);
    }
  }
}

export function resolve(path: JsonPath, scope: Scope, field: string): unknown {
  const root = path.root === '$$' ? scope.context : scope.data;
  const value = select(path, root);
  if (value !== absent) return value;
  throw runtimeError(
    `The JSONPath '${path.text}' specified for the field '${field}' could not be found in the input '${JSON.stringify(root)}'`,
  );
}

function scanExpression(scanner: Scanner, depth: number): Expression {
  scanner.skipSpace();
  if (scanner.peek() === '$') return { kind: 'path', path: scanPath(scanner) };
  if (scanner.peek() === "'") return scanText(scanner);
  const number = scanner.match(/-?\d+(\.\d+)?([eE][+-]?\d+)?/y);
  if (number !== undefined) return { kind: 'literal', value: Number(number) };
  const word = scanner.match(/(true|false|null)\b/y);
  if (word !== undefined) return { kind: 'literal', value: JSON.parse(word) };
  return scanCall(scanner, depth + 1);
}

function scanText(scanner: Scanner): Expression {
  const from = scanner.at + 1;
  const value = scanner.quoted();
  return { kind: 'literal', value, raw: scanner.text.slice(from, scanner.at - 1) };
}

function scanCall(scanner: Scanner, depth: number): Expression {
  const name = scanner.match(/[A-Za-z][\w.]*/y) ?? scanner.fail('expected a value');
  if (!Object.hasOwn(functions, name)) scanner.fail(`the intrinsic function ${name} does not exist`);
  if (depth > deepest) scanner.fail(`intrinsic functions nest at most ${deepest} deep`);
  scanner.expect('(');
  const values: Expression[] = [];
  for (scanner.skipSpace(); !scanner.take(')'); scanner.skipSpace()) {
    if (values.length > 0) scanner.expect(',');
    values.push(scanExpression(scanner, depth));
  }
  return { kind: 'call', name, arguments: values };
}
