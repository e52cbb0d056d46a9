import {
  computeMargins,
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
    const stored: { vector: Vector; sketch: Uint8Array }[] = [];
    const store = (vector: Vector) => {
      const margins = computeMargins(vector);
      for (const home of listHomeBuckets(margins)) buckets.set(home, [...(buckets.get(home) ?? []), stored.length]);
      stored.push({ vector, sketch: toSketch(margins) });
    };
    for (let number = 0; number < pairs; number++) store(aVector());
    let found = 0;
    for (let number = 0; number < pairs; number++) {
      const { vector, sketch } = stored[number]!;
      const asked = computeMargins(at(0.95, vector));
      const isIn = listProbedBuckets(asked).some((bucket) => buckets.get(bucket)?.includes(number));
      if (isIn && countDifferingBits(toSketch(asked), sketch) <= maxDifferingBits) found++;
    }
    expect(found / pairs).toBeGreaterThanOrEqual(0.999);
    // The share of 100,000 that a question looks at.
    const looked = (tables * probesPerTable * 100_000) / 2 ** planesPerTable;
    expect(looked).toBeLessThan(700);
  });

  it('reads its own bucket first, each bucket once, in one call', () => {
    const margins = computeMargins(aVector());
    const all = listProbedBuckets(margins);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(100);
    expect(all).toEqual(expect.arrayContaining(listHomeBuckets(margins)));
  });
});

describe('sketches', () => {
  it('approximate the distance of two vectors in 64 bytes', () => {
    const vector = aVector();
    const sketch = toSketch(computeMargins(vector));
    const countFrom = (similarity: number) =>
      countDifferingBits(sketch, toSketch(computeMargins(at(similarity, vector))));
    expect(sketch).toHaveLength(sketchBytes);
    expect(countDifferingBits(sketch, sketch)).toBe(0);
    for (const similarity of [0.99, 0.95, 0.8, 0.5, 0]) {
      const sides = (512 * Math.acos(similarity)) / Math.PI;
      expect(Math.abs(countFrom(similarity) - sides)).toBeLessThan(45);
    }
    expect(countFrom(0.6)).toBeGreaterThan(maxDifferingBits);
  });
});
