import { dimensions, normalize, packedBytes, packVector, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { VectorMatrix } from '../../../lambdas/ai/embedding/vector-matrix.ts';
import fc from '../../support/properties.ts';
import { random } from '../../support/random.ts';

/** What the matrix must give: number by number, nothing rounded but what is stored. */
function plainCosine(bytes: Uint8Array, vector: Vector): number {
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + packedBytes - dimensions, dimensions);
  let sum = 0;
  for (let index = 0; index < dimensions; index++) sum += numbers[index]! * vector[index]!;
  return sum * scale;
}

const { next } = random(5);
const aVector = () => normalize(Float32Array.from({ length: dimensions }, () => next() - 0.5));

/** Vectors of every shape: long tails, single numbers, equal numbers, nothing but zeros. */
const vectors = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(-1, 1)), {
    minLength: 1,
    maxLength: dimensions,
  })
  .map((numbers) =>
    normalize(Float32Array.from({ length: dimensions }, (_, index) => numbers[index % numbers.length]!)),
  );

const matrix = new VectorMatrix();
afterEach(() => matrix.clear());

/** The places, best first. */
function rankIndexes(cosines: ArrayLike<number>): number[] {
  return Array.from(cosines, (_, place) => place).sort((a, b) => cosines[b]! - cosines[a]! || a - b);
}

function expectPlainLoop(stored: readonly Uint8Array[], asked: Vector): void {
  const expected = stored.map((bytes) => plainCosine(bytes, asked));
  const found = matrix.cosines(asked);
  expect(found).toHaveLength(stored.length);
  for (const [place, cosine] of expected.entries()) expect(Math.abs(found[place]! - cosine)).toBeLessThan(1e-4);
  // Two that are as good as equally near may change places; nobody else does.
  const order = rankIndexes(found);
  for (const [rank, place] of rankIndexes(expected).entries()) {
    expect(Math.abs(expected[order[rank]!]! - expected[place]!)).toBeLessThan(1e-4);
  }
}

describe('vector matrix', () => {
  it('returns the same results as a plain loop after any additions and removals', () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: vectors }, fc.nat(200)), { maxLength: 40 });
    fc.assert(
      fc.property(steps, vectors, (all, asked) => {
        matrix.clear();
        const stored: Uint8Array[] = [];
        for (const step of all) {
          if (typeof step !== 'number') {
            const bytes = packVector(step);
            expect(matrix.add(bytes)).toBe(stored.push(bytes) - 1);
          } else if (stored.length > 0) {
            const place = step % stored.length;
            matrix.remove(place);
            const last = stored.pop()!;
            if (place < stored.length) stored[place] = last;
          }
        }
        expect(matrix.count).toBe(stored.length);
        expectPlainLoop(stored, asked);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps its vectors while its memory grows', () => {
    const stored = Array.from({ length: 3_001 }, () => packVector(aVector()));
    for (const bytes of stored) matrix.add(bytes);
    expectPlainLoop(stored, aVector());
  });

  it('does not overflow with maximum values', () => {
    const largest = normalize(new Float32Array(dimensions).fill(1));
    matrix.add(packVector(largest));
    matrix.add(packVector(largest.map((value) => -value)));
    const [same, opposite] = matrix.cosines(largest);
    expect(same).toBeCloseTo(1, 3);
    expect(opposite).toBeCloseTo(-1, 3);
  });

  it('reads vectors at any offset of a buffer', () => {
    const bytes = packVector(aVector());
    const shifted = new Uint8Array(packedBytes + 3).subarray(3);
    shifted.set(bytes);
    matrix.add(shifted);
    expectPlainLoop([bytes], aVector());
  });

  it('rejects invalid vectors and unknown rows', () => {
    expect(() => matrix.add(new Uint8Array(packedBytes - 1))).toThrow('length');
    expect(() => matrix.remove(0)).toThrow('no row 0');
    expect(matrix.cosines(aVector())).toHaveLength(0);
  });
});
