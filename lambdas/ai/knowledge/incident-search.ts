import type { Vector } from '../embedding/vector.ts';
import type { IncidentFacts } from './learned-item.ts';
import type { LearnedKind, Row } from './learned-kind.ts';
import { isIdentifier } from './terms.ts';

// Finds the incidents nearest to a text: an exact scan of all vectors, with a light weight for rare words in common
// (BM25), which finds error codes and host names that vectors mix up.

export interface IncidentSearch {
  vector: Vector;
  text: string;
  count: number;
  /** Only these; all without it. */
  accepts?(facts: IncidentFacts, id: string): boolean;
}

export interface FoundIncident {
  id: string;
  facts: IncidentFacts;
  cosine: number;
  /** Decides the order: the cosine plus the weight of words in common. */
  score: number;
}

const wordWeight = 0.35;

/** The best incidents, best first. Equal scores go by id, so that the order never depends on who came first. */
export function searchIncidents(
  kind: LearnedKind<IncidentFacts>,
  { vector, text, count, accepts }: IncidentSearch,
): FoundIncident[] {
  const weights = new Map<number, number>();
  for (const { term, hash, weight } of kind.weigh(text)) {
    weights.set(hash, isIdentifier(term) && kind.knows(hash) ? 3 * weight : weight);
  }
  const most = 2.2 * [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const cosines = kind.cosines(vector);
  const best: FoundIncident[] = [];
  // Words are compared only where they could still lift a row among the best.
  let minScore = Number.NEGATIVE_INFINITY;
  const compare = (place: number, cosine: number) => {
    const row = kind.rows[place];
    if (!row || (accepts && !accepts(row.facts, row.id))) return;
    const words = most > 0 ? wordsInCommon(row, weights, kind.averageWords) / most : 0;
    insert(best, { id: row.id, facts: row.facts, cosine, score: cosine + wordWeight * words }, count);
    if (best.length === count) minScore = best.at(-1)?.score ?? minScore;
  };
  // The nearest first: they set a bar that most others cannot reach by words.
  const near = findCosineOfRank(cosines, 4 * count);
  for (let place = 0; place < cosines.length; place++) {
    const cosine = cosines[place] ?? 0;
    if (cosine >= near) compare(place, cosine);
  }
  const reach = most > 0 ? wordWeight : 0;
  for (let place = 0; place < cosines.length; place++) {
    const cosine = cosines[place] ?? 0;
    if (cosine < near && cosine + reach >= minScore) compare(place, cosine);
  }
  return best;
}

/** A cosine that about this many rows reach. */
function findCosineOfRank(cosines: Float32Array, rank: number): number {
  const steps = 1_000;
  const rows = new Uint32Array(2 * steps + 1);
  for (let place = 0; place < cosines.length; place++) {
    const step = Math.max(0, Math.floor(((cosines[place] ?? 0) + 1) * steps));
    rows[step] = (rows[step] ?? 0) + 1;
  }
  let step = 2 * steps;
  for (let above = rows[step] ?? 0; step > 0 && above < rank; above += rows[step] ?? 0) step--;
  return step / steps - 1;
}

function insert(best: FoundIncident[], found: FoundIncident, count: number): void {
  const place = best.findIndex((each) => isBefore(found, each));
  best.splice(place < 0 ? best.length : place, 0, found);
  if (best.length > count) best.pop();
}

function isBefore(a: FoundIncident, b: FoundIncident): boolean {
  return a.score === b.score ? a.id < b.id : a.score > b.score;
}

function wordsInCommon(
  { terms: { hashes, counts, length } }: Row<IncidentFacts>,
  weights: ReadonlyMap<number, number>,
  averageWords: number,
): number {
  const norm = 1.2 * (0.25 + (0.75 * length) / averageWords);
  let sum = 0;
  for (let index = 0; index < hashes.length; index++) {
    const weight = weights.get(hashes[index] ?? 0);
    const count = counts[index] ?? 0;
    if (weight !== undefined) sum += (weight * count * 2.2) / (count + norm);
  }
  return sum;
}
