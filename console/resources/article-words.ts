import type { ServiceClient } from '../../client/index.ts';
import { type FieldProblems, problemsByField } from '../ui/field-problems.ts';

export type Article = Awaited<ReturnType<ServiceClient['getArticle']>>;

export const articleList = '/knowledge';

export const articlePath = (id: string) => `${articleList}/${encodeURIComponent(id)}`;

export const stateNames: Readonly<Record<Article['state'], string>> = { draft: 'Draft', published: 'Published' };

const maxSummaryLength = 220;

/** The first paragraph of an article, without Markdown. */
export function summarize(body: string): string {
  const first = body.split(/\n\s*\n/).find((part) => /^[^#|`>\-\d\s]/.test(part)) ?? '';
  const plain = first
    .replace(/\s+/g, ' ')
    .replace(/[*`]/g, '')
    .replace(/\[([^\][]*)\]\([^()[]*\)/g, '$1');
  return plain.length > maxSummaryLength ? `${plain.slice(0, maxSummaryLength).replace(/\s\S*$/, '')} …` : plain;
}

// What the list shows, as the address says it.

export interface ArticleView {
  q: string;
  category: string;
  tags: string;
  state: Article['state'] | '';
  page: number;
}

const everything: ArticleView = { q: '', category: '', tags: '', state: '', page: 1 };

export const pageSize = 20;

export function parseView(query: string): ArticleView {
  const given = new URLSearchParams(query);
  const state = given.get('state');
  return {
    q: given.get('q') ?? '',
    category: given.get('category') ?? '',
    tags: given.get('tags') ?? '',
    state: state === 'draft' || state === 'published' ? state : '',
    page: Math.max(1, Math.floor(Number(given.get('page')) || 1)),
  };
}

/** Only what differs from the plain list. */
export function toQuery(view: ArticleView): string {
  const differing = Object.entries(view).filter(([name, value]) => value !== everything[name as keyof ArticleView]);
  return new URLSearchParams(differing.map(([name, value]) => [name, String(value)])).toString();
}

export function toRequest({ q, category, tags, state, page }: ArticleView) {
  return {
    limit: pageSize,
    page,
    // Without a letter or a digit there is nothing to look for.
    ...(/[\p{L}\p{N}]/u.test(q) ? { q } : {}),
    ...(category ? { category } : {}),
    ...(tags ? { tags } : {}),
    ...(state ? { state } : {}),
  };
}

/** An article in the form. */
export interface ArticleDraft {
  title: string;
  body: string;
  category: string;
  /** Separated by commas. */
  tags: string;
  state: Article['state'];
}

export const emptyDraft: ArticleDraft = { title: '', body: '', category: '', tags: '', state: 'draft' };

export function toDraft({ title, body, category, tags, state }: Article): ArticleDraft {
  return { title, body, category: category ?? '', tags: tags.join(', '), state };
}

export function toFields({ title, body, category, tags, state }: ArticleDraft) {
  const words = tags.split(',').map((tag) => tag.trim());
  return {
    title: title.trim(),
    body,
    category: category.trim() === '' ? null : category.trim(),
    tags: [...new Set(words)].filter((tag) => tag !== ''),
    state,
  };
}

export function findProblems({ title, body }: ArticleDraft): FieldProblems {
  const required = Object.entries({ title, body }).filter(([, text]) => text.trim() === '');
  return problemsByField(required.map(([field]) => ({ field, message: 'is required' })));
}

/** Whether the form shows problems beside this field. */
export function isShown(field: string): boolean {
  return field in emptyDraft;
}
