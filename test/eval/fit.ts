// Fits the ranking of articles and its confidence to labelled questions. Few parameters and plain methods on purpose: a
// conditional logit for the weights of the ranking, a logistic regression for the confidence.

import type { Embed } from '../../lambdas/ai/embedding/embedder.ts';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { type Ranking, rankArticles, toProbability } from '../../lambdas/ai/knowledge/article-ranking.ts';
import {
  type Calibration,
  type ConfidenceFeatures,
  confidenceFeatures,
  type RankingFeatures,
  rankingFeatures,
} from '../../lambdas/ai/knowledge/calibration-shape.ts';
import type { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import type { ReadingSet } from './ground.ts';

export interface Case {
  set: string;
  question: string;
  /** The article that answers; null for near misses and off-topic questions. */
  answer: string | null;
  kind: 'answerable' | 'near miss' | 'off topic';
  evidence?: string | undefined;
  rank(calibration: Calibration): Ranking;
}

/** Every question of a set, and each third question of the other sets as off-topic. */
export async function toCases(set: ReadingSet, others: readonly ReadingSet[], index: LearnedIndex, embed: Embed) {
  const cases: Case[] = [];
  const add = async (question: string, kind: Case['kind'], answer: string | null, evidence?: string) => {
    const query = { vector: await embed(question), text: question, count: 1_000 };
    const rank = (calibration: Calibration) => rankArticles(index.articles, query, calibration);
    cases.push({ set: set.name, question, kind, answer, evidence, rank });
  };
  for (const { id, questions } of set.articles) {
    for (const { q, answerable, evidence } of questions) {
      await add(q, answerable ? 'answerable' : 'near miss', answerable ? id : null, evidence);
    }
  }
  const foreign = others.flatMap(({ articles }) => articles.flatMap(({ questions }) => questions));
  const step = Math.max(3, Math.ceil((3 * foreign.length) / Math.max(1, cases.length)));
  for (const { q } of foreign.filter((_, place) => place % step === 0)) await add(q, 'off topic', null);
  return cases;
}

/** Off-topic questions are rarer in life than in this sample. */
const offTopicWeight = 0.3;

const equalWeights = Object.fromEntries(
  rankingFeatures.map((name) => [name, 1 / rankingFeatures.length]),
) as RankingFeatures;

const start: Calibration = {
  embedder: embedderName,
  ranking: equalWeights,
  confidence: { intercept: 0, score: 1, margin: 1, missingIdentifiers: 0, secondFloor: 0 },
  tiers: { high: 1, middle: 0 },
  minRelatedScore: 0,
  similarity: { far: 0, vote: 0, evidence: 0, resolution: 0, near: 1 },
};

/** Everything but the tiers, which need predictions for questions that were not fitted. */
export function fitCalibration(cases: readonly Case[]): Calibration {
  const ranking = fitRanking(cases);
  const ranked = { ...start, ranking };
  const seconds = cases.map((each) => each.rank(ranked).articles[1]?.score ?? 0);
  const secondFloor = rounded(quantile(seconds, 0.25));
  const floored = { ...ranked, confidence: { ...start.confidence, secondFloor } };
  const samples = cases.map((each) => {
    const { articles, evidence } = each.rank(floored);
    const isRight = each.answer !== null && articles[0]?.id === each.answer;
    return { features: evidence!, isRight, weight: each.kind === 'off topic' ? offTopicWeight : 1 };
  });
  const confidence = { ...fitConfidence(samples), secondFloor };
  const right = cases.flatMap((each) => {
    const [first] = each.rank(ranked).articles;
    return each.answer !== null && first?.id === each.answer ? [first.score] : [];
  });
  return { ...ranked, confidence, minRelatedScore: quantile(right, 0.03) };
}

export interface Prediction {
  kind: Case['kind'];
  confidence: number;
  isRight: boolean;
}

export function predict(each: Case, calibration: Calibration): Prediction {
  const { articles, evidence } = each.rank(calibration);
  const isRight = each.answer !== null && articles[0]?.id === each.answer;
  return { kind: each.kind, confidence: evidence ? toProbability(evidence, calibration.confidence) : 0, isRight };
}

/** High: answers are right in 93 of 100 cases. Middle: keeps 97 of 100 questions whose article ranks first. */
const wantedPrecision = 0.93;
const wantedKept = 0.97;

export function fitTiers(predictions: readonly Prediction[]): Calibration['tiers'] {
  const asked = predictions.filter(({ kind }) => kind !== 'off topic');
  const precision = (threshold: number) => {
    const answered = asked.filter(({ confidence }) => confidence >= threshold);
    return answered.filter(({ isRight }) => isRight).length / Math.max(1, answered.length);
  };
  const grid = Array.from({ length: 46 }, (_, step) => 0.5 + step / 100);
  const high = grid.find((threshold) => precision(threshold) >= wantedPrecision) ?? 0.95;
  const right = asked.filter(({ isRight }) => isRight).map(({ confidence }) => confidence);
  return { high: rounded(high), middle: rounded(quantile(right, 1 - wantedKept)) };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Weights under which the right article wins; none is negative, and they add up to 1. */
function fitRanking(cases: readonly Case[]): RankingFeatures {
  const examples = cases.flatMap((each) => {
    if (each.answer === null) return [];
    const { articles } = each.rank(start);
    const rows = articles.map(({ features }) => rankingFeatures.map((name) => features[name]));
    return [{ right: articles.findIndex(({ id }) => id === each.answer), rows }];
  });
  let weights = rankingFeatures.map(() => 3);
  for (let step = 0; step < 300; step++) {
    const gradient = weights.map((weight) => -1e-3 * weight);
    for (const { right, rows } of examples) {
      const scores = rows.map((row) => dot(row, weights));
      const most = Math.max(...scores);
      const exponents = scores.map((score) => Math.exp(score - most));
      const total = sum(exponents);
      for (const [feature] of weights.entries()) {
        const expected = sum(rows.map((row, place) => (row[feature]! * exponents[place]!) / total));
        gradient[feature]! += (rows[right]![feature]! - expected) / examples.length;
      }
    }
    weights = weights.map((weight, feature) => Math.max(0, weight + 8 * gradient[feature]!));
  }
  const total = sum(weights);
  return Object.fromEntries(
    rankingFeatures.map((name, place) => [name, rounded(weights[place]! / total)]),
  ) as RankingFeatures;
}

interface Sample {
  features: ConfidenceFeatures;
  isRight: boolean;
  weight: number;
}

/** Newton's method with a slight ridge. */
function fitConfidence(samples: readonly Sample[]): ConfidenceFeatures & { intercept: number } {
  const rows = samples.map(({ features }) => [1, ...confidenceFeatures.map((name) => features[name])]);
  let weights = [0, ...confidenceFeatures.map(() => 0)];
  for (let step = 0; step < 50; step++) {
    const gradient = weights.map((weight, place) => (place === 0 ? 0 : -0.01 * weight));
    const hessian = weights.map((_, a) => weights.map((__, b) => (a === b ? (a === 0 ? 1e-6 : 0.01) : 0)));
    for (const [place, row] of rows.entries()) {
      const { isRight, weight } = samples[place]!;
      const probability = 1 / (1 + Math.exp(-dot(row, weights)));
      for (const [a, value] of row.entries()) {
        gradient[a]! += weight * ((isRight ? 1 : 0) - probability) * value;
        for (const [b, other] of row.entries())
          hessian[a]![b]! += weight * probability * (1 - probability) * value * other;
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, place) => weight + change[place]!);
  }
  const [intercept, ...others] = weights.map(rounded);
  return {
    intercept: intercept!,
    ...(Object.fromEntries(confidenceFeatures.map((name, place) => [name, others[place]!])) as ConfidenceFeatures),
  };
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, place) => [...row, values[place]!]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce((best, row, place) => {
      return place >= column && Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? place : best;
    }, column);
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let place = 0; place < size; place++) {
      if (place === column) continue;
      const factor = rows[place]![column]! / rows[column]![column]!;
      rows[place] = rows[place]!.map((value, index) => value - factor * rows[column]![index]!);
    }
  }
  return rows.map((row, place) => row[size]! / row[place]!);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a.map((value, place) => value * b[place]!));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
