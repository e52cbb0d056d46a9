import { requireValue } from '../../platform/require-value.ts';
import { cosine, dimensions, normalize, packVector, type Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';

// Where a vector is kept, so that similar ones are found without looking at all: random hyperplanes cut the space into
// buckets, several times over. A question looks into its own bucket and into those across the planes that it is nearest
// to, in each of the cuts. With these numbers, of two vectors with cosine 0.95 more than 99.9 of 100 pairs meet
// (test/unit/ai/buckets.test.ts), and all buckets come in one call.

export const tables = 4;
export const planesPerTable = 14;
export const probesPerTable = 25;

/** The bucket of the vector itself, one per table. */
export function listHomeBuckets(vector: Vector): string[] {
  return planes.map((table, number) => formatBucketName(number, toBits(computeMargins(table, vector))));
}

/** The buckets in which similar vectors may be, in each table the most probable first. */
export function listProbedBuckets(vector: Vector): string[] {
  return planes.flatMap((table, number) =>
    probesIn(computeMargins(table, vector)).map((bits) => formatBucketName(number, bits)),
  );
}

function formatBucketName(table: number, bits: number): string {
  return `${table}.${bits}`;
}

function computeMargins(table: readonly Vector[], vector: Vector): number[] {
  return table.map((plane) => cosine(plane, vector));
}

function toBits(margins: readonly number[]): number {
  return margins.reduce((bits, margin, index) => (margin > 0 ? bits | (1 << index) : bits), 0);
}

/**
 * Sets of planes to step across, by the sum of squared distances, smallest first. Each set gives two further ones: with
 * the next plane in addition, and with it in place of the last.
 */
function probesIn(margins: readonly number[]): number[] {
  const home = toBits(margins);
  const order = [...margins.keys()].sort((a, b) => Math.abs(margins[a] ?? 0) - Math.abs(margins[b] ?? 0));
  const costs = order.map((plane) => (margins[plane] ?? 0) ** 2);
  const found = [home];
  const open = [{ cost: costs[0] ?? 0, steps: [0] }];
  while (found.length < probesPerTable && open.length > 0) {
    open.sort((a, b) => a.cost - b.cost);
    const { cost, steps } = requireValue(open.shift());
    found.push(steps.reduce((bits, step) => bits ^ (1 << (order[step] ?? 0)), home));
    const last = steps.at(-1) ?? 0;
    const next = costs[last + 1];
    if (next === undefined) continue;
    open.push({ cost: cost + next, steps: [...steps, last + 1] });
    open.push({ cost: cost - (costs[last] ?? 0) + next, steps: [...steps.slice(0, -1), last + 1] });
  }
  return found;
}

/** Always the same: what one instance stores, another must find. */
const planes: readonly (readonly Vector[])[] = makePlanes(20_260_115);

function makePlanes(seed: number): Vector[][] {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const plane = () => normalize(Float32Array.from({ length: dimensions }, normal));
  return Array.from({ length: tables }, () => Array.from({ length: planesPerTable }, plane));
}

// A sketch is a vector in 64 bytes: one bit for each of 512 planes through the origin, set if the vector lies on its positive
// side. The share of differing bits approximates the angle between two vectors, so distant entries are skipped without
// reading their vectors. A question reads a hundred buckets, so their entries must be small.

const sketchPlanes = 512;

export const sketchBytes = sketchPlanes / 8;

/**
 * Vectors with a cosine of 0.95 are 18° apart and differ in 52 bits, with a standard deviation of 7. One pair in a million
 * differs in more bits than this.
 */
export const maxDifferingBits = 86;

export function toSketch(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(sketchBytes);
  for (const [plane, side] of normals.cosines(vector).entries()) {
    if (side > 0) bytes[plane >> 3] = (bytes[plane >> 3] ?? 0) | (1 << (plane & 7));
  }
  return bytes;
}

export function countDifferingBits(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < sketchBytes; index++) count += bitsIn[(a[index] ?? 0) ^ (b[index] ?? 0)] ?? 0;
  return count;
}

const bitsIn = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** The normals of the planes, with components of 1 and -1. The seed is fixed, because instances share the stored sketches. */
const normals = makeNormals(20_260_117);

function makeNormals(seed: number): VectorMatrix {
  const matrix = new VectorMatrix();
  let state = seed;
  for (let plane = 0; plane < sketchPlanes; plane++) {
    const normal = new Float32Array(dimensions).map(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 31 === 1 ? 1 : -1;
    });
    matrix.add(packVector(normal));
  }
  return matrix;
}
