import type { ServiceClient } from '../../../client/index.ts';

export type Article = Awaited<ReturnType<ServiceClient['getArticle']>>;

export const articleList = '/knowledge';

export const articlePath = (id: string) => `${articleList}/${encodeURIComponent(id)}`;

export const stateNames: Readonly<Record<Article['state'], string>> = { draft: 'Draft', published: 'Published' };

const longestSummary = 220;

/** The beginning of the article, without its marks. */
export function summaryOf(body: string): string {
  const first = body.split(/\n\s*\n/).find((part) => /^[^#|`>\-\d\s]/.test(part)) ?? '';
  const plain = first
    .replace(/\s+/g, ' ')
    .replace(/[*`]/g, '')
    .replace(/\[([^\][]*)\]\([^()[]*\)/g, '$1');
  return plain.length > longestSummary ? `${plain.slice(0, longestSummary).replace(/\s\S*$/, '')} …` : plain;
}
