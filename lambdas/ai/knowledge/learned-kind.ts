import { wordHash } from '../../lists/words.ts';
import type { Vector } from '../embedding/vector.ts';
import { VectorArena } from '../embedding/vector-arena.ts';
import { BestFound, type Found } from './best-found.ts';
import type { Facts, Learned } from './learned-item.ts';
import { type Terms, termsOf } from './terms.ts';

// What was learned of one kind of record: an exact scan of all vectors, with a light weight for rare words in common
// (BM25), by which error codes and host names are found that vectors mix up.

export interface Search<Kind extends Facts['kind']> {
  kind: Kind;
  vector: Vector;
  text: string;
  count: number;
  /** Only these; all without it. */
  accepts?(facts: Extract<Facts, { kind: Kind }>, id: string): boolean;
}

/** A vector of the arena, and whose it is. */
interface Row<Own extends Facts> {
  id: string;
  facts: Own;
  passage: number;
  terms: Terms;
  /** Changes when another vector goes. */
  place: number;
}

/** The words of a query with their weights, and what a passage with all of them would reach. */
interface Weighed {
  weights: ReadonlyMap<number, number>;
  most: number;
}

const wordWeight = 0.35;

export class LearnedKind<Kind extends Facts['kind']> {
  private readonly arena = new VectorArena();
  /** In the order of the arena. */
  private readonly rows: Row<Found<Kind>['facts']>[] = [];
  private readonly records = new Map<string, readonly Row<Found<Kind>['facts']>[]>();
  private readonly passagesWith = new Map<number, number>();
  private words = 0;

  get size(): number {
    return this.records.size;
  }

  get oldest(): string | undefined {
    return this.records.keys().next().value;
  }

  /** Whether a search can find anything. */
  has(accepts?: Search<Kind>['accepts']): boolean {
    return accepts ? this.rows.some(({ facts, id }) => accepts(facts, id)) : this.size > 0;
  }

  add(id: string, { facts, passages }: Learned): void {
    const rows = passages.map(({ vector, terms }, passage) => {
      const row = { id, facts: facts as Found<Kind>['facts'], passage, terms, place: this.arena.add(vector) };
      this.rows.push(row);
      this.count(terms, 1);
      return row;
    });
    this.records.set(id, rows);
  }

  remove(id: string): void {
    for (const { place, terms } of this.records.get(id) ?? []) {
      this.arena.remove(place);
      const last = this.rows.pop()!;
      if (last.place !== place) this.rows[place] = last;
      last.place = place;
      this.count(terms, -1);
    }
    this.records.delete(id);
  }

  /** The best, best first: records by their best passage, or passages, of which one record may have several. */
  search({ vector, text, count, accepts }: Search<Kind>, each: 'record' | 'passage'): Found<Kind>[] {
    const words = this.weighed(text);
    const best = new BestFound<Kind>(count, each);
    const cosines = this.arena.cosines(vector);
    // Words are counted only where they could still lift a passage among the best.
    const mostForWords = words.most > 0 ? wordWeight : 0;
    for (let place = 0; place < cosines.length; place++) {
      const cosine = cosines[place]!;
      if (cosine + mostForWords < best.least) continue;
      const { id, facts, passage, terms } = this.rows[place]!;
      if (accepts && !accepts(facts, id)) continue;
      best.offer({ id, facts, passage, cosine, score: cosine + wordWeight * this.common(terms, words) });
    }
    return best.found;
  }

  /** BM25 as a share of what a passage with all of the words would reach. */
  private common({ hashes, counts, length }: Terms, { weights, most }: Weighed): number {
    if (most === 0) return 0;
    const norm = 1.2 * (0.25 + (0.75 * length) / (this.words / this.rows.length || 1));
    let sum = 0;
    for (let index = 0; index < hashes.length; index++) {
      const weight = weights.get(hashes[index]!);
      if (weight !== undefined) sum += (weight * counts[index]! * 2.2) / (counts[index]! + norm);
    }
    return sum / most;
  }

  /** The rarer a word, the more it weighs. */
  private weighed(text: string): Weighed {
    const weights = new Map<number, number>();
    for (const term of termsOf(text)) {
      const hash = wordHash(term);
      const frequency = this.passagesWith.get(hash) ?? 0;
      const rarity = Math.log(1 + (this.rows.length - frequency + 0.5) / (frequency + 0.5));
      // Codes, names of hosts and paths are what people copy from the screen, so they mean exactly that.
      weights.set(hash, /\d|[-_.:/\\]/.test(term) && frequency > 0 ? 3 * rarity : rarity);
    }
    return { weights, most: 2.2 * [...weights.values()].reduce((sum, weight) => sum + weight, 0) };
  }

  private count({ hashes, length }: Terms, step: 1 | -1): void {
    this.words += step * length;
    for (const hash of hashes) this.passagesWith.set(hash, (this.passagesWith.get(hash) ?? 0) + step);
  }
}
