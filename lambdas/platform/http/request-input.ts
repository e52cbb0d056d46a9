import * as z from 'zod';
import type { FieldProblem } from '../../../contract/errors.ts';
import { isOptional, type Operation } from '../../../contract/operation.ts';
import { readOnlyFields } from '../../../contract/records.ts';
import { ServiceError, summarize, truncateProblems } from '../service-error.ts';
import { parseJson } from './json.ts';
import type { GatewayEvent, Input } from './response.ts';

// Validates path, query, headers and body together, so that one response lists all problems. An invalid path and
// malformed JSON are reported first, because they make the rest unreadable.

export const maxBodyBytes = 1024 * 1024;

export function readInput(operation: Operation, event: GatewayEvent): Input<Operation> {
  const params = readParams(operation, event);
  const problems: FieldProblem[] = [];
  const read = (schema: z.ZodType, value: unknown, source: Source): unknown => {
    const result = validateFields(schema, value, source);
    for (const problem of result.problems) problems.push(problem);
    return result.data;
  };
  const body = operation.body && read(operation.body, readJson(event, operation.body), 'body');
  const query = read(operation.query ?? nothing, parseQuery(event), 'query');
  const headers = operation.headers && read(operation.headers, pickHeaders(operation.headers, event), 'headers');
  if (problems.length > 0) {
    throw new ServiceError('invalid_input', summarize(problems), { members: { errors: truncateProblems(problems) } });
  }
  return { params, query, headers, body } as Input<Operation>;
}

export function getHeader(event: GatewayEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The bytes as sent; signatures cover these. */
export function readRawBody(event: GatewayEvent): Buffer {
  return Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
}

const nothing = z.strictObject({});

/** The gateway does not decode parameters. A malformed id is not found. */
function readParams(operation: Operation, event: GatewayEvent): unknown {
  if (!operation.params) return undefined;
  const decoded = Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decode(value ?? '')]);
  const result = operation.params.safeParse(Object.fromEntries(decoded));
  if (!result.success) throw new ServiceError('not_found', `No resource exists at ${event.path}.`);
  return result.data;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function readJson(event: GatewayEvent, schema: z.ZodType): unknown {
  const type = getHeader(event, 'Content-Type');
  if (type !== undefined && !isJson(type)) {
    throw new ServiceError('unsupported_media_type', `The body must be application/json, not ${type}.`);
  }
  const bytes = readRawBody(event);
  if (bytes.byteLength === 0 && isOptional(schema)) return undefined;
  return parseJson(bytes, maxBodyBytes);
}

export function isJson(contentType: string): boolean {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}

/** A repeated parameter is an array, which the schema of a single value rejects. */
function parseQuery(event: GatewayEvent): Record<string, unknown> {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  return Object.fromEntries(given.map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

function pickHeaders(schema: z.ZodObject, event: GatewayEvent): Record<string, string> {
  const known = Object.keys(schema.shape).map((name) => [name, getHeader(event, name)] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

// Converts zod issues to problems of fields. A message in a schema takes precedence.

export type Source = 'body' | 'query' | 'headers';

export function validateFields(schema: z.ZodType, value: unknown, source: Source) {
  const result = schema.safeParse(value, { error: formatIssue, reportInput: true });
  if (result.success) return { data: result.data, problems: [] };
  return { data: undefined, problems: result.error.issues.flatMap((issue) => toProblems(issue, schema, source)) };
}

function toProblems(issue: z.core.$ZodIssue, schema: z.ZodType, source: Source): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const readOnly = issue.path.length === 0 ? (readOnlyFields.get(schema)?.names ?? []) : [];
    const unknown = source === 'body' ? 'is not a known field' : 'is not a known parameter';
    return issue.keys.map((key) => ({
      field: formatFieldName([...issue.path, key], source),
      message: readOnly.includes(key) ? 'is read-only' : unknown,
    }));
  }
  return [{ field: formatFieldName(issue.path, source), message: issue.message }];
}

/** `a.b[0]`; the whole body is called `body`. */
function formatFieldName(path: readonly PropertyKey[], source: Source): string {
  if (path.length === 0) return source;
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return name.length <= maxFieldNameLength ? name : `${name.slice(0, maxFieldNameLength)}…`;
}

/** Callers choose the names of unknown fields, so the response quotes only their beginning. */
const maxFieldNameLength = 200;

function formatIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${addArticle(issue.expected)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must ${formatBound(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${formatBound(issue.origin, 'at least', issue.minimum)}`;
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

function addArticle(type: string): string {
  return articles[type] ?? `a ${type}`;
}

function formatBound(origin: string, comparison: string, bound: number | bigint): string {
  const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' };
  const unit = units[origin];
  if (!unit) return `be ${comparison} ${bound}`;
  return `have ${comparison} ${bound} ${Number(bound) === 1 ? unit.slice(0, -1) : unit}`;
}
