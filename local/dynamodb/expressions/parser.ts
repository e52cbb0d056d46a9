// The part of the grammar that all expressions share: reading tokens, document paths, operands and function calls, and
// the refusals that need nothing but the text.
import { validation } from '../refusal.ts';
import { type Token, tokens } from './lexer.ts';
import { isReserved } from './reserved-words.ts';
import type { Operand, Path, Step } from './syntax.ts';

const longest = 4096;
const mostOperators = 300;
const keywords = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);
const conditionFunctions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
]);
const updateFunctions = new Set(['if_not_exists', 'list_append']);

export class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private operators = 0;
  /** Faults that AWS reports only once the whole text is known to be well formed, in the order it prefers. */
  private readonly faults: { reserved?: string; functions?: string; parentheses?: string } = {};

  constructor(text: string) {
    if (text === '') throw fault('The expression can not be empty;');
    if (Buffer.byteLength(text) > longest) {
      throw fault(`Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`);
    }
    this.text = text;
    this.tokens = tokens(text);
  }

  finish(): void {
    if (this.peek().kind !== 'end') throw this.unexpected();
    const { parentheses, functions, reserved } = this.faults;
    const first = parentheses ?? functions ?? reserved;
    if (first !== undefined) throw fault(first);
    if (this.operators > mostOperators) {
      throw fault(`The expression contains too many operators; operator count: ${mostOperators + 1}`);
    }
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  isSymbol(symbol: string): boolean {
    const token = this.peek();
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Keywords are written in any case. */
  keyword(): string | undefined {
    const token = this.peek();
    if (token.kind !== 'word') return undefined;
    const upper = token.text.toUpperCase();
    return keywords.has(upper) ? upper : undefined;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.at++;
    return true;
  }

  takeKeyword(keyword: string): boolean {
    if (this.keyword() !== keyword) return false;
    this.at++;
    return true;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected();
  }

  path(): Path {
    const steps: Step[] = [this.name()];
    for (;;) {
      if (this.takeSymbol('.')) steps.push(this.name());
      else if (this.takeSymbol('[')) {
        if (this.peek().kind !== 'number') throw this.unexpected();
        steps.push(Number(this.next().text));
        this.expectSymbol(']');
      } else return steps;
    }
  }

  placeholder(): string {
    if (this.peek().kind !== 'value') throw this.unexpected();
    return this.next().text;
  }

  /** A path, a : placeholder or a call; what may be called where is for the caller to judge. */
  simpleOperand(inner: () => Operand): Operand {
    const token = this.peek();
    if (token.kind === 'value') return { kind: 'value', placeholder: this.next().text };
    const isCall =
      token.kind === 'word' && !this.keyword() && this.peek(1).kind === 'symbol' && this.peek(1).text === '(';
    return isCall ? this.call(inner) : { kind: 'path', path: this.path() };
  }

  countOperator(): void {
    this.operators++;
  }

  redundantParentheses(): void {
    this.faults.parentheses ??= 'The expression has redundant parentheses;';
  }

  unexpected(): Error {
    const token = this.peek();
    const before = this.tokens[this.at - 1];
    const after = token.kind === 'end' ? token : this.peek(1);
    const start = before ? before.start : token.kind === 'end' ? 0 : token.start;
    return fault(`Syntax error; token: "${token.text}", near: "${this.text.slice(start, after.end)}"`);
  }

  private call(inner: () => Operand): Operand {
    const name = this.next().text;
    this.countOperator();
    if (!conditionFunctions.has(name) && !updateFunctions.has(name)) {
      this.faults.functions ??= `Invalid function name; function: ${name}`;
    }
    this.expectSymbol('(');
    const operands = [inner()];
    while (this.takeSymbol(',')) operands.push(inner());
    this.expectSymbol(')');
    return { kind: 'function', name, operands };
  }

  private name(): string {
    const token = this.peek();
    if ((token.kind !== 'word' && token.kind !== 'name') || this.keyword()) throw this.unexpected();
    if (token.kind === 'word' && isReserved(token.text)) {
      this.faults.reserved ??= `Attribute name is a reserved keyword; reserved keyword: ${token.text}`;
    }
    this.at++;
    return token.text;
  }
}

export function isConditionFunction(name: string): boolean {
  return conditionFunctions.has(name);
}

/** A fault of an expression; whoever parses puts "Invalid <Which>Expression: " before it. */
export function fault(message: string): Error {
  return validation(message);
}
