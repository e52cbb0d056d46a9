import type { Article } from './article-words.ts';

// What the list shows, as the address tells it.

export interface ArticleView {
  q: string;
  category: string;
  tags: string;
  state: Article['state'] | '';
  page: number;
}

const everything: ArticleView = { q: '', category: '', tags: '', state: '', page: 1 };

export const pageSize = 20;

export function viewOf(query: string): ArticleView {
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
export function queryOf(view: ArticleView): string {
  const differing = Object.entries(view).filter(([name, value]) => value !== everything[name as keyof ArticleView]);
  return new URLSearchParams(differing.map(([name, value]) => [name, String(value)])).toString();
}

export function requestOf({ q, category, tags, state, page }: ArticleView) {
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
