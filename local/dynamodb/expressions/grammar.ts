// The grammar of condition, filter and key condition expressions: NOT binds before AND, AND before OR.

import {
  type Comparator,
  type Condition,
  fault,
  type Operand,
  Parser,
  type Path,
  type Projection,
  type Update,
  type UpdateAction,
} from './parser.ts';

const comparators = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Parentheses contain a condition or an operand; only the content shows which. */
type Parsed = { condition: Condition } | { operand: Operand };

export function parseCondition(text: string): Condition {
  const parser = new Parser(text);
  const condition = disjunction(parser);
  if (!('condition' in condition)) throw parser.unexpected();
  parser.finish();
  return condition.condition;
}

function disjunction(parser: Parser): Parsed {
  let left = conjunction(parser);
  while ('condition' in left && parser.takeKeyword('OR')) {
    parser.countOperator();
    left = { condition: { kind: 'or', left: left.condition, right: requireCondition(parser, conjunction(parser)) } };
  }
  return left;
}

function conjunction(parser: Parser): Parsed {
  let left = negation(parser);
  while ('condition' in left && parser.takeKeyword('AND')) {
    parser.countOperator();
    left = { condition: { kind: 'and', left: left.condition, right: requireCondition(parser, negation(parser)) } };
  }
  return left;
}

function negation(parser: Parser): Parsed {
  if (!parser.takeKeyword('NOT')) return comparison(parser);
  parser.countOperator();
  return { condition: { kind: 'not', condition: requireCondition(parser, negation(parser)) } };
}

function comparison(parser: Parser): Parsed {
  const left = primary(parser);
  if ('condition' in left && left.condition.kind !== 'function') return left;
  const token = parser.peek();
  const operand = 'operand' in left ? left.operand : asOperand(left.condition);
  if (token.kind === 'symbol' && comparators.has(token.text)) {
    const operator = parser.next().text as Comparator;
    parser.countOperator();
    return { condition: { kind: 'compare', operator, left: operand, right: requireOperand(parser, primary(parser)) } };
  }
  if (parser.takeKeyword('BETWEEN')) return between(parser, operand);
  if (parser.takeKeyword('IN')) return membership(parser, operand);
  return left;
}

function between(parser: Parser, operand: Operand): Parsed {
  parser.countOperator();
  const lower = requireOperand(parser, primary(parser));
  if (!parser.takeKeyword('AND')) throw parser.unexpected();
  return { condition: { kind: 'between', operand, lower, upper: requireOperand(parser, primary(parser)) } };
}

function membership(parser: Parser, operand: Operand): Parsed {
  parser.countOperator();
  parser.expectSymbol('(');
  const choices = [requireOperand(parser, primary(parser))];
  while (parser.takeSymbol(',')) choices.push(requireOperand(parser, primary(parser)));
  parser.expectSymbol(')');
  return { condition: { kind: 'in', operand, choices } };
}

function primary(parser: Parser): Parsed {
  if (parser.takeSymbol('(')) {
    const inner = disjunction(parser);
    parser.expectSymbol(')');
    if (parenthesized.has(inner)) parser.redundantParentheses();
    const whole = { ...inner };
    parenthesized.add(whole);
    return whole;
  }
  const operand = parser.simpleOperand(() => requireOperand(parser, primary(parser)));
  return operand.kind === 'function' ? { condition: operand } : { operand };
}

/** Terms in parentheses; a second pair around them is redundant. */
const parenthesized = new WeakSet<Parsed>();

function requireCondition(parser: Parser, parsed: Parsed): Condition {
  if (!('condition' in parsed)) throw parser.unexpected();
  return parsed.condition;
}

function requireOperand(parser: Parser, parsed: Parsed): Operand {
  if ('operand' in parsed) return parsed.operand;
  if (parsed.condition.kind !== 'function') throw parser.unexpected();
  return asOperand(parsed.condition);
}

/** Conditions and operands have the same call syntax; binding checks which functions are allowed. */
function asOperand(condition: Condition): Operand {
  return condition as Operand;
}

// The grammar of update expressions (SET, REMOVE, ADD, DELETE) and of projections, which are lists of paths.

const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

export function parseUpdate(text: string): Update {
  const parser = new Parser(text);
  const actions: UpdateAction[] = [];
  const seen = new Set<string>();
  let repeated: string | undefined;
  do {
    const section = sections.find((one) => parser.takeKeyword(one));
    if (!section) throw parser.unexpected();
    if (seen.has(section)) repeated ??= section;
    seen.add(section);
    do actions.push(action(parser, section));
    while (parser.takeSymbol(','));
  } while (parser.keyword());
  if (repeated && parser.peek().kind === 'end') {
    throw fault(`The "${repeated}" section can only be used once in an update expression;`);
  }
  parser.finish();
  return actions;
}

export function parseProjection(text: string): Projection {
  const parser = new Parser(text);
  const paths: Path[] = [];
  do paths.push(parser.path());
  while (parser.takeSymbol(','));
  parser.finish();
  return paths;
}

function action(parser: Parser, section: (typeof sections)[number]): UpdateAction {
  const path = parser.path();
  switch (section) {
    case 'SET':
      parser.expectSymbol('=');
      return { kind: 'set', path, value: value(parser) };
    case 'REMOVE':
      return { kind: 'remove', path };
    case 'ADD':
      return { kind: 'add', path, placeholder: parser.placeholder() };
    case 'DELETE':
      return { kind: 'delete', path, placeholder: parser.placeholder() };
  }
}

function value(parser: Parser): Operand {
  if (parser.isSymbol('(')) {
    const inner = parseParenthesized(parser);
    return inner.kind === 'arithmetic' ? inner : arithmetic(parser, inner);
  }
  return arithmetic(parser, operand(parser));
}

function arithmetic(parser: Parser, left: Operand): Operand {
  const operator = (['+', '-'] as const).find((one) => parser.takeSymbol(one));
  if (!operator) return left;
  parser.countOperator();
  const right = parser.isSymbol('(') ? parseParenthesized(parser) : operand(parser);
  return { kind: 'arithmetic', operator, left, right };
}

function parseParenthesized(parser: Parser): Operand {
  parser.expectSymbol('(');
  if (parser.isSymbol('(')) parser.redundantParentheses();
  const inner = value(parser);
  parser.expectSymbol(')');
  return inner;
}

function operand(parser: Parser): Operand {
  return parser.simpleOperand(() => operand(parser));
}
