import { type Chunk, chunkRows, type Filter, selection, selectLive } from './chunk.ts';
import type { Replica } from './replica.ts';
import { frequentHash, identifierHash, identifiersOf, tierHash, wordHash, wordsOf } from './words.ts';

// How well records answer a text: each word counts by how rare it is among the records, and by where it stands. The
// weights of the words are part of the cursor, so that records which come and go between two pages move no others.

export interface Weights {
  /** Of each term, in the order in which the text has them. */
  terms: readonly number[];
  /** Whether all words are wanted. If no record has all of them, half of them are enough. */
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

  /** As a cursor keeps it. */
  toString(): string {
    return `${this.weights.wanted},${this.weights.terms.join(',')}`;
  }

  /** The score of each selected row, at the row's place. */
  score(chunk: Chunk, count: number): Float64Array {
    for (let index = 0; index < count; index++) {
      const row = selection[index]!;
      let score = 0;
      for (const [place, term] of this.terms.entries()) score += this.weights.terms[place]! * term.hits(chunk, row);
      this.scores[row] = score;
    }
    return this.scores;
  }

  /** Keeps rows that have at least half of the words; those that no record has do not count. */
  get half(): Filter {
    const words = this.terms.filter((term, place) => term.isWord && this.weights.terms[place]! > 0);
    return (chunk, count) => {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index]!;
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
  /** In how many records it is. */
  count(): number;
  /** How much of it a row has; 0 is nothing. */
  hits(chunk: Chunk, row: number): number;
}

export function termsOf(replica: Replica, text: string): Term[] {
  const words = [...wordsOf([text])].map((word) => wordTerm(replica, word));
  const identifiers = [...identifiersOf(text)].map((identifier) => identifierTerm(replica, identifier));
  return [...words, ...identifiers];
}

/** Rare words weigh more; one that no record has weighs nothing. */
export function weigh(replica: Replica, terms: readonly Term[]): number[] {
  const records = replica.liveRows;
  return terms.map((term) => {
    const count = term.count();
    return count === 0 ? 0 : Math.round(16 * Math.log2(1 + records / count));
  });
}

export function weightsFrom(text: string): Weights {
  const [wanted, ...terms] = text.split(',');
  return { wanted: wanted as Weights['wanted'], terms: terms.map(Number) };
}

/** What a word is worth beside its place in a tier: that it is there, and that it is there often. */
const plainHit = 1;
const frequentHit = 1;
const identifierHit = 6;
/** The id of the record itself. */
const ownIdHit = 20;

function wordTerm(replica: Replica, word: string): Term {
  const hash = wordHash(word);
  const often = frequentHash(word);
  const tiers = (replica.spec.relevance ?? []).map(({ weight }, tier) => ({ weight, hash: tierHash(tier, word) }));
  const own = replica.rowOf(word.toUpperCase());
  const ownChunk = own === undefined ? undefined : replica.chunks[Math.floor(own / chunkRows)];
  return {
    isWord: true,
    count: () => Math.max(rowsWith(replica, hash), ownChunk ? 1 : 0),
    hits(chunk, row) {
      const isOwn = chunk === ownChunk && own! % chunkRows === row;
      if (!isOwn && !chunk.words.has(row, hash)) return 0;
      let hits = plainHit + (isOwn ? ownIdHit : 0) + (chunk.words.has(row, often) ? frequentHit : 0);
      for (const tier of tiers) if (chunk.words.has(row, tier.hash)) hits += tier.weight;
      return hits;
    },
  };
}

function identifierTerm(replica: Replica, identifier: string): Term {
  const hash = identifierHash(identifier);
  return {
    isWord: false,
    count: () => rowsWith(replica, hash),
    hits: (chunk, row) => (chunk.words.has(row, hash) ? identifierHit : 0),
  };
}

function rowsWith(replica: Replica, hash: number): number {
  return replica.chunks.reduce((sum, chunk) => sum + chunk.words.narrow(selection, selectLive(chunk), [hash]), 0);
}
