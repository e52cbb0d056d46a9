import { mostRelated } from '../../../contract/ai.ts';
import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Vector } from '../embedding/vector.ts';
import type { Fit, Passage } from '../prompts/passage.ts';
import { rounded } from '../suggestions/votes.ts';
import { alikeWords, questionWords } from './alike-words.ts';
import type { Found } from './best-found.ts';
import type { LearnedIndex } from './learned-index.ts';
import type { LiveIndex } from './live-index.ts';
import { type ArticleText, passagesOf } from './passages.ts';
import { sentencesIn } from './sentences.ts';
import { strangeWords } from './strange-words.ts';

export interface FoundPassages {
  /** Best first; several may be of one article. */
  passages: (Passage & { relevance: number })[];
  /** Articles that may help whoever gets no answer, nearest first. */
  related: FoundArticle[];
  articles: readonly Pick<ReadRecord<unknown>, 'record'>[];
}

export interface FoundArticle {
  article_id: string;
  title: string;
  relevance: number;
}

/** Word by word, a short text is compared once more with what was found, which takes as long as reading that. */
export type FindPassages = (
  text: string,
  count: number,
  compared?: 'as a whole' | 'word by word',
) => Promise<FoundPassages>;

/** What is further away has nothing to do with the question. */
const leastScore = 0.2;

/**
 * What is near enough to be named to people. Of the questions for tuning that have an answer, 97 of 100 have its article
 * among the three nearest from here on; questions about the world outside (capitals, recipes) have none.
 */
const leastRelated = 0.3;

/** Each word costs a run of the model; who writes more than this tells a story, of which no single word decides. */
const mostWords = 30;

/** Passages beyond these are read no more to compare words. */
const mostCompared = 6;

/**
 * The passages of published articles that are nearest to a text. The table has the last word: what was unpublished,
 * deleted or rewritten a moment ago is not shown as it was.
 */
export function passageFinder(embed: Embedder, index: LiveIndex, read: ReadRecords): FindPassages {
  return async (text, count, compared = 'as a whole') => {
    const [vector, learned] = await Promise.all([embed(text), index()]);
    const found = learned
      .searchPassages({ kind: 'article', vector, text, count })
      .filter(({ score }) => score >= leastScore);
    const near = learned
      .search({ kind: 'article', vector, text, count: mostRelated })
      .filter(({ score }) => score >= leastRelated);
    const ids = new Set([...found, ...near].map(({ id }) => id));
    const read_ = await read<ArticleText & { state: string }>([...ids]);
    const articles = read_.filter(({ record }) => record.document.state === 'published');
    const texts = new Map(articles.map(({ record }) => [record.id, record.document]));
    const isShort = text.trim().split(/\s+/).length <= mostWords;
    const fits =
      compared === 'word by word' && isShort
        ? await fitsOf({ text, vector }, found.slice(0, mostCompared), texts, learned, embed)
        : new Map<string, Fit>();
    const parts = new Map([...texts].map(([id, article]) => [id, passagesOf(article)]));
    const passages = found.flatMap(({ id, passage, cosine }) => {
      const article = texts.get(id);
      const part = article && parts.get(id)?.[passage];
      if (!part) return [];
      const title = part.heading ? `${article.title}: ${part.heading}` : article.title;
      const fit = fits.get(id);
      return [{ source: id, kind: 'article', title, text: part.text, relevance: rounded(cosine), ...(fit && { fit }) }];
    });
    const related = near.flatMap(({ id, cosine }) => {
      const article = texts.get(id);
      return article ? [{ article_id: id, title: article.title, relevance: rounded(cosine) }] : [];
    });
    return { passages, related, articles };
  };
}

/** How the words of a question fit each of the articles found. */
async function fitsOf(
  question: { text: string; vector: Vector },
  found: readonly Found<'article'>[],
  texts: ReadonlyMap<string, ArticleText>,
  learned: LearnedIndex,
  embed: Embedder,
): Promise<Map<string, Fit>> {
  const ids = [...texts.keys()].filter((id) => found.some((each) => each.id === id));
  const articles = ids.map((id) => {
    return { id, passages: found.filter((each) => each.id === id).map(({ passage }) => passage) };
  });
  const strange = await strangeWords(question, articles, learned, embed);
  const words = await questionWords(question.text, embed);
  const fits = new Map<string, Fit>();
  for (const [place, { id, passages }] of articles.entries()) {
    const article = texts.get(id)!;
    const all = passagesOf(article);
    const given = passages.flatMap((passage) => all[passage] ?? []);
    const headings = [article.title, ...given.flatMap(({ heading }) => heading ?? [])];
    const sentences = given.flatMap(({ text }) => sentencesIn(text));
    fits.set(id, { strange: strange[place]!, mean: await alikeWords(words, [...headings, ...sentences], embed) });
  }
  return fits;
}

/** The articles behind the cited passages, each with its best passage. */
export function citationsOf(sources: readonly string[], { passages, articles }: FoundPassages): FoundArticle[] {
  return sources.flatMap((source) => {
    const record = articles.find((article) => article.record.id === source)?.record;
    const best = passages.filter((passage) => passage.source === source).map(({ relevance }) => relevance);
    if (!record || best.length === 0) return [];
    const { title } = record.document as ArticleText;
    return [{ article_id: source, title, relevance: Math.max(...best) }];
  });
}
