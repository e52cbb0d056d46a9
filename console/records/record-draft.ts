// The writable fields of a record as a form holds them: texts, where an empty one is an unset field.

export interface FieldSpec {
  name: string;
  kind: 'summary' | 'markdown' | 'line' | 'choice' | 'number' | 'moment' | 'list';
  hint?: string;
  /** What a new record has. */
  first?: string;
}

export type Draft = Readonly<Record<string, string>>;

export function emptyDraft(fields: readonly FieldSpec[]): Draft {
  return Object.fromEntries(fields.map(({ name, first }) => [name, first ?? '']));
}

export function draftOf(record: Readonly<Record<string, unknown>>, fields: readonly FieldSpec[]): Draft {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, textOf(kind, record[name])]));
}

/** A new record: only what was filled in. */
export function creationOf(draft: Draft, fields: readonly FieldSpec[]): Record<string, unknown> {
  const filled = fields.filter(({ name }) => draft[name]!.trim() !== '');
  return Object.fromEntries(filled.map((field) => [field.name, valueIn(field, draft)]));
}

/** What the draft changes of the record; an emptied field is cleared. */
export function patchOf(
  draft: Draft,
  record: Readonly<Record<string, unknown>>,
  fields: readonly FieldSpec[],
): Record<string, unknown> {
  const before = draftOf(record, fields);
  const changed = fields.filter(({ name }) => draft[name] !== before[name]);
  return Object.fromEntries(changed.map((field) => [field.name, valueIn(field, draft)]));
}

function textOf(kind: FieldSpec['kind'], value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return kind === 'moment' ? String(value).slice(0, 16) : String(value);
}

function valueIn({ name, kind }: FieldSpec, draft: Draft): unknown {
  const text = kind === 'markdown' ? draft[name]! : draft[name]!.trim();
  if (kind === 'list') return text.split(/[\s,]+/).filter((entry) => entry !== '');
  // What is required stays a text, so that the service can say what is wrong with it.
  if (text.trim() === '') return kind === 'summary' ? '' : null;
  if (kind === 'number') return Number(text);
  return kind === 'moment' ? `${text}:00Z` : text;
}
