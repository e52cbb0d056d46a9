import type { Vector } from '../embedding/vector.ts';
import { getFacts, getTerms, type LearnedKind, type Row } from './learned-index.ts';
import type { ArticleFacts } from './learned-item.ts';

// Ranks articles for a question, before any language model. The score of a passage is the mean of three cosines (whole
// article, passage, best sentence) plus a fifth of the share of rare words that it has in common with the question. The
// score of an article is that of its best passage.

export interface RankedArticle {
  id: string;
  title: string;
  score: number;
  /** Best first; `passage` is the index within the article. */
  passages: readonly RankedPassage[];
}

export interface RankedPassage {
  passage: number;
  /** The index of its best sentence within the passage. */
  sentence: number;
  score: number;
}

export interface Ranking {
  /** Best first. */
  articles: readonly RankedArticle[];
}

export interface Query {
  vector: Vector;
  text: string;
  count: number;
}

export function rankArticles(kind: LearnedKind<ArticleFacts>, { vector, text, count }: Query): Ranking {
  const terms = kind.weigh(text);
  const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const wordShares = new Map(terms.map(({ hash, weight }) => [hash, weight / totalWeight]));
  const cosines = kind.cosines(vector);
  const candidates = [...kind.rowsById].map(([id, rows]) => {
    const best = { record: 0, passage: 0, sentence: 0 };
    for (const { level, place } of rows) best[level] = Math.max(best[level], cosines[place] ?? 0);
    const maxScore = toScore(best.record, best.passage, Math.max(best.passage, best.sentence), 1);
    return { id, rows, cosine: best.record, maxScore };
  });
  candidates.sort((a, b) => b.maxScore - a.maxScore);
  const ranked: RankedArticle[] = [];
  for (const { id, rows, cosine, maxScore } of candidates) {
    // Skip the comparison of words where it cannot change the result.
    if (maxScore < (ranked[count - 1]?.score ?? 0)) break;
    const passages = rankPassages(rows, cosine, cosines, wordShares);
    const title = rows[0] ? getFacts(rows[0].record).title : '';
    ranked.push({ id, title, score: passages[0]?.score ?? 0, passages });
    ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }
  return { articles: ranked.slice(0, count) };
}

/** The highest score of an article whose units have at most this cosine, and this share of the weight of all words. */
export function toMaxScore(cosine: number, share: number): number {
  return toScore(cosine, cosine, cosine, share);
}

const wordWeight = 0.2;

/** From 0 to 1. */
function toScore(article: number, passage: number, sentence: number, words: number): number {
  return ((article + passage + sentence) / 3 + wordWeight * words) / (1 + wordWeight);
}

function rankPassages(
  rows: readonly Row<ArticleFacts>[],
  articleCosine: number,
  cosines: Float32Array,
  wordShares: ReadonlyMap<number, number>,
) {
  const sentences = new Map<number, { count: number; best: number; cosine: number }>();
  for (const { level, passage, place } of rows) {
    if (level !== 'sentence') continue;
    const { count, best, cosine } = sentences.get(passage) ?? { count: 0, best: 0, cosine: 0 };
    const own = cosines[place] ?? 0;
    const isBest = own > cosine;
    sentences.set(passage, { count: count + 1, best: isBest ? count : best, cosine: isBest ? own : cosine });
  }
  return rows
    .filter(({ level }) => level === 'passage')
    .map((row) => {
      const { passage } = row;
      const cosine = cosines[row.place] ?? 0;
      const words = getTerms(row).hashes.reduce((sum, hash) => sum + (wordShares.get(hash) ?? 0), 0);
      // The last passages of a very long article have no sentences.
      const { best = 0, cosine: sentenceCosine = cosine } = sentences.get(passage) ?? {};
      return { passage, sentence: best, score: toScore(articleCosine, cosine, sentenceCosine, words) };
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage);
}
