import { type FieldProblems, problemsByField } from '../../field-problems.ts';
import type { Article } from './article-words.ts';

/** An article as it is typed. */
export interface ArticleDraft {
  title: string;
  body: string;
  category: string;
  /** Separated by commas. */
  tags: string;
  state: Article['state'];
}

export const emptyDraft: ArticleDraft = { title: '', body: '', category: '', tags: '', state: 'draft' };

export function draftOf({ title, body, category, tags, state }: Article): ArticleDraft {
  return { title, body, category: category ?? '', tags: tags.join(', '), state };
}

export function fieldsOf({ title, body, category, tags, state }: ArticleDraft) {
  const words = tags.split(',').map((tag) => tag.trim());
  return {
    title: title.trim(),
    body,
    category: category.trim() === '' ? null : category.trim(),
    tags: [...new Set(words)].filter((tag) => tag !== ''),
    state,
  };
}

export function problemsOf({ title, body }: ArticleDraft): FieldProblems {
  const required = Object.entries({ title, body }).filter(([, text]) => text.trim() === '');
  return problemsByField(required.map(([field]) => ({ field, message: 'is required' })));
}

/** Whether the form shows problems of this field beside it; those of single tags belong to the tags. */
export function isShown(field: string): boolean {
  return field in emptyDraft;
}
