import { setTimeout as pause } from 'node:timers/promises';
import { shareRuns } from '../../lists/live-replica.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';
import type { CachedVector, CacheStore } from './cache-store.ts';

// The vectors of all cached questions, in the memory of a warm function. Every search reads those that were stored since
// the last one, then scans all.

/** Other instances have other clocks, and their writes take time. */
const overlapMs = 5_000;

/** Packed vectors are inexact. The caller compares the exact ones. */
const tolerance = 0.01;

const maxFound = 16;

const maxFirstWaitMs = 100;

export type FindVectors = (scope: string, vector: Vector, minSimilarity: number) => Promise<string[]>;

/** Finds the keys of the most similar cached questions, best first. */
export function createVectorFinder(store: Pick<CacheStore, 'vectorsSince'>, clock: Clock): FindVectors {
  const matrix = new VectorMatrix();
  const rows: Omit<CachedVector, 'vector'>[] = [];
  const places = new Map<string, number>();
  let seenMs = 0;
  const remove = (place: number) => {
    const { scope, key } = rows[place] as CachedVector;
    matrix.remove(place);
    places.delete(`${scope}#${key}`);
    const last = rows.pop() as CachedVector;
    if (place === rows.length) return;
    rows[place] = last;
    places.set(`${last.scope}#${last.key}`, place);
  };
  const refresh = shareRuns(async () => {
    const nowMs = clock.now();
    for (let place = rows.length - 1; place >= 0; place--) if ((rows[place]?.expiresAtMs ?? 0) <= nowMs) remove(place);
    for (const { vector, ...row } of await store.vectorsSince(seenMs - overlapMs, nowMs)) {
      const id = `${row.scope}#${row.key}`;
      seenMs = Math.max(seenMs, row.createdAtMs);
      const place = places.get(id) ?? matrix.add(vector);
      // An answer that was computed again has a later expiry.
      if ((rows[place]?.expiresAtMs ?? 0) < row.expiresAtMs) rows[place] = row;
      places.set(id, place);
    }
  });
  return async (scope, vector, minSimilarity) => {
    const refreshed = refresh();
    // A cold instance answers the first questions without them.
    if (seenMs === 0) await Promise.race([refreshed, pause(maxFirstWaitMs, undefined, { ref: false })]);
    else await refreshed;
    const found: { key: string; cosine: number }[] = [];
    for (const [place, cosine] of matrix.cosines(vector).entries()) {
      const row = cosine >= minSimilarity - tolerance ? rows[place] : undefined;
      if (row?.scope === scope) found.push({ key: row.key, cosine });
    }
    const best = found.sort((a, b) => b.cosine - a.cosine).slice(0, maxFound);
    return best.map(({ key }) => key);
  };
}
