import { dimensions, normalize, packedBytes, packVector, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { VectorMatrix } from '../../lambdas/ai/embedding/vector-matrix.ts';
import { random } from '../support/random.ts';
import { printTable } from './report.ts';

const sizes = [1, 10, 100, 10_000, 100_000];

/** Compares cosine similarity over many vectors in WebAssembly with a plain loop over the same bytes. */
export async function benchVectors(): Promise<void> {
  const { next } = random(17);
  const aVector = () => normalize(Float32Array.from({ length: dimensions }, () => next() - 0.5));
  const vectors = Array.from({ length: Math.max(...sizes) }, () => packVector(aVector()));
  const rows = sizes.map((size) => {
    const stored = vectors.slice(0, size);
    const matrix = new VectorMatrix();
    for (const vector of stored) matrix.add(vector);
    const plain = plainScan(stored);
    const asked = aVector();
    const repeats = Math.max(15, 2_000 / size);
    const ms = median(repeats, () => matrix.cosines(asked));
    const plainMs = median(repeats, () => plain(asked));
    return {
      vectors: String(size),
      'scan ms': ms.toFixed(4),
      'plain loop ms': plainMs.toFixed(4),
      'times as fast': (plainMs / ms).toFixed(1),
    };
  });
  printTable(`Cosines with all of many vectors of ${dimensions} numbers`, rows);
}

function plainScan(stored: readonly Uint8Array[]): (asked: Vector) => Float32Array {
  const numbers = new Int8Array(stored.length * dimensions);
  const scales = Float32Array.from(stored, ({ buffer }) => new DataView(buffer).getFloat32(0, true));
  for (const [row, bytes] of stored.entries()) {
    numbers.set(new Int8Array(bytes.buffer, packedBytes - dimensions), row * dimensions);
  }
  return (asked) => {
    const cosines = new Float32Array(stored.length);
    for (let row = 0; row < stored.length; row++) {
      let sum = 0;
      for (let index = 0; index < dimensions; index++) sum += numbers[row * dimensions + index]! * asked[index]!;
      cosines[row] = sum * scales[row]!;
    }
    return cosines;
  };
}

function median(repeats: number, work: () => unknown): number {
  const times: number[] = [];
  for (let number = 0; number < repeats + 3; number++) {
    const from = performance.now();
    work();
    // The first runs include compilation.
    if (number >= 3) times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
