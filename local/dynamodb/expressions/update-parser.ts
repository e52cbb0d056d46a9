// The grammar of update expressions (SET, REMOVE, ADD, DELETE) and of projections, which are lists of paths.
import { fault, Parser } from './parser.ts';
import type { Operand, Path, Projection, Update, UpdateAction } from './syntax.ts';

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
    const inner = parenthesised(parser);
    return inner.kind === 'arithmetic' ? inner : arithmetic(parser, inner);
  }
  return arithmetic(parser, operand(parser));
}

function arithmetic(parser: Parser, left: Operand): Operand {
  const operator = (['+', '-'] as const).find((one) => parser.takeSymbol(one));
  if (!operator) return left;
  parser.countOperator();
  const right = parser.isSymbol('(') ? parenthesised(parser) : operand(parser);
  return { kind: 'arithmetic', operator, left, right };
}

function parenthesised(parser: Parser): Operand {
  parser.expectSymbol('(');
  if (parser.isSymbol('(')) parser.redundantParentheses();
  const inner = value(parser);
  parser.expectSymbol(')');
  return inner;
}

function operand(parser: Parser): Operand {
  return parser.simpleOperand(() => operand(parser));
}
