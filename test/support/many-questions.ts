import { join } from 'node:path';
import { listDemoTexts } from '../../demo/articles.ts';
import { readKnownVectors } from '../../lambdas/ai/embedding/known-vectors.ts';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { cosine, dimensions, normalize, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { root } from '../../tools/build/local-build.ts';
import { random } from './random.ts';

// Vectors of synthetic questions: a point between two demo texts with some noise. Random vectors would be too far apart.

export function manyQuestions(seed: number) {
  const { next, pick } = random(seed);
  const normal = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  const known = readKnownVectors(join(root, 'demo/known-vectors.bin'), embedderName);
  const texts = listDemoTexts().map((text) => known(text)!);
  const aside = 0.5 / Math.sqrt(dimensions);
  return {
    next,
    aQuestion(): Vector {
      const [one, other, share] = [pick(texts), pick(texts), next()];
      return normalize(one.map((value, index) => share * value + (1 - share) * other[index]! + aside * normal()));
    },
    /** A random vector with this cosine to the given one. */
    near(vector: Vector, similarity: number): Vector {
      const any = Float32Array.from({ length: dimensions }, normal);
      const along = cosine(any, vector);
      const across = normalize(any.map((value, index) => value - along * vector[index]!));
      const height = Math.sqrt(1 - similarity ** 2);
      return normalize(vector.map((value, index) => similarity * value + height * across[index]!));
    },
  };
}
