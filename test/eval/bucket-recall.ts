// What the buckets of the cache find, beside a look at every one of 100,000 stored vectors.
import { homes, probes } from '../../lambdas/ai/cache/buckets.ts';
import { cosine, dimensions, packed, unit, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { VectorArena } from '../../lambdas/ai/embedding/vector-arena.ts';
import { random } from '../support/random.ts';

const stored = 100_000;
const asked = 2_000;

/** The share of stored vectors with a cosine of at least 0.95 that are found, and how many are compared per question. */
export function bucketRecall(): { recall: number; compared: number } {
  const { next } = random(11);
  const normal = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  const aVector = () => unit(Float32Array.from({ length: dimensions }, normal));
  const vectors = Array.from({ length: stored }, aVector);
  const arena = new VectorArena();
  const buckets = new Map<string, number[]>();
  for (const [number, vector] of vectors.entries()) {
    arena.add(packed(vector));
    for (const home of homes(vector)) {
      const bucket = buckets.get(home);
      if (bucket) bucket.push(number);
      else buckets.set(home, [number]);
    }
  }
  let similar = 0;
  let found = 0;
  let compared = 0;
  for (let number = 0; number < asked; number++) {
    const question = near(vectors[number * 7]!, 0.95 + next() * 0.03, aVector());
    const candidates = new Set(probes(question).flatMap((bucket) => buckets.get(bucket) ?? []));
    compared += candidates.size;
    for (const [place, about] of arena.cosines(question).entries()) {
      // Packed vectors are off by a little; the whole ones decide.
      if (about < 0.94 || cosine(vectors[place]!, question) < 0.95) continue;
      similar++;
      if (candidates.has(place)) found++;
    }
  }
  return { recall: found / similar, compared: compared / asked };
}

function near(vector: Vector, similarity: number, other: Vector): Vector {
  const along = cosine(other, vector);
  const across = unit(other.map((value, index) => value - along * vector[index]!));
  const height = Math.sqrt(1 - similarity ** 2);
  return unit(vector.map((value, index) => similarity * value + height * across[index]!));
}
