import type * as z from 'zod';
import type { FieldProblem } from '../../../contract/errors.ts';
import { readOnlyFields } from '../../../contract/records.ts';

// Turns zod's findings into sentences about fields. A message written in a schema wins over these.

export type Source = 'body' | 'query' | 'headers';

export function fieldProblems(schema: z.ZodType, value: unknown, source: Source) {
  const result = schema.safeParse(value, { error: sentence, reportInput: true });
  if (result.success) return { data: result.data, problems: [] };
  return { data: undefined, problems: result.error.issues.flatMap((issue) => problemsOf(issue, schema, source)) };
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, source: Source): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const readOnly = issue.path.length === 0 ? (readOnlyFields.get(schema)?.names ?? []) : [];
    const unknown = source === 'body' ? 'is not a known field' : 'is not a known parameter';
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key], source),
      message: readOnly.includes(key) ? 'is read-only' : unknown,
    }));
  }
  return [{ field: fieldName(issue.path, source), message: issue.message }];
}

/** `a.b[0]`; the whole body is called `body`. */
function fieldName(path: readonly PropertyKey[], source: Source): string {
  if (path.length === 0) return source;
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return name.length <= maxFieldNameLength ? name : `${name.slice(0, maxFieldNameLength)}…`;
}

/** Callers choose the names of unknown fields; the answer repeats their beginning. */
const maxFieldNameLength = 200;

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${amount(issue.origin, 'at least', issue.minimum)}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'does not have the expected form';
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'does not have any of the accepted forms';
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be an absolute URL',
  datetime: 'must be an ISO 8601 timestamp in UTC, such as 2026-03-01T09:30:00Z',
};

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
};

function article(type: string): string {
  return articles[type] ?? `a ${type}`;
}

function amount(origin: string, comparison: string, bound: number | bigint): string {
  const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' };
  const unit = units[origin];
  if (!unit) return `be ${comparison} ${bound}`;
  return `have ${comparison} ${bound} ${Number(bound) === 1 ? unit.slice(0, -1) : unit}`;
}
