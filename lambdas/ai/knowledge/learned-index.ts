import { wordHash } from '../../lists/words.ts';
import { PackedVectors, type Vector } from '../embedding/vector.ts';
import { decodeLearned, type Facts } from './learned-item.ts';
import { type Terms, termsOf } from './terms.ts';

// Everything learned, in the memory of a warm function: an exact scan of all vectors, with a light weight for rare words
// in common (BM25), by which error codes and host names are found that vectors mix up.

export interface Found<Kind extends Facts['kind'] = Facts['kind']> {
  id: string;
  facts: Extract<Facts, { kind: Kind }>;
  /** The place of the best passage within the record. */
  passage: number;
  cosine: number;
  /** What the order goes by: the cosine, and up to `wordWeight` for words in common. */
  score: number;
}

export interface Search<Kind extends Facts['kind']> {
  kind: Kind;
  vector: Vector;
  text: string;
  count: number;
  /** Only these; all without it. */
  accepts?(facts: Extract<Facts, { kind: Kind }>, id: string): boolean;
}

interface Entry {
  atMs: number;
  facts: Facts;
  vectors: PackedVectors;
  terms: readonly Terms[];
}

const wordWeight = 0.35;

/** Resolved incidents beyond this many are forgotten, oldest first: so long a scan would take. */
const mostIncidents = 50_000;

export class LearnedIndex {
  private readonly entries: Readonly<Record<Facts['kind'], Map<string, Entry>>> = {
    article: new Map(),
    incident: new Map(),
  };
  private readonly seen = new Map<string, number>();
  private readonly passagesWith: Record<Facts['kind'], Map<number, number>> = {
    article: new Map(),
    incident: new Map(),
  };
  private passages: Record<Facts['kind'], { count: number; words: number }> = {
    article: { count: 0, words: 0 },
    incident: { count: 0, words: 0 },
  };

  get size(): number {
    return this.entries.article.size + this.entries.incident.size;
  }

  /** Whether a search can find anything. */
  has<Kind extends Facts['kind']>(kind: Kind, accepts?: Search<Kind>['accepts']): boolean {
    if (!accepts) return this.entries[kind].size > 0;
    for (const [id, { facts }] of this.entries[kind]) if (accepts(facts as Found<Kind>['facts'], id)) return true;
    return false;
  }

  knows(id: string, atMs: number): boolean {
    return (this.seen.get(id) ?? -1) >= atMs;
  }

  apply(id: string, atMs: number, bytes: Uint8Array): void {
    if (this.knows(id, atMs)) return;
    this.seen.set(id, atMs);
    for (const kind of ['article', 'incident'] as const) this.remove(kind, id);
    const learned = decodeLearned(bytes);
    if (!learned) return;
    const { facts, passages } = learned;
    const vectors = new PackedVectors(Buffer.concat(passages.map(({ vector }) => vector)));
    const terms = passages.map((passage) => passage.terms);
    this.entries[facts.kind].set(id, { atMs, facts, vectors, terms });
    this.count(facts.kind, terms, 1);
    const { incident } = this.entries;
    if (incident.size > mostIncidents) this.remove('incident', incident.keys().next().value!);
  }

  /** The best records, best first; each once, by its best passage. */
  search<Kind extends Facts['kind']>({ kind, vector, text, count, accepts }: Search<Kind>): Found<Kind>[] {
    const words = this.weighed(kind, text);
    const found: Found<Kind>[] = [];
    for (const [id, entry] of this.entries[kind]) {
      const facts = entry.facts as Found<Kind>['facts'];
      if (accepts && !accepts(facts, id)) continue;
      found.push({ id, facts, ...this.bestPassage(kind, entry, vector, words) });
    }
    return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, count);
  }

  /** The best passages, best first; several of one record may be among them. */
  searchPassages<Kind extends Facts['kind']>({ kind, vector, text, count }: Search<Kind>): Found<Kind>[] {
    const words = this.weighed(kind, text);
    const found: Found<Kind>[] = [];
    for (const [id, entry] of this.entries[kind]) {
      for (let passage = 0; passage < entry.vectors.count; passage++) {
        const facts = entry.facts as Found<Kind>['facts'];
        found.push({ id, facts, ...this.scored(kind, entry, passage, vector, words) });
      }
    }
    return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, count);
  }

  private bestPassage(kind: Facts['kind'], entry: Entry, vector: Vector, words: ReadonlyMap<number, number>) {
    let best = this.scored(kind, entry, 0, vector, words);
    for (let passage = 1; passage < entry.vectors.count; passage++) {
      const other = this.scored(kind, entry, passage, vector, words);
      if (other.score > best.score) best = other;
    }
    return best;
  }

  private scored(
    kind: Facts['kind'],
    { vectors, terms }: Entry,
    passage: number,
    vector: Vector,
    words: ReadonlyMap<number, number>,
  ) {
    const cosine = vectors.cosine(passage, vector);
    return { passage, cosine, score: cosine + wordWeight * this.common(kind, terms[passage]!, words) };
  }

  /** BM25 as a share of what a passage with all of the words would reach. */
  private common(kind: Facts['kind'], { hashes, counts, length }: Terms, words: ReadonlyMap<number, number>): number {
    if (words.size === 0) return 0;
    const { count, words: all } = this.passages[kind];
    const norm = 1.2 * (0.25 + (0.75 * length) / (all / count || 1));
    let sum = 0;
    let most = 0;
    for (const weight of words.values()) most += weight * 2.2;
    for (const [index, hash] of hashes.entries()) {
      const weight = words.get(hash);
      if (weight !== undefined) sum += (weight * counts[index]! * 2.2) / (counts[index]! + norm);
    }
    return sum / most;
  }

  /** The words of a query with their weights: the rarer, the more. */
  private weighed(kind: Facts['kind'], text: string): Map<number, number> {
    const { count } = this.passages[kind];
    const weights = new Map<number, number>();
    for (const term of termsOf(text)) {
      const hash = wordHash(term);
      const frequency = this.passagesWith[kind].get(hash) ?? 0;
      const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
      // Codes, names of hosts and paths are what people copy from the screen, so they mean exactly that.
      weights.set(hash, /\d|[-_.:/\\]/.test(term) && frequency > 0 ? 3 * rarity : rarity);
    }
    return weights;
  }

  private remove(kind: Facts['kind'], id: string): void {
    const entry = this.entries[kind].get(id);
    if (!entry) return;
    this.entries[kind].delete(id);
    this.count(kind, entry.terms, -1);
  }

  private count(kind: Facts['kind'], terms: readonly Terms[], step: 1 | -1): void {
    for (const { hashes, length } of terms) {
      this.passages[kind].count += step;
      this.passages[kind].words += step * length;
      for (const hash of hashes) {
        this.passagesWith[kind].set(hash, (this.passagesWith[kind].get(hash) ?? 0) + step);
      }
    }
  }
}
