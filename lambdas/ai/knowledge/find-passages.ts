import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import type { Embed } from '../embedding/embedder.ts';
import type { Passage } from '../prompts/passage.ts';
import { rounded } from '../suggestions/votes.ts';
import type { LiveIndex } from './live-index.ts';
import { type ArticleText, passagesOf } from './passages.ts';

export interface FoundPassages {
  /** Best first; several may be of one article. */
  passages: (Passage & { relevance: number })[];
  articles: readonly Pick<ReadRecord<unknown>, 'record'>[];
}

export type FindPassages = (text: string, count: number) => Promise<FoundPassages>;

/** What is further away has nothing to do with the question. */
const leastScore = 0.2;

/**
 * The passages of published articles that are nearest to a text. The table has the last word: what was unpublished,
 * deleted or rewritten a moment ago is not shown as it was.
 */
export function passageFinder(embed: Embed, index: LiveIndex, read: ReadRecords): FindPassages {
  return async (text, count) => {
    const [vector, learned] = await Promise.all([embed(text), index()]);
    const found = learned
      .searchPassages({ kind: 'article', vector, text, count })
      .filter(({ score }) => score >= leastScore);
    const read_ = await read<ArticleText & { state: string }>([...new Set(found.map(({ id }) => id))]);
    const articles = read_.filter(({ record }) => record.document.state === 'published');
    const passages = found.flatMap(({ id, passage, cosine }) => {
      const article = articles.find(({ record }) => record.id === id)?.record.document;
      const part = article && passagesOf(article)[passage];
      if (!part) return [];
      const title = part.heading ? `${article.title}: ${part.heading}` : article.title;
      return [{ source: id, kind: 'article', title, text: part.text, relevance: rounded(cosine) }];
    });
    return { passages, articles };
  };
}

/** The articles behind the cited passages, each with its best passage. */
export function citationsOf(sources: readonly string[], { passages, articles }: FoundPassages) {
  return sources.flatMap((source) => {
    const record = articles.find((article) => article.record.id === source)?.record;
    const best = passages.filter((passage) => passage.source === source).map(({ relevance }) => relevance);
    if (!record || best.length === 0) return [];
    const { title } = record.document as ArticleText;
    return [{ article_id: source, title, relevance: Math.max(...best) }];
  });
}
