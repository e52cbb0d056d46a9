import { type FieldProblems, problemsByField } from '../ui/field-problems.ts';
import type { Lines } from '../ui/markdown-options.ts';
import { fromLocalMoment, toLocalMoment } from '../ui/time.ts';

// The writable fields of a record as strings, as a form holds them. An empty string is an unset field.

export interface FieldSpec {
  name: string;
  kind: 'summary' | 'markdown' | 'line' | 'choice' | 'flag' | 'number' | 'moment' | 'json' | 'words' | CustomKind;
  hint?: string;
  /** The values to choose from, if not those of the record's words. */
  choices?: Readonly<Record<string, string>>;
  /** The value of a new record. */
  first?: string;
  /** The console rejects an empty value, as it does for every summary. */
  isRequired?: true;
  /** How a Markdown field is shown. */
  rows?: number;
  lines?: Lines;
}

export interface FieldSection {
  title: string;
  fields: readonly FieldSpec[];
  /** Closed until one of its fields has a value or a problem. */
  collapsible?: true;
}

/** Kinds whose controls belong to a feature. */
export type CustomKind = 'ci' | 'cis' | 'relations' | 'suggested' | 'assignee' | 'item';

export type Draft = Readonly<Record<string, string>>;

export function emptyDraft(fields: readonly FieldSpec[]): Draft {
  return Object.fromEntries(fields.map(({ name, first }) => [name, first ?? '']));
}

export function toDraft(record: Readonly<Record<string, unknown>>, fields: readonly FieldSpec[]): Draft {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, formatText(kind, record[name])]));
}

/** Converts the filled-in fields to a new record. */
export function toCreation(draft: Draft, fields: readonly FieldSpec[]): Record<string, unknown> {
  const filled = fields.filter(({ name }) => (draft[name] ?? '').trim() !== '');
  return Object.fromEntries(filled.map((field) => [field.name, toValue(field, draft)]));
}

/** Required fields that are empty; the service checks everything else. */
export function findMissing(draft: Draft, fields: readonly FieldSpec[]): FieldProblems {
  const required = fields.filter(({ kind, isRequired }) => kind === 'summary' || isRequired);
  const missing = required.filter(({ name }) => (draft[name] ?? '').trim() === '');
  return problemsByField(missing.map(({ name }) => ({ field: name, message: 'is required' })));
}

/** Converts the changed fields to a merge patch; emptied fields become null. */
export function toPatch(
  draft: Draft,
  record: Readonly<Record<string, unknown>>,
  fields: readonly FieldSpec[],
): Record<string, unknown> {
  const before = toDraft(record, fields);
  const changed = fields.filter(({ name }) => draft[name] !== before[name]);
  return Object.fromEntries(
    changed.map((field) => {
      const value = toValue(field, draft);
      return [field.name, field.kind === 'json' ? toMergePatch(record[field.name], value) : value];
    }),
  );
}

/** The service merges objects by name, so removed names must be set to null. */
function toMergePatch(before: unknown, after: unknown): unknown {
  const gone = Object.keys(before ?? {}).filter((name) => !(name in (after as object)));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...(after as object) };
}

function formatText(kind: FieldSpec['kind'], value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'relations') return JSON.stringify(value);
  if (kind === 'json') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
  if (kind === 'words') return (value as string[]).join(', ');
  if (kind === 'cis') return (value as string[]).map((id) => `${id}, `).join('');
  return kind === 'moment' ? toLocalMoment(String(value)) : String(value);
}

function toValue({ name, kind }: FieldSpec, draft: Draft): unknown {
  const given = draft[name] ?? '';
  const text = kind === 'markdown' ? given : given.trim();
  if (kind === 'cis') return text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (kind === 'words') return [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== '');
  if (kind === 'relations') return JSON.parse(text || '[]');
  if (kind === 'json') return parseObject(text || '{}', name);
  // A required field stays a string, so that the service can report the problem.
  if (text.trim() === '') return kind === 'summary' ? '' : null;
  if (kind === 'number') return Number(text);
  if (kind === 'flag') return text === 'true';
  return kind === 'moment' ? (fromLocalMoment(text) ?? text) : text;
}

function parseObject(text: string, name: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through to the error below.
  }
  throw new Error(`The field ${name} must be a JSON object, for example {"cpus": 8}.`);
}
