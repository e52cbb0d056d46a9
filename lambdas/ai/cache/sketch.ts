import { dimensions, packed, type Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';

// A vector in 64 bytes: on which side of each of 512 planes through the origin it lies. The share of sides in which two
// vectors differ is their angle, within a little, so what is far away is left out without looking at the vectors
// themselves. A question reads a hundred buckets, so what is in them has to be small.

const planes = 512;

export const sketchBytes = planes / 8;

/**
 * Vectors with a cosine of 0.95 are 18° apart and differ in 52 sides, give or take 7: more than this is one pair in a
 * million.
 */
export const maxDifferingBits = 86;

export function toSketch(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(sketchBytes);
  for (const [plane, side] of normals.cosines(vector).entries()) {
    if (side > 0) bytes[plane >> 3]! |= 1 << (plane & 7);
  }
  return bytes;
}

export function differing(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < sketchBytes; index++) count += bitsIn[a[index]! ^ b[index]!]!;
  return count;
}

const bitsIn = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Of the planes: all 1 and -1. Always the same, since what one instance stores, another must find. */
const normals = makeNormals(20_260_117);

function makeNormals(seed: number): VectorMatrix {
  const matrix = new VectorMatrix();
  let state = seed;
  for (let plane = 0; plane < planes; plane++) {
    const normal = new Float32Array(dimensions).map(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 31 === 1 ? 1 : -1;
    });
    matrix.add(packed(normal));
  }
  return matrix;
}
