import { type Chunk, chunkRows, type Filter, selection, selectLive } from './chunk.ts';
import type { Replica } from './replica.ts';
import { findIdentifiers, hashFrequent, hashIdentifier, hashTier, hashWord, splitWords } from './words.ts';

// Scores how well records match a text: every word counts by its rarity and by the field it appears in. The cursor
// stores the weights, so records that are added or deleted between two pages do not move others.

export interface Weights {
  /** One per term, in the order of the text. */
  terms: readonly number[];
  /** Whether a record must have all words. If no record has, half of them suffice. */
  wanted: 'all' | 'half';
}

export class Ranking {
  readonly weights: Weights;
  private readonly terms: readonly Term[];
  private readonly scores = new Float64Array(chunkRows);

  constructor(terms: readonly Term[], weights: Weights) {
    this.terms = terms;
    this.weights = weights;
  }

  /** The form stored in a cursor. */
  toString(): string {
    return `${this.weights.wanted},${this.weights.terms.join(',')}`;
  }

  /** The score of each selected row, indexed by row. */
  score(chunk: Chunk, count: number): Float64Array {
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      let score = 0;
      for (const [place, term] of this.terms.entries())
        score += (this.weights.terms[place] ?? 0) * term.hits(chunk, row);
      this.scores[row] = score;
    }
    return this.scores;
  }

  /** Keeps rows with at least half of the words, not counting words that no record has. */
  get half(): Filter {
    const words = this.terms.filter((term, place) => term.isWord && (this.weights.terms[place] ?? 0) > 0);
    return (chunk, count) => {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index] ?? 0;
        let found = 0;
        for (const word of words) found += word.hits(chunk, row) > 0 ? 1 : 0;
        selection[kept] = row;
        kept += found > 0 && found * 2 >= words.length ? 1 : 0;
      }
      return kept;
    };
  }
}

export interface Term {
  isWord: boolean;
  /** The number of records with the term. */
  count(): number;
  /** How strongly a row matches; 0 if not at all. */
  hits(chunk: Chunk, row: number): number;
}

export function toTerms(replica: Replica, text: string): Term[] {
  const words = [...splitWords([text])].map((word) => toWordTerm(replica, word));
  const identifiers = [...findIdentifiers(text)].map((identifier) => toIdentifierTerm(replica, identifier));
  return [...words, ...identifiers];
}

/** Rare words weigh more; a word that no record has weighs nothing. */
export function weigh(replica: Replica, terms: readonly Term[]): number[] {
  const records = replica.liveRows;
  return terms.map((term) => {
    const count = term.count();
    return count === 0 ? 0 : Math.round(16 * Math.log2(1 + records / count));
  });
}

export function parseWeights(text: string): Weights {
  const [wanted, ...terms] = text.split(',');
  return { wanted: wanted as Weights['wanted'], terms: terms.map(Number) };
}

/** Score of a word for occurring at all and for occurring often, in addition to its field's weight. */
const plainHit = 1;
const frequentHit = 1;
const identifierHit = 6;
/** A search for the record's own id. */
const ownIdHit = 20;

function toWordTerm(replica: Replica, word: string): Term {
  const hash = hashWord(word);
  const often = hashFrequent(word);
  const tiers = (replica.spec.relevance ?? []).map(({ weight }, tier) => ({ weight, hash: hashTier(tier, word) }));
  const own = replica.findRow(word.toUpperCase());
  const ownChunk = own === undefined ? undefined : replica.chunks[Math.floor(own / chunkRows)];
  return {
    isWord: true,
    count: () => Math.max(countRowsWith(replica, hash), ownChunk ? 1 : 0),
    hits(chunk, row) {
      const isOwn = chunk === ownChunk && own !== undefined && own % chunkRows === row;
      if (!isOwn && !chunk.words.has(row, hash)) return 0;
      let hits = plainHit + (isOwn ? ownIdHit : 0) + (chunk.words.has(row, often) ? frequentHit : 0);
      for (const tier of tiers) if (chunk.words.has(row, tier.hash)) hits += tier.weight;
      return hits;
    },
  };
}

function toIdentifierTerm(replica: Replica, identifier: string): Term {
  const hash = hashIdentifier(identifier);
  return {
    isWord: false,
    count: () => countRowsWith(replica, hash),
    hits: (chunk, row) => (chunk.words.has(row, hash) ? identifierHit : 0),
  };
}

function countRowsWith(replica: Replica, hash: number): number {
  return replica.chunks.reduce((sum, chunk) => sum + chunk.words.narrow(selection, selectLive(chunk), [hash]), 0);
}
