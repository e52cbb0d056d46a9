import {
  countDifferingBits,
  listHomeBuckets,
  listProbedBuckets,
  maxDifferingBits,
  planesPerTable,
  probesPerTable,
  sketchBytes,
  tables,
  toSketch,
} from '../../../lambdas/ai/cache/buckets.ts';
import { cosine, dimensions, normalize, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { random as seeded } from '../../support/random.ts';

const { next: random } = seeded(7);
// Globals are looked up slowly where tests run.
const { sqrt, log, cos, PI } = Math;
const normal = () => sqrt(-2 * log(random() + 1e-12)) * cos(2 * PI * random());
const aVector = () => normalize(Float32Array.from({ length: dimensions }, normal));

/** A vector with exactly this cosine to the given one. */
function at(similarity: number, vector: Vector): Vector {
  const other = aVector();
  const along = cosine(other, vector);
  const across = normalize(other.map((value, index) => value - along * vector[index]!));
  const height = sqrt(1 - similarity ** 2);
  return vector.map((value, index) => similarity * value + height * across[index]!);
}

describe('buckets', () => {
  it('finds 999 of 1,000 answers at the threshold, and reads less than 700 of 100,000', () => {
    const pairs = 1_000;
    const buckets = new Map<string, number[]>();
    const stored: Vector[] = [];
    const store = (vector: Vector) => {
      for (const home of listHomeBuckets(vector)) buckets.set(home, [...(buckets.get(home) ?? []), stored.length]);
      stored.push(vector);
    };
    for (let number = 0; number < pairs; number++) store(aVector());
    let found = 0;
    for (let number = 0; number < pairs; number++) {
      const asked = at(0.95, stored[number]!);
      const isIn = listProbedBuckets(asked).some((bucket) => buckets.get(bucket)?.includes(number));
      if (isIn && countDifferingBits(toSketch(asked), toSketch(stored[number]!)) <= maxDifferingBits) found++;
    }
    expect(found / pairs).toBeGreaterThanOrEqual(0.999);
    // The share of 100,000 that a question looks at.
    const looked = (tables * probesPerTable * 100_000) / 2 ** planesPerTable;
    expect(looked).toBeLessThan(700);
  });

  it('reads its own bucket first, each bucket once, in one call', () => {
    const vector = aVector();
    const all = listProbedBuckets(vector);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(100);
    expect(all).toEqual(expect.arrayContaining(listHomeBuckets(vector)));
  });
});

describe('sketches', () => {
  it('approximate the distance of two vectors in 64 bytes', () => {
    const vector = aVector();
    expect(toSketch(vector)).toHaveLength(sketchBytes);
    expect(countDifferingBits(toSketch(vector), toSketch(vector))).toBe(0);
    for (const similarity of [0.99, 0.95, 0.8, 0.5, 0]) {
      const sides = (512 * Math.acos(similarity)) / Math.PI;
      const found = countDifferingBits(toSketch(vector), toSketch(at(similarity, vector)));
      expect(Math.abs(found - sides)).toBeLessThan(45);
    }
    expect(countDifferingBits(toSketch(vector), toSketch(at(0.6, vector)))).toBeGreaterThan(maxDifferingBits);
  });
});
