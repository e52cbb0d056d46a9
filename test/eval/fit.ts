// Fits the confidence of the ranking to labelled questions: a logistic regression with few parameters, on purpose.

import type { Encoder } from '../../lambdas/ai/embedding/embedder.ts';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { type RankedArticle, rankArticles } from '../../lambdas/ai/knowledge/article-ranking.ts';
import type { Calibration } from '../../lambdas/ai/knowledge/calibration.ts';
import { type JudgedArticle, judgeAnswers, toConfidence, toSignals } from '../../lambdas/ai/knowledge/judge-answers.ts';
import { getTerms, LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { offTopicQuestions, type ReadingSet } from './ground.ts';
import { rankSimply } from './simple-score.ts';

type Ranked = Pick<RankedArticle, 'id' | 'score'>;

export interface Case {
  set: string;
  question: string;
  /** Its place among the questions of its article: the first is in the article's words, the second in others, … */
  place: number;
  /** The article that answers; null for near misses and off-topic questions. */
  answer: string | null;
  kind: 'answerable' | 'near miss' | 'off topic';
  /** Whether the article that answers has none of its words. */
  sharesNoWord: boolean;
  /** Best first. */
  articles: readonly Pick<JudgedArticle, 'id' | 'score' | 'answer'>[];
  /** As the simple score ranks them. */
  simply: readonly Ranked[];
}

/** Every question of every set, and a sample of the other sets' questions as off-topic. */
export async function toCases(
  sets: readonly ReadingSet[],
  indexes: ReadonlyMap<string, LearnedIndex>,
  encoder: Encoder,
) {
  const cases: Case[] = [];
  for (const set of sets) {
    cases.push(
      ...(await buildCases(set, offTopicQuestions(set, sets), indexes.get(set.name) ?? new LearnedIndex(), encoder)),
    );
  }
  return cases;
}

async function buildCases(
  set: ReadingSet,
  offTopic: readonly string[],
  index: LearnedIndex,
  { embed, compare }: Encoder,
): Promise<Case[]> {
  const cases: Case[] = [];
  const texts = new Map(set.articles.map((article) => [article.id, article]));
  const add = async (question: string, place: number, kind: Case['kind'], answer: string | null) => {
    const query = { vector: await embed(question), text: question, count: 1_000 };
    const ranked = rankArticles(index.articles, query).articles.flatMap((article) => {
      const text = texts.get(article.id);
      return text ? [{ ...article, text }] : [];
    });
    const { articles } = await judgeAnswers(question, ranked, compare);
    const own = new Set(index.articles.rowsById.get(answer ?? '')?.flatMap((row) => [...getTerms(row).hashes]));
    const sharesNoWord = answer !== null && !index.articles.weigh(question).some(({ hash }) => own.has(hash));
    const simply = rankSimply(index.articles, query);
    cases.push({ set: set.name, question, place, kind, answer, sharesNoWord, articles, simply });
  };
  for (const { id, questions } of set.articles) {
    for (const [place, { q, answerable }] of questions.entries()) {
      await add(q, place, answerable ? 'answerable' : 'near miss', answerable ? id : null);
    }
  }
  for (const question of offTopic) await add(question, 0, 'off topic', null);
  return cases;
}

/** Off-topic questions are rarer in practice than in this sample. */
const offTopicWeight = 0.3;

const start: Calibration = {
  embedder: embedderName,
  confidence: { intercept: 0, score: 0, margin: 0, answer: 0, secondFloor: 0 },
  tiers: { high: 1, middle: 0 },
  minRelatedScore: 0,
  similarity: { far: 0, vote: 0, evidence: 0, resolution: 0, near: 1 },
};

/** Fits everything except the tiers, which need predictions for other questions. */
export function fitCalibration(cases: readonly Case[]): Calibration {
  const seconds = cases.map(({ articles }) => articles[1]?.score ?? 0);
  const secondFloor = round(quantile(seconds, 0.25));
  const samples = cases.flatMap((each) => {
    const [first, ...others] = each.articles;
    if (!first) return [];
    const signals = toSignals(first, others, secondFloor);
    return [{ signals, isRight: isRight(each), weight: each.kind === 'off topic' ? offTopicWeight : 1 }];
  });
  const confidence = { ...fitConfidence(samples), secondFloor };
  const right = cases.filter(isRight).map(({ articles }) => articles[0]?.score ?? 0);
  return { ...start, confidence, minRelatedScore: round(quantile(right, 0.03)) };
}

function isRight({ answer, articles }: Case): boolean {
  return answer !== null && articles[0]?.id === answer;
}

export interface Prediction {
  kind: Case['kind'];
  confidence: number;
  isRight: boolean;
}

export function predict(each: Case, { confidence }: Calibration): Prediction {
  return { kind: each.kind, confidence: toConfidence(each.articles, confidence), isRight: isRight(each) };
}

/** High: answers are right in 95 of 100 cases. Middle: of 100 questions without an answer, half of them near misses, 25 are quoted. */
const wantedPrecision = 0.95;
const maxQuoted = 0.25;

export function fitTiers(predictions: readonly Prediction[]): Calibration['tiers'] {
  const asked = predictions.filter(({ kind }) => kind !== 'off topic');
  const precision = (threshold: number) => {
    const answered = asked.filter(({ confidence }) => confidence >= threshold);
    return answered.filter(({ isRight }) => isRight).length / Math.max(1, answered.length);
  };
  const grid = Array.from({ length: 46 }, (_, step) => 0.5 + step / 100);
  const high = grid.find((threshold) => precision(threshold) >= wantedPrecision) ?? 0.95;
  const quoted = (kind: Case['kind'], threshold: number) => {
    const all = predictions.filter((each) => each.kind === kind);
    return all.filter(({ confidence }) => confidence >= threshold).length / Math.max(1, all.length);
  };
  const steps = Array.from({ length: 81 }, (_, step) => 0.1 + step / 100);
  const isRare = (threshold: number) =>
    quoted('near miss', threshold) + quoted('off topic', threshold) <= 2 * maxQuoted;
  return { high: round(high), middle: round(Math.min(high, steps.find(isRare) ?? 0.9)) };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

const confidenceSignals = ['score', 'margin', 'answer'] as const;

type ConfidenceSignals = ReturnType<typeof toSignals>;

interface Sample {
  signals: ConfidenceSignals;
  isRight: boolean;
  weight: number;
}

/** Logistic regression with a slight ridge, by plain gradient ascent on centred signals of equal spread. */
function fitConfidence(samples: readonly Sample[]): ConfidenceSignals & { intercept: number } {
  const total = sum(samples.map(({ weight }) => weight));
  const scales = confidenceSignals.map((name) => {
    const values = samples.map(({ signals }) => signals[name]);
    const mean = sum(values) / values.length;
    const spread = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length) || 1;
    return { name, mean, spread, weight: 0 };
  });
  const rows = samples.map(({ signals, isRight, weight }) => {
    const values = scales.map(({ name, mean, spread }) => (signals[name] - mean) / spread);
    return { values, target: isRight ? 1 : 0, weight: weight / total };
  });
  let intercept = 0;
  for (let step = 0; step < 1_000; step++) {
    const errors = rows.map(({ values, target, weight }) => {
      const logit = scales.reduce((all, scale, place) => all + scale.weight * (values[place] ?? 0), intercept);
      return weight * (target - 1 / (1 + Math.exp(-logit)));
    });
    intercept += 2 * sum(errors);
    for (const [place, scale] of scales.entries()) {
      const gradient = sum(rows.map(({ values }, row) => (errors[row] ?? 0) * (values[place] ?? 0)));
      scale.weight += 2 * (gradient - 1e-4 * scale.weight);
    }
  }
  const weights = scales.map(({ name, spread, weight }) => [name, round(weight / spread)]);
  const shift = sum(scales.map(({ mean, spread, weight }) => (weight * mean) / spread));
  return { ...(Object.fromEntries(weights) as ConfidenceSignals), intercept: round(intercept - shift) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
