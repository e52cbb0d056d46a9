import type { Vector } from '../embedding/vector.ts';
import { type Calibration, calibration } from './calibration.ts';
import { getFacts, getTerms, type LearnedKind, type Row } from './learned-index.ts';
import type { ArticleFacts } from './learned-item.ts';

// Ranks articles for a question, before any language model. The score of a passage is the mean of three cosines (whole
// article, passage, best sentence) plus a fifth of the share of rare words that it has in common with the question. The
// score of an article is that of its best passage. The confidence in the first article is fitted to labelled questions
// (`npm run calibrate`, docs/decisions/0040).

export interface RankedArticle {
  id: string;
  title: string;
  score: number;
  /** Best first; `passage` is the index within the article. */
  passages: readonly { passage: number; score: number }[];
}

/** `high`: answer; `middle`: quote the closest match and say so; `low`: not found. */
export type Tier = 'high' | 'middle' | 'low';

export interface Ranking {
  /** Best first. */
  articles: readonly RankedArticle[];
  /** The probability that the first article answers the question. */
  confidence: number;
  tier: Tier;
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
    // Skip the comparison of words where it cannot change the result. The margin needs one more article.
    if (maxScore < (ranked[count]?.score ?? 0)) break;
    const passages = rankPassages(rows, cosine, cosines, wordShares);
    const title = rows[0] ? getFacts(rows[0].record).title : '';
    ranked.push({ id, title, score: passages[0]?.score ?? 0, passages });
    ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }
  const confidence = toConfidence(ranked, calibration.confidence);
  const { high, middle } = calibration.tiers;
  const tier = confidence >= high ? 'high' : confidence >= middle ? 'middle' : 'low';
  return { articles: ranked.slice(0, count), confidence, tier };
}

/** The highest score of an article whose units have at most this cosine, and this share of the weight of all words. */
export function toMaxScore(cosine: number, share: number): number {
  return toScore(cosine, cosine, cosine, share);
}

type Scored = Pick<RankedArticle, 'score'>;

/** In a small knowledge base there is no second article; the floor keeps the margin from being large then. */
export function toSignals(first: Scored, second: Scored | undefined, secondFloor: number) {
  return { score: first.score, margin: first.score - Math.max(second?.score ?? 0, secondFloor) };
}

export function toConfidence([first, second]: readonly Scored[], weights: Calibration['confidence']): number {
  if (!first) return 0;
  const { score, margin } = toSignals(first, second, weights.secondFloor);
  return 1 / (1 + Math.exp(-(weights.intercept + weights.score * score + weights.margin * margin)));
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
  const sentences = new Map<number, number>();
  for (const { level, passage, place } of rows) {
    if (level === 'sentence') sentences.set(passage, Math.max(sentences.get(passage) ?? 0, cosines[place] ?? 0));
  }
  return rows
    .filter(({ level }) => level === 'passage')
    .map((row) => {
      const { passage } = row;
      const cosine = cosines[row.place] ?? 0;
      const words = getTerms(row).hashes.reduce((sum, hash) => sum + (wordShares.get(hash) ?? 0), 0);
      // The last passages of a very long article have no sentences.
      return { passage, score: toScore(articleCosine, cosine, sentences.get(passage) ?? cosine, words) };
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage);
}
