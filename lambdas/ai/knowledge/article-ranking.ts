import type { Vector } from '../embedding/vector.ts';
import { calibration } from './calibration.ts';
import { type Calibration, type ConfidenceSignals, confidenceSignals } from './calibration-shape.ts';
import type { ArticleFacts } from './learned-item.ts';
import type { LearnedKind, Row } from './learned-kind.ts';

// The one ranking of articles for a question, before any language model and alike in the cloud and on one machine. The
// score of a passage is the mean of three cosines (the whole article, the passage, its best sentence) and a fifth of a
// cosine for the words, by rarity, that it shares with the question. The score of an article is that of its best passage.
// How sure the first article is comes from labelled questions (`npm run calibrate`, docs/decisions/0072).

export interface RankedPassage {
  /** Its place within the article. */
  passage: number;
  score: number;
}

export interface RankedArticle {
  id: string;
  title: string;
  score: number;
  /** Best first. */
  passages: readonly RankedPassage[];
}

/** `high`: answer; `middle`: quote the closest match and say so; `low`: not found. */
export type Tier = 'high' | 'middle' | 'low';

export interface Ranking {
  /** Best first. */
  articles: readonly RankedArticle[];
  /** How probable it is that the first article answers the question, from 0 to 1. */
  confidence: number;
  tier: Tier;
}

export interface Query {
  vector: Vector;
  text: string;
  count: number;
}

export function rankArticles(
  kind: LearnedKind<ArticleFacts>,
  { vector, text, count }: Query,
  { confidence, tiers }: Calibration = calibration,
): Ranking {
  const terms = kind.weigh(text);
  const allWeights = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const wordShares = new Map(terms.map(({ hash, weight }) => [hash, weight / allWeights]));
  const cosines = kind.cosines(vector);
  const byMeaning = [...kind.records].map(([id, rows]) => {
    const best = { record: 0, passage: 0, sentence: 0 };
    for (const { level, place } of rows) best[level] = Math.max(best[level], cosines[place] ?? 0);
    const most = toScore([best.record, best.passage, Math.max(best.passage, best.sentence)], 1);
    return { id, rows, cosine: best.record, most };
  });
  byMeaning.sort((a, b) => b.most - a.most);
  const ranked: RankedArticle[] = [];
  for (const { id, rows, cosine, most } of byMeaning) {
    // Words are compared only where they could still lift an article among the best; the margin needs one more.
    if (most < (ranked[count]?.score ?? 0)) break;
    const passages = rankPassages(rows, cosine, cosines, wordShares);
    ranked.push({ id, title: rows[0]?.facts.title ?? '', score: passages[0]?.score ?? 0, passages });
    ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }
  const signals = toSignals(ranked, confidence.secondFloor);
  const probability = signals ? toProbability(signals, confidence) : 0;
  const tier = probability >= tiers.high ? 'high' : probability >= tiers.middle ? 'middle' : 'low';
  return { articles: ranked.slice(0, count), confidence: probability, tier };
}

type Scored = Pick<RankedArticle, 'score'>;

export function toSignals([first, second]: readonly Scored[], secondFloor: number): ConfidenceSignals | undefined {
  if (!first) return undefined;
  // In a small knowledge base there is no rival; the floor keeps the margin from vouching for anything then.
  return { score: first.score, margin: first.score - Math.max(second?.score ?? 0, secondFloor) };
}

export function toProbability(signals: ConfidenceSignals, weights: Calibration['confidence']): number {
  const sum = confidenceSignals.reduce((total, name) => total + weights[name] * signals[name], weights.intercept);
  return 1 / (1 + Math.exp(-sum));
}

const wordWeight = 0.2;

/** From 0 to 1. */
function toScore(cosines: readonly [number, number, number], words: number): number {
  const [article, passage, sentence] = cosines;
  return ((article + passage + sentence) / 3 + wordWeight * words) / (1 + wordWeight);
}

function rankPassages(
  rows: readonly Row<ArticleFacts>[],
  article: number,
  cosines: Float32Array,
  wordShares: ReadonlyMap<number, number>,
): RankedPassage[] {
  const sentences = new Map<number, number>();
  for (const { level, passage, place } of rows) {
    if (level === 'sentence') sentences.set(passage, Math.max(sentences.get(passage) ?? 0, cosines[place] ?? 0));
  }
  return rows
    .filter(({ level }) => level === 'passage')
    .map(({ passage, place, terms: { hashes } }) => {
      const cosine = cosines[place] ?? 0;
      const words = hashes.reduce((sum, hash) => sum + (wordShares.get(hash) ?? 0), 0);
      // The last passages of a very long article have no sentences of their own.
      return { passage, score: toScore([article, cosine, sentences.get(passage) ?? cosine], words) };
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage);
}
