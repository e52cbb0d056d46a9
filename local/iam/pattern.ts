// IAM's text patterns: * and ? as wildcards, ${…} as policy variables. A pattern is parsed once; one without variables
// is one regular expression for good, one with variables gets its expression per set of values.

/** The value of a policy variable or condition key; undefined when the request has none. */
export type Lookup = (key: string) => readonly string[] | undefined;

export interface Pattern {
  /** Whether the answer depends on the request, not on the text alone. */
  readonly dynamic: boolean;
  matches(text: string, lookup: Lookup): boolean;
}

type Token = { text: string } | { literal: string } | { variable: string; fallback: string | undefined };

const variableForm = /\$\{([^}]*)\}/g;
const arnSegments = 6;
const compiledLimit = 5_000;
const compiled = new Map<string, RegExp>();

export function textPattern(source: string, options: { ignoreCase?: true; variables?: false } = {}): Pattern {
  const parts = tokenize(source, options).map((token) => ('text' in token ? wildcards(token.text, '.') : token));
  return toPattern(parts, options.ignoreCase ? 'is' : 's');
}

/**
 * In an ARN a wildcard stays inside its segment, but for the last one. A pattern with fewer segments must end in *,
 * which then stands for all the rest.
 */
export function arnPattern(source: string, options: { variables?: false } = {}): Pattern {
  if (source === '*') return { dynamic: false, matches: () => true };
  const tokens = tokenize(source, options);
  const last = Math.min(countColons(tokens), arnSegments - 1);
  let passed = 0;
  const parts = tokens.map((token) => {
    if (!('text' in token)) return token;
    const pieces = token.text.split(/(?<=:)/);
    return pieces
      .map((piece) => {
        const expression = wildcards(piece, passed >= last ? '.' : '[^:]');
        if (piece.endsWith(':')) passed++;
        return expression;
      })
      .join('');
  });
  return toPattern(parts, 's');
}

/** Why AWS would refuse this text as a Resource, or undefined. */
export function resourceProblem(source: string): string | undefined {
  if (source === '*') return undefined;
  const colons = countColons(tokenize(source, {}));
  if (!source.startsWith('arn:') && !source.startsWith('*') && !source.startsWith('${')) {
    return `resource ${source} must be in ARN format or "*"`;
  }
  if (colons < arnSegments - 1 && !source.endsWith('*')) return `resource ${source} is not a whole ARN`;
  return undefined;
}

function tokenize(source: string, options: { variables?: false }): Token[] {
  if (options.variables === false) return [{ text: source }];
  const tokens: Token[] = [];
  let from = 0;
  for (const found of source.matchAll(variableForm)) {
    if (found.index > from) tokens.push({ text: source.slice(from, found.index) });
    tokens.push(variableToken(found[1]!));
    from = found.index + found[0].length;
  }
  if (from < source.length) tokens.push({ text: source.slice(from) });
  return tokens;
}

function variableToken(inside: string): Token {
  if (inside === '*' || inside === '?' || inside === '$') return { literal: inside };
  const comma = inside.indexOf(',');
  if (comma < 0) return { variable: inside.trim(), fallback: undefined };
  return {
    variable: inside.slice(0, comma).trim(),
    fallback: inside
      .slice(comma + 1)
      .trim()
      .replace(/^'(.*)'$/s, '$1'),
  };
}

function countColons(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + ('text' in token ? token.text.split(':').length - 1 : 0), 0);
}

/** Parts are sources of regular expressions, or what has to be put in literally. */
function toPattern(parts: readonly (string | Exclude<Token, { text: string }>)[], flags: string): Pattern {
  const build = (lookup: Lookup): RegExp | undefined => {
    let source = '';
    for (const part of parts) {
      if (typeof part === 'string') source += part;
      else {
        const value = 'literal' in part ? part.literal : (lookup(part.variable)?.[0] ?? part.fallback);
        if (value === undefined) return undefined;
        source += escaped(value);
      }
    }
    return compile(source, flags);
  };
  if (parts.some((part) => typeof part !== 'string' && 'variable' in part)) {
    return { dynamic: true, matches: (text, lookup) => build(lookup)?.test(text) ?? false };
  }
  const fixed = build(() => undefined)!;
  return { dynamic: false, matches: (text) => fixed.test(text) };
}

function compile(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`;
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= compiledLimit) compiled.clear();
  const expression = new RegExp(`^${source}$`, flags);
  compiled.set(key, expression);
  return expression;
}

function wildcards(text: string, any: string): string {
  return text.replace(/[*?]|[^*?]+/g, (part) => (part === '*' ? `${any}*` : part === '?' ? any : escaped(part)));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
