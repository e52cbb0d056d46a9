// The grammar of condition, filter and key condition expressions: NOT binds before AND, AND before OR.

import {
  type Comparator,
  type Condition,
  type Operand,
  Parser,
  type Path,
  type Projection,
  syntaxError,
  type Update,
  type UpdateAction,
} from './parser.ts';

const comparators = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Parentheses contain a condition or an operand; the parser knows which only after reading the content. */
type Parsed = { condition: Condition } | { operand: Operand };

export function parseCondition(text: string): Condition {
  const parser = new Parser(text);
  const condition = parseDisjunction(parser);
  if (!('condition' in condition)) throw parser.createUnexpectedTokenError();
  parser.finish();
  return condition.condition;
}

function parseDisjunction(parser: Parser): Parsed {
  let left = parseConjunction(parser);
  while ('condition' in left && parser.takeKeyword('OR')) {
    parser.countOperator();
    left = {
      condition: { kind: 'or', left: left.condition, right: requireCondition(parser, parseConjunction(parser)) },
    };
  }
  return left;
}

function parseConjunction(parser: Parser): Parsed {
  let left = parseNegation(parser);
  while ('condition' in left && parser.takeKeyword('AND')) {
    parser.countOperator();
    left = { condition: { kind: 'and', left: left.condition, right: requireCondition(parser, parseNegation(parser)) } };
  }
  return left;
}

function parseNegation(parser: Parser): Parsed {
  if (!parser.takeKeyword('NOT')) return parseComparison(parser);
  parser.countOperator();
  return { condition: { kind: 'not', condition: requireCondition(parser, parseNegation(parser)) } };
}

function parseComparison(parser: Parser): Parsed {
  const left = parsePrimary(parser);
  if ('condition' in left && left.condition.kind !== 'function') return left;
  const token = parser.peek();
  const operand = 'operand' in left ? left.operand : toOperand(left.condition);
  if (token.kind === 'symbol' && comparators.has(token.text)) {
    const operator = parser.next().text as Comparator;
    parser.countOperator();
    return {
      condition: { kind: 'compare', operator, left: operand, right: requireOperand(parser, parsePrimary(parser)) },
    };
  }
  if (parser.takeKeyword('BETWEEN')) return parseBetween(parser, operand);
  if (parser.takeKeyword('IN')) return parseMembership(parser, operand);
  return left;
}

function parseBetween(parser: Parser, operand: Operand): Parsed {
  parser.countOperator();
  const lower = requireOperand(parser, parsePrimary(parser));
  if (!parser.takeKeyword('AND')) throw parser.createUnexpectedTokenError();
  return { condition: { kind: 'between', operand, lower, upper: requireOperand(parser, parsePrimary(parser)) } };
}

function parseMembership(parser: Parser, operand: Operand): Parsed {
  parser.countOperator();
  parser.expectSymbol('(');
  const choices = [requireOperand(parser, parsePrimary(parser))];
  while (parser.takeSymbol(',')) choices.push(requireOperand(parser, parsePrimary(parser)));
  parser.expectSymbol(')');
  return { condition: { kind: 'in', operand, choices } };
}

function parsePrimary(parser: Parser): Parsed {
  if (parser.takeSymbol('(')) {
    const inner = parseDisjunction(parser);
    parser.expectSymbol(')');
    if (parenthesized.has(inner)) parser.reportRedundantParentheses();
    const whole = { ...inner };
    parenthesized.add(whole);
    return whole;
  }
  const operand = parser.parseSimpleOperand(() => requireOperand(parser, parsePrimary(parser)));
  return operand.kind === 'function' ? { condition: operand } : { operand };
}

/** Terms in parentheses; a second pair around them is redundant. */
const parenthesized = new WeakSet<Parsed>();

function requireCondition(parser: Parser, parsed: Parsed): Condition {
  if (!('condition' in parsed)) throw parser.createUnexpectedTokenError();
  return parsed.condition;
}

function requireOperand(parser: Parser, parsed: Parsed): Operand {
  if ('operand' in parsed) return parsed.operand;
  if (parsed.condition.kind !== 'function') throw parser.createUnexpectedTokenError();
  return toOperand(parsed.condition);
}

/** Conditions and operands have the same call syntax; binding checks which functions are allowed. */
function toOperand(condition: Condition): Operand {
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
    if (!section) throw parser.createUnexpectedTokenError();
    if (seen.has(section)) repeated ??= section;
    seen.add(section);
    do actions.push(parseAction(parser, section));
    while (parser.takeSymbol(','));
  } while (parser.peekKeyword());
  if (repeated && parser.peek().kind === 'end') {
    throw syntaxError(`The "${repeated}" section can only be used once in an update expression;`);
  }
  parser.finish();
  return actions;
}

export function parseProjection(text: string): Projection {
  const parser = new Parser(text);
  const paths: Path[] = [];
  do paths.push(parser.parsePath());
  while (parser.takeSymbol(','));
  parser.finish();
  return paths;
}

function parseAction(parser: Parser, section: (typeof sections)[number]): UpdateAction {
  const path = parser.parsePath();
  switch (section) {
    case 'SET':
      parser.expectSymbol('=');
      return { kind: 'set', path, value: parseValue(parser) };
    case 'REMOVE':
      return { kind: 'remove', path };
    case 'ADD':
      return { kind: 'add', path, placeholder: parser.parsePlaceholder() };
    case 'DELETE':
      return { kind: 'delete', path, placeholder: parser.parsePlaceholder() };
  }
}

function parseValue(parser: Parser): Operand {
  if (parser.isSymbol('(')) {
    const inner = parseParenthesized(parser);
    return inner.kind === 'arithmetic' ? inner : parseArithmetic(parser, inner);
  }
  return parseArithmetic(parser, parseOperand(parser));
}

function parseArithmetic(parser: Parser, left: Operand): Operand {
  const operator = (['+', '-'] as const).find((one) => parser.takeSymbol(one));
  if (!operator) return left;
  parser.countOperator();
  const right = parser.isSymbol('(') ? parseParenthesized(parser) : parseOperand(parser);
  return { kind: 'arithmetic', operator, left, right };
}

function parseParenthesized(parser: Parser): Operand {
  parser.expectSymbol('(');
  if (parser.isSymbol('(')) parser.reportRedundantParentheses();
  const inner = parseValue(parser);
  parser.expectSymbol(')');
  return inner;
}

function parseOperand(parser: Parser): Operand {
  return parser.parseSimpleOperand(() => parseOperand(parser));
}
