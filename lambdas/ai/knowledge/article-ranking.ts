import type { Vector } from '../embedding/vector.ts';
import { calibration } from './calibration.ts';
import {
  type Calibration,
  type ConfidenceFeatures,
  confidenceFeatures,
  type RankingFeatures,
  rankingFeatures,
} from './calibration-shape.ts';
import type { ArticleFacts } from './learned-item.ts';
import type { LearnedKind, Row, WeightedTerms } from './learned-kind.ts';
import { countTerms, isIdentifier } from './terms.ts';

// The one ranking of articles for a question, before any language model and alike in the cloud and on one machine. An
// article's score is a weighted mean of six features: the cosines of the whole article, of its best passage and of its
// best sentence, and the share of the question's words, by rarity, that the article, its best passage and its title have.
// `npm run calibrate` fits the weights and the confidence on labelled questions (docs/decisions/0040).

export interface RankedPassage {
  /** Its place within the article. */
  passage: number;
  score: number;
}

export interface RankedArticle {
  id: string;
  title: string;
  score: number;
  features: RankingFeatures;
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
  /** What the confidence rests on; undefined without any article. */
  evidence: ConfidenceFeatures | undefined;
}

export interface Query {
  vector: Vector;
  text: string;
  count: number;
}

export function rankArticles(
  kind: LearnedKind<ArticleFacts>,
  { vector, text, count }: Query,
  { ranking: weights, confidence, tiers }: Calibration = calibration,
): Ranking {
  const terms = kind.weigh(text);
  const cosines = kind.cosines(vector);
  const byMeaning = [...kind.records].map(([id, rows]) => {
    const best = { record: 0, passage: 0, sentence: 0 };
    for (const { level, place } of rows) best[level] = Math.max(best[level], cosines[place]!);
    const score = weights.article * best.record + weights.passage * best.passage + weights.sentence * best.sentence;
    return { id, rows, best, score };
  });
  byMeaning.sort((a, b) => b.score - a.score);
  const maxWordScore = weights.words + weights.passageWords + weights.titleWords;
  const ranked: RankedArticle[] = [];
  for (const { id, rows, best, score: meaning } of byMeaning) {
    // Words are compared only where they could still lift an article among the best.
    const least = ranked.length > count ? ranked[count]!.score : Number.NEGATIVE_INFINITY;
    if (meaning + maxWordScore < least) break;
    const { title } = rows[0]!.facts;
    const ofPassages = rows.filter(({ level }) => level === 'passage').map((row) => share(terms, row));
    const features = {
      article: best.record,
      passage: best.passage,
      sentence: best.sentence,
      words: share(terms, rows.find(({ level }) => level === 'record')!),
      passageWords: Math.max(0, ...ofPassages),
      titleWords: share(terms, { terms: countTerms(title) }),
    };
    const score = rankingFeatures.reduce((sum, name) => sum + weights[name] * features[name], 0);
    ranked.push({ id, title, score, features, passages: [] });
    ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }
  const features = toConfidenceFeatures(ranked, terms, kind, confidence.secondFloor);
  const probability = features ? toProbability(features, confidence) : 0;
  const tier = probability >= tiers.high ? 'high' : probability >= tiers.middle ? 'middle' : 'low';
  const articles = ranked.slice(0, count).map((article) => {
    return { ...article, passages: rankPassages(kind.records.get(article.id)!, cosines, terms, weights) };
  });
  return { articles, confidence: probability, tier, evidence: features };
}

function toConfidenceFeatures(
  ranked: readonly RankedArticle[],
  terms: WeightedTerms,
  kind: LearnedKind<ArticleFacts>,
  secondFloor: number,
): ConfidenceFeatures | undefined {
  const [first, second] = ranked;
  if (!first) return undefined;
  const own = new Set(
    kind.records.get(first.id)!.flatMap((row) => (row.level === 'record' ? [...row.terms.hashes] : [])),
  );
  const missing = terms.filter(({ term, hash }) => isIdentifier(term) && !own.has(hash)).length;
  return {
    score: first.score,
    // In a small knowledge base there is no rival; the floor keeps the margin from vouching for anything then.
    margin: first.score - Math.max(second?.score ?? 0, secondFloor),
    missingIdentifiers: Math.min(2, missing),
  };
}

export function toProbability(features: ConfidenceFeatures, weights: Calibration['confidence']): number {
  const sum = confidenceFeatures.reduce((total, name) => total + weights[name] * features[name], weights.intercept);
  return 1 / (1 + Math.exp(-sum));
}

function rankPassages(
  rows: readonly Row<ArticleFacts>[],
  cosines: Float32Array,
  terms: WeightedTerms,
  weights: RankingFeatures,
): RankedPassage[] {
  const total = weights.passage + weights.sentence + weights.passageWords;
  const passages = rows.filter(({ level }) => level === 'passage');
  return passages
    .map((row) => {
      const sentences = rows.filter(({ level, passage }) => level === 'sentence' && passage === row.passage);
      const sentence = Math.max(0, ...sentences.map(({ place }) => cosines[place]!));
      const sum =
        weights.passage * cosines[row.place]! + weights.sentence * sentence + weights.passageWords * share(terms, row);
      return { passage: row.passage, score: sum / total };
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage);
}

/** The share of the words, by weight, that a row has. */
function share(terms: WeightedTerms, { terms: { hashes } }: Pick<Row<ArticleFacts>, 'terms'>): number {
  const own = new Set(hashes);
  let all = 0;
  let common = 0;
  for (const { hash, weight } of terms) {
    all += weight;
    if (own.has(hash)) common += weight;
  }
  return all === 0 ? 0 : common / all;
}
