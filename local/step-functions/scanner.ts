// Reads a short text from left to right: the common ground of paths, filters and intrinsic functions.

export class SyntaxProblem extends Error {}

export class Scanner {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  skipSpace(): void {
    this.match(/\s*/y);
  }

  /** Moves on if the text goes on with this. */
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`expected ${token}`);
  }

  /** The pattern must be sticky. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** A quoted text; a backslash takes the next character as it is. */
  quoted(): string {
    const quote = this.peek();
    this.at++;
    let value = '';
    while (!this.ended) {
      const character = this.text[this.at++]!;
      if (character === quote) return value;
      value += character === '\\' && !this.ended ? this.text[this.at++] : character;
    }
    return this.fail('a quoted text does not end');
  }

  fail(reason: string): never {
    throw new SyntaxProblem(`${reason} at position ${this.at + 1} of ${this.text}`);
  }
}
