import { requireValue } from '../../platform/require-value.ts';
import { dimensions, packVector, type Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';

// Locality-sensitive hashing: finds similar vectors without a scan of all. Random planes divide the space into buckets,
// once per table. A question reads its own bucket and those across the nearest planes in each table, all in one call. Of
// pairs with a cosine of 0.95, more than 99.9% share a bucket (test/unit/ai/buckets.test.ts).
//
// A sketch is a vector in 64 bytes: one bit per plane, set if the vector is on its positive side. The share of differing
// bits approximates the angle of two vectors, so that distant entries are skipped without reading their vectors.

export const tables = 4;
export const planesPerTable = 14;
export const probesPerTable = 25;

const planeCount = 512;

export const sketchBytes = planeCount / 8;

/**
 * Vectors with a cosine of 0.95 are 18° apart and differ in 52 bits, with a standard deviation of 7. One pair in a million
 * differs in more bits than this.
 */
export const maxDifferingBits = 86;

/** The signed distances of a vector to all planes. */
export type Margins = Float32Array;

export function computeMargins(vector: Vector): Margins {
  return planes.cosines(vector);
}

/** The bucket of the vector in each table. */
export function listHomeBuckets(margins: Margins): string[] {
  return splitTables(margins).map((own, table) => `${table}.${toBits(own)}`);
}

/** The buckets that may contain similar vectors, in each table the most probable first. */
export function listProbedBuckets(margins: Margins): string[] {
  return splitTables(margins).flatMap((own, table) => listProbes(own).map((bits) => `${table}.${bits}`));
}

export function toSketch(margins: Margins): Uint8Array {
  const bytes = new Uint8Array(sketchBytes);
  for (const [plane, margin] of margins.entries()) {
    if (margin > 0) bytes[plane >> 3] = (bytes[plane >> 3] ?? 0) | (1 << (plane & 7));
  }
  return bytes;
}

export function countDifferingBits(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < sketchBytes; index++) count += bitCounts[(a[index] ?? 0) ^ (b[index] ?? 0)] ?? 0;
  return count;
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function splitTables(margins: Margins): number[][] {
  return Array.from({ length: tables }, (_, table) => {
    return [...margins.subarray(table * planesPerTable, (table + 1) * planesPerTable)];
  });
}

function toBits(margins: readonly number[]): number {
  return margins.reduce((bits, margin, index) => (margin > 0 ? bits | (1 << index) : bits), 0);
}

/**
 * Enumerates sets of planes to cross by the sum of squared distances, smallest first. Each set has two successors: one
 * adds the next plane, the other replaces the last plane by the next.
 */
function listProbes(margins: readonly number[]): number[] {
  const home = toBits(margins);
  const order = [...margins.keys()].sort((a, b) => Math.abs(margins[a] ?? 0) - Math.abs(margins[b] ?? 0));
  const costs = order.map((plane) => (margins[plane] ?? 0) ** 2);
  const probes = [home];
  const open = [{ cost: costs[0] ?? 0, steps: [0] }];
  while (probes.length < probesPerTable && open.length > 0) {
    open.sort((a, b) => a.cost - b.cost);
    const { cost, steps } = requireValue(open.shift());
    probes.push(steps.reduce((bits, step) => bits ^ (1 << (order[step] ?? 0)), home));
    const last = steps.at(-1) ?? 0;
    const next = costs[last + 1];
    if (next === undefined) continue;
    open.push({ cost: cost + next, steps: [...steps, last + 1] });
    open.push({ cost: cost - (costs[last] ?? 0) + next, steps: [...steps.slice(0, -1), last + 1] });
  }
  return probes;
}

/** Normals with components of 1 and -1. The seed is fixed, because instances share stored buckets and sketches. */
const planes = createPlanes(20_260_117);

function createPlanes(seed: number): VectorMatrix {
  const matrix = new VectorMatrix();
  let state = seed;
  for (let plane = 0; plane < planeCount; plane++) {
    const normal = new Float32Array(dimensions).map(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 31 === 1 ? 1 : -1;
    });
    matrix.add(packVector(normal));
  }
  return matrix;
}
