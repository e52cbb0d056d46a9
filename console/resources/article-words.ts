import type { ServiceClient } from '../../client/index.ts';
import { type ListSpec, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import { createKind } from '../records/record-kind.ts';
import type { RecordWords } from '../records/record-words.ts';
import { stripMarkup } from '../ui/plain-text.ts';

export type Article = Awaited<ReturnType<ServiceClient['getArticle']>>;

export const articleList = '/knowledge';

export const articlePath = (id: string) => `${articleList}/${encodeURIComponent(id)}`;

const stateNames: Readonly<Record<Article['state'], string>> = { draft: 'Draft', published: 'Published' };

export const articleWords: RecordWords = {
  thing: 'article',
  fields: { body: 'Article' } satisfies { [Field in keyof Article]?: string },
  values: { state: stateNames },
};

export const articleListSpec: ListSpec = {
  choices: { state: stateNames },
  texts: ['category', 'tags'],
  sorts: { relevance: { desc: 'Best match first', asc: 'Worst match first' }, ...timeSorts },
};

const articleSections: readonly FieldSection[] = [
  {
    title: 'Article',
    fields: [
      { name: 'title', kind: 'summary', hint: 'Use words that someone with this problem would search for.' },
      { name: 'body', kind: 'markdown', isRequired: true, rows: 22, lines: 'joined' },
      { name: 'category', kind: 'suggested' },
      { name: 'tags', kind: 'words', hint: 'Separated by commas.' },
      {
        name: 'state',
        kind: 'choice',
        first: 'draft',
        hint: 'Published articles are visible to everyone and used by the assistant. Viewers cannot see drafts.',
      },
    ],
  },
];

export const articleKind = createKind('Article', articleList, articleWords, articleSections);

const maxSummaryLength = 220;

/** The first paragraph of an article, without Markdown. */
export function summarize(body: string): string {
  const first = body.split(/\n\s*\n/).find((part) => /^[^#|`>\-\d\s]/.test(part)) ?? '';
  const plain = stripMarkup(first);
  return plain.length > maxSummaryLength ? `${plain.slice(0, maxSummaryLength).replace(/\s\S*$/, '')} …` : plain;
}
