import { type FieldProblems, problemsByField } from '../../../field-problems.ts';
import type { Incident } from '../incident-words.ts';

// The writable fields as a form holds them: texts, where an empty one is an unset field.

export const draftFields = [
  'short_description',
  'description',
  'priority',
  'category',
  'subcategory',
  'impact',
  'urgency',
  'assignment_group',
  'assigned_to',
  'ci_id',
  'parent_problem_id',
  'change_id',
  'resolution',
] as const satisfies readonly (keyof Incident)[];

export type DraftField = (typeof draftFields)[number];

export function isDraftField(name: string): name is DraftField {
  return draftFields.includes(name as DraftField);
}

export type Draft = Record<DraftField, string>;

/** What is known of the values before the service has looked at them. */
export const emptyDraft: Draft = {
  ...(Object.fromEntries(draftFields.map((field) => [field, ''])) as Draft),
  priority: 'P3',
};

export function draftOf(incident: Incident): Draft {
  return Object.fromEntries(draftFields.map((field) => [field, incident[field] ?? ''])) as Draft;
}

export type Patch = { [Field in DraftField]?: Incident[Field] };

/** A new incident: only what was filled in. */
export function creationOf(draft: Draft) {
  const filled = draftFields.filter((field) => draft[field].trim() !== '');
  const values = Object.fromEntries(filled.map((field) => [field, fieldValue(field, draft)]));
  return { short_description: '', ...values } as { short_description: string } & Patch;
}

/** What the draft changes of the incident; an emptied field is cleared. */
export function patchOf(draft: Draft, incident: Incident): Patch {
  const before = draftOf(incident);
  const changed = draftFields.filter((field) => draft[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, fieldValue(field, draft)])) as Patch;
}

/** What can be said at once, in the words of the service; it has the last word on all of it. */
export function problemsOf(draft: Draft): FieldProblems {
  const required =
    draft.short_description.trim() === '' ? [{ field: 'short_description', message: 'is required' }] : [];
  return problemsByField(required);
}

function fieldValue(field: DraftField, draft: Draft): string | null {
  const text = field === 'description' || field === 'resolution' ? draft[field] : draft[field].trim();
  if (text.trim() === '') return field === 'short_description' ? '' : null;
  return text;
}
