// Compares what the buckets and sketches of the cache find with an exact search of 100,000 stored vectors.
import {
  computeMargins,
  countDifferingBits,
  listHomeBuckets,
  listProbedBuckets,
  maxDifferingBits,
  toSketch,
} from '../../lambdas/ai/cache/buckets.ts';
import { cosine, packVector } from '../../lambdas/ai/embedding/vector.ts';
import { VectorMatrix } from '../../lambdas/ai/embedding/vector-matrix.ts';
import { manyQuestions } from '../support/many-questions.ts';

const stored = 100_000;
const asked = 2_000;

export interface BucketRecall {
  /** The found share of stored vectors with a cosine of at least 0.95. */
  recall: number;
  /** How many sketches are compared per question, and how many of them seem near. */
  compared: number;
  near: number;
}

export function measureBucketRecall(): BucketRecall {
  const { aQuestion, near, next } = manyQuestions(11);
  const vectors = Array.from({ length: stored }, aQuestion);
  const sketches: Uint8Array[] = [];
  const matrix = new VectorMatrix();
  const buckets = new Map<string, number[]>();
  for (const [number, vector] of vectors.entries()) {
    matrix.add(packVector(vector));
    const margins = computeMargins(vector);
    sketches.push(toSketch(margins));
    for (const home of listHomeBuckets(margins)) {
      const bucket = buckets.get(home);
      if (bucket) bucket.push(number);
      else buckets.set(home, [number]);
    }
  }
  const count = { similar: 0, found: 0, compared: 0, near: 0 };
  for (let number = 0; number < asked; number++) {
    const question = near(vectors[number * 7]!, 0.95 + next() * 0.03);
    const margins = computeMargins(question);
    const sketch = toSketch(margins);
    const compared = [...new Set(listProbedBuckets(margins).flatMap((bucket) => buckets.get(bucket) ?? []))];
    const candidates = new Set(
      compared.filter((place) => countDifferingBits(sketches[place]!, sketch) <= maxDifferingBits),
    );
    count.compared += compared.length;
    count.near += candidates.size;
    for (const [place, about] of matrix.cosines(question).entries()) {
      // Packed vectors are inexact, so the full vectors decide.
      if (about < 0.94 || cosine(vectors[place]!, question) < 0.95) continue;
      count.similar++;
      if (candidates.has(place)) count.found++;
    }
  }
  return { recall: count.found / count.similar, compared: count.compared / asked, near: count.near / asked };
}
