// IAM's text patterns, with * and ? as wildcards, compiled to regular expressions.

/** Returns the values of a condition key; undefined when the request has none. */
export type Lookup = (key: string) => readonly string[] | undefined;

export type Matcher = (text: string) => boolean;

const arnSegments = 6;

export function compileText(source: string, options: { ignoreCase?: true } = {}): Matcher {
  return toMatcher(escapePattern(source, '.'), options.ignoreCase ? 'is' : 's');
}

/** A wildcard matches within one segment of the ARN; in the last segment of the pattern it matches all that follows. */
export function compileArn(source: string): Matcher {
  if (source === '*') return () => true;
  const pieces = source.split(/(?<=:)/);
  const last = Math.min(pieces.length, arnSegments) - 1;
  return toMatcher(pieces.map((piece, index) => escapePattern(piece, index >= last ? '.' : '[^:]')).join(''), 's');
}

/** Explains why AWS would reject this Resource; undefined when it is valid. */
export function findResourceProblem(source: string): string | undefined {
  if (source === '*') return undefined;
  if (source.includes('${')) return `policy variables are not supported: ${source}`;
  if (!source.startsWith('arn:')) return `resource ${source} must be in ARN format or "*"`;
  const isWhole = source.split(':').length >= arnSegments || source.endsWith('*');
  return isWhole ? undefined : `resource ${source} is not a complete ARN`;
}

function toMatcher(source: string, flags: string): Matcher {
  const expression = new RegExp(`^${source}$`, flags);
  return (text) => expression.test(text);
}

function escapePattern(text: string, wildcard: string): string {
  return text.replace(/[*?]|[^*?]+/g, (part) => {
    if (part === '*') return `${wildcard}*`;
    return part === '?' ? wildcard : part.replace(/[\\^$.+()[\]{}|/-]/g, '\\$&');
  });
}
