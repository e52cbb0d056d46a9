import type { Vector } from '../embedding/vector.ts';
import { type IncidentFacts, termBytes, termsHeadBytes } from './learned-item.ts';
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
  const masks = new Uint8Array(maskCount);
  let [allWeights, knownWeights] = [0, 0];
  for (const { term, hash, weight: rarity } of kind.weigh(text)) {
    const isKnown = kind.knows(hash);
    const weight = isIdentifier(term) && isKnown ? 3 * rarity : rarity;
    allWeights += weight;
    if (!isKnown) continue;
    knownWeights += weight;
    weights.set(hash, weight);
    masks[hash & (maskCount - 1)] = 1;
  }
  const { averageWords } = kind;
  const cosines = kind.cosines(vector);
  const best: FoundIncident[] = [];
  // Words are compared only where they could still lift a row among the best.
  let minScore = Number.NEGATIVE_INFINITY;
  const compare = (place: number, cosine: number) => {
    const row = kind.rows[place];
    if (!row) return;
    const words =
      knownWeights > 0 ? sumWeights(row, { weights, masks, averageWords }) / (maxCountFactor * allWeights) : 0;
    const score = cosine + wordWeight * words;
    // Facts are decoded for few rows only.
    if (score < minScore || (accepts && !accepts(row.facts, row.id))) return;
    insert(best, { id: row.id, facts: row.facts, cosine, score }, count);
    if (best.length === count) minScore = best.at(-1)?.score ?? minScore;
  };
  // The nearest first: they set a bar that most others cannot reach by words.
  const near = findCosineOfRank(cosines, 4 * count);
  for (let place = 0; place < cosines.length; place++) {
    const cosine = cosines[place] ?? 0;
    if (cosine >= near) compare(place, cosine);
  }
  const reach = allWeights > 0 ? (wordWeight * knownWeights) / allWeights : 0;
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

interface QueryWords {
  weights: ReadonlyMap<number, number>;
  /** By the last bits of a hash: 0 for hashes that no word has. Faster than the map, and most words are not in it. */
  masks: Uint8Array;
  averageWords: number;
}

const maskCount = 4_096;

/** BM25: what a word counts at most, however often it is there. */
const maxCountFactor = 2.2;

function sumWeights(
  { record: { bytes }, termsStart }: Row<IncidentFacts>,
  { weights, masks, averageWords }: QueryWords,
): number {
  const norm = 1.2 * (0.25 + (0.75 * bytes.readUInt16LE(termsStart)) / averageWords);
  const start = termsStart + termsHeadBytes;
  const end = start + termBytes * bytes.readUInt16LE(termsStart + 2);
  let sum = 0;
  for (let place = start; place < end; place += termBytes) {
    const lastBits = (bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8);
    if (masks[lastBits & (maskCount - 1)] === 0) continue;
    const weight = weights.get(bytes.readInt32LE(place));
    const count = bytes[place + 4] ?? 0;
    if (weight !== undefined) sum += (weight * count * maxCountFactor) / (count + norm);
  }
  return sum;
}
