import type { Vector } from '../embedding/vector.ts';
import { getFacts, type LearnedKind, type Row } from './learned-index.ts';
import { type IncidentFacts, termBytes, termsHeadBytes } from './learned-item.ts';

// Finds the incidents most similar to a text by an exact scan of all vectors. Rare words in common (BM25) add to the
// score, because vectors hardly tell error codes and host names apart.

export interface IncidentSearch {
  vector: Vector;
  text: string;
  count: number;
  /** By default, all incidents are accepted. */
  accepts?(facts: IncidentFacts, id: string): boolean;
}

/** Each given value must be equal. */
export interface IncidentFilter extends Partial<Pick<IncidentFacts, 'open' | 'has_resolution' | 'category'>> {
  /** Leaves out one incident. */
  exceptId?: string;
}

export function createFilter({ exceptId, ...wanted }: IncidentFilter): Required<IncidentSearch>['accepts'] {
  const values = Object.entries(wanted) as [keyof typeof wanted, unknown][];
  return (facts, id) => id !== exceptId && values.every(([name, value]) => facts[name] === value);
}

export interface FoundIncident {
  id: string;
  facts: IncidentFacts;
  cosine: number;
  /** The cosine plus the weight of words in common. */
  score: number;
}

const wordWeight = 0.35;

/** Best first. The id decides between equal scores, so the order does not depend on the order of the rows. */
export function searchIncidents(
  kind: LearnedKind<IncidentFacts>,
  { vector, text, count, accepts }: IncidentSearch,
): FoundIncident[] {
  const weights = new Map<number, number>();
  const masks = new Uint8Array(maskCount);
  let [allWeights, knownWeights] = [0, 0];
  for (const { hash, isKnown, weight } of weighWords(kind, text)) {
    allWeights += weight;
    if (!isKnown) continue;
    knownWeights += weight;
    weights.set(hash, weight);
    masks[hash & (maskCount - 1)] = 1;
  }
  const { averageWords } = kind;
  const cosines = kind.cosines(vector);
  const best: FoundIncident[] = [];
  let minScore = Number.NEGATIVE_INFINITY;
  const compare = (place: number, cosine: number) => {
    const row = kind.rows[place];
    if (!row) return;
    const words =
      knownWeights > 0 ? sumWeights(row, { weights, masks, averageWords }) / (maxCountFactor * allWeights) : 0;
    const score = cosine + wordWeight * words;
    if (score < minScore) return;
    const { id } = row.record;
    const facts = getFacts(row.record);
    if (accepts && !accepts(facts, id)) return;
    insert(best, { id, facts, cosine, score }, count);
    if (best.length === count) minScore = best.at(-1)?.score ?? minScore;
  };
  // Compare the nearest rows first. Most of the others cannot reach the resulting minimum by their words.
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

/** People copy codes, host names and numbers exactly. */
export function weighWords(kind: LearnedKind<IncidentFacts>, text: string) {
  return kind.weigh(text).map(({ term, hash, isKnown, weight }) => {
    return { hash, isKnown, weight: isKnown && /\d/.test(term) ? 3 * weight : weight };
  });
}

/** The highest score of an incident with this cosine and this share of the weight of all words. */
export function toMaxScore(cosine: number, share: number): number {
  return cosine + wordWeight * share;
}

/** Returns a cosine that about `rank` rows reach. */
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
  const { score, id } = found;
  const place = best.findIndex((each) => score > each.score || (score === each.score && id < each.id));
  best.splice(place < 0 ? best.length : place, 0, found);
  if (best.length > count) best.pop();
}

interface QueryWords {
  weights: ReadonlyMap<number, number>;
  /** 0 where no word of the query has these last bits of the hash. Faster than the map, which few words are in. */
  masks: Uint8Array;
  averageWords: number;
}

const maskCount = 4_096;

/** BM25: the limit of the factor for the count of a word. */
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
