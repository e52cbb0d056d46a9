// Cuts an expression into tokens. A character that begins no token becomes a token of its own, which no rule of the
// grammar accepts, so that the refusal can point at it.

export interface Token {
  kind: 'word' | 'name' | 'value' | 'number' | 'symbol' | 'end';
  text: string;
  start: number;
  end: number;
}

const pattern =
  /\s+|(?<word>[A-Za-z][A-Za-z0-9_]*)|(?<name>#[A-Za-z0-9_]+)|(?<value>:[A-Za-z0-9_]+)|(?<number>\d+)|(?<symbol><>|<=|>=|[\s\S])/gy;

export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const groups = match.groups!;
    const kind = (['word', 'name', 'value', 'number', 'symbol'] as const).find((one) => groups[one] !== undefined);
    if (kind) found.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  found.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length });
  return found;
}
