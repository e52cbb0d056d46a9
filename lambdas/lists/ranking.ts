import { type Chunk, chunkRows, type Filter, selection, selectLive } from './chunk.ts';
import { keepWithWords } from './filters.ts';
import type { Position } from './list-engine.ts';
import type { Replica } from './replica.ts';
import { findIdentifiers, hashFrequent, hashIdentifier, hashTier, hashWord, splitWords } from './words.ts';

// Finds one page among many rows without sorting all of them. Candidates are added to a buffer. When it is full, all rows
// after the last needed rank are dropped, and later rows beyond that rank are skipped. The cost per row is constant, in
// any order of arrival.

export class BestRows {
  private readonly values: Float64Array;
  private readonly numbers: Float64Array;
  private readonly maxRows: number;
  private count = 0;
  /** Rows at or after this position cannot be on the page. */
  private endValue = Number.POSITIVE_INFINITY;
  private endNumber = Number.POSITIVE_INFINITY;

  /** `maxRows` is the number of leading rows to find, `rows` the maximum number of rows offered. */
  constructor(maxRows: number, rows: number) {
    this.maxRows = maxRows;
    const capacity = Math.max(1, Math.min(rows, Math.max(minBufferRows, 2 * maxRows)));
    this.values = new Float64Array(capacity);
    this.numbers = new Float64Array(capacity);
  }

  /** Rows with a value beyond this cannot be on the page. */
  get lastValue(): number {
    return this.endValue;
  }

  /** Offers the selected rows of a chunk that come after `start`. Sign -1 reverses the order. */
  offer(rows: OfferedRows, start: Position, sign: 1 | -1): void {
    const { selection, count, column, numberLow, numberHigh } = rows;
    const startValue = start.value;
    let { endValue, endNumber } = this;
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      const value = sign * (column[row] ?? 0);
      if (value < startValue || value > endValue) continue;
      const number = sign * ((numberHigh[row] ?? 0) * 2 ** 32 + (numberLow[row] ?? 0));
      if (value === startValue && number <= start.number) continue;
      if (value === endValue && number >= endNumber) continue;
      if (this.count === this.values.length) {
        this.discard();
        ({ endValue, endNumber } = this);
        if (value > endValue || (value === endValue && number >= endNumber)) continue;
      }
      this.values[this.count] = value;
      this.numbers[this.count++] = number;
    }
  }

  /** The rows with ranks in [from, to), in order. Ranks start at 0. */
  ranks(from: number, to: number): Position[] {
    const end = Math.min(to, this.count);
    if (from >= end) return [];
    if (end < this.count) this.select(0, this.count, end);
    if (from > 0) this.select(0, end, from);
    const positions = Array.from({ length: end - from }, (_, index) => ({
      value: this.values[from + index] ?? 0,
      number: this.numbers[from + index] ?? 0,
    }));
    return positions.sort((a, b) => a.value - b.value || a.number - b.number);
  }

  private discard(): void {
    this.select(0, this.count, this.maxRows - 1);
    this.count = this.maxRows;
    this.endValue = this.values[this.maxRows - 1] ?? 0;
    this.endNumber = this.numbers[this.maxRows - 1] ?? 0;
  }

  /** Quickselect: moves the element with the given rank into place, smaller ones before it and larger ones after it. */
  private select(first: number, end: number, rank: number): void {
    let low = first;
    let high = end - 1;
    while (low < high) {
      this.moveMedianToMiddle(low, high);
      const middle = (low + high) >>> 1;
      const value = this.values[middle] ?? 0;
      const number = this.numbers[middle] ?? 0;
      let left = low;
      let right = high;
      while (left <= right) {
        while (this.isBefore(left, value, number)) left++;
        while (this.isAfter(right, value, number)) right--;
        if (left <= right) this.swap(left++, right--);
      }
      if (rank <= right) high = right;
      else if (rank >= left) low = left;
      else return;
    }
  }

  private moveMedianToMiddle(low: number, high: number): void {
    const middle = (low + high) >>> 1;
    const before = (a: number, b: number) => this.isBefore(a, this.values[b] ?? 0, this.numbers[b] ?? 0);
    if (before(middle, low)) this.swap(middle, low);
    if (before(high, low)) this.swap(high, low);
    if (before(high, middle)) this.swap(high, middle);
  }

  private isBefore(index: number, value: number, number: number): boolean {
    const own = this.values[index] ?? 0;
    return own < value || (own === value && (this.numbers[index] ?? 0) < number);
  }

  private isAfter(index: number, value: number, number: number): boolean {
    const own = this.values[index] ?? 0;
    return own > value || (own === value && (this.numbers[index] ?? 0) > number);
  }

  private swap(a: number, b: number): void {
    const { values, numbers } = this;
    const value = values[a] ?? 0;
    values[a] = values[b] ?? 0;
    values[b] = value;
    const number = numbers[a] ?? 0;
    numbers[a] = numbers[b] ?? 0;
    numbers[b] = number;
  }
}

interface OfferedRows {
  selection: Uint16Array;
  count: number;
  column: Float64Array | Uint8Array;
  numberLow: Uint32Array;
  numberHigh: Uint8Array;
}

const minBufferRows = 4_096;

// Scores how well records match a text: every word counts by its rarity and by the field it appears in. The cursor
// stores the weights, so records that are added or deleted between two pages do not move others.

interface Weights {
  /** One per term, in the order of the text. */
  terms: readonly number[];
  /** Whether a record must have all words. If no record has all of them, half of the words suffice. */
  required: 'all' | 'half';
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
    return `${this.weights.required},${this.weights.terms.join(',')}`;
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

interface Term {
  isWord: boolean;
  /** The number of records with the term. */
  count(): number;
  /** The score of a row; 0 if it does not match. */
  hits(chunk: Chunk, row: number): number;
}

export function toTerms(replica: Replica, text: string): Term[] {
  const words = [...splitWords([text])].map((word) => toWordTerm(replica, word));
  const identifiers = [...findIdentifiers(text)].map((identifier) => toIdentifierTerm(replica, identifier));
  return [...words, ...identifiers];
}

/** Rare words have a higher weight; a word that no record has weighs nothing. */
export function computeWeights(replica: Replica, terms: readonly Term[]): number[] {
  const records = replica.liveRows;
  return terms.map((term) => toWeight(records, term.count()));
}

export function toWeight(records: number, count: number): number {
  return count === 0 ? 0 : Math.round(16 * Math.log2(1 + records / count));
}

export function parseWeights(text: string): Weights {
  const [required, ...terms] = text.split(',');
  return { required: required as Weights['required'], terms: terms.map(Number) };
}

/** Scores of a word that occurs, and of a word that occurs often, in addition to its field's weight. */
export const plainHit = 1;
export const frequentHit = 1;
export const identifierHit = 6;
/** A search for the record's own id. */
export const ownIdHit = 20;

function toWordTerm(replica: Replica, word: string): Term {
  const hash = hashWord(word);
  const hasWord = markRows(hash);
  const hasOften = markRows(hashFrequent(word));
  const tiers = (replica.spec.relevance ?? []).map(({ weight }, tier) => ({
    weight,
    hasWord: markRows(hashTier(tier, word)),
  }));
  const own = replica.findRow(word.toUpperCase());
  const chunk = own === undefined ? undefined : replica.chunks[Math.floor(own / chunkRows)];
  // A deleted record counts for nothing.
  const ownChunk = chunk?.live[(own ?? 0) % chunkRows] === 1 ? chunk : undefined;
  return {
    isWord: true,
    count: () => Math.max(countRowsWith(replica, hash), ownChunk ? 1 : 0),
    hits(chunk, row) {
      const isOwn = chunk === ownChunk && own !== undefined && own % chunkRows === row;
      if (!isOwn && !hasWord(chunk)[row]) return 0;
      let hits = plainHit + (isOwn ? ownIdHit : 0) + (hasOften(chunk)[row] ? frequentHit : 0);
      for (const tier of tiers) if (tier.hasWord(chunk)[row]) hits += tier.weight;
      return hits;
    },
  };
}

function toIdentifierTerm(replica: Replica, identifier: string): Term {
  const hash = hashIdentifier(identifier);
  const hasIdentifier = markRows(hash);
  return {
    isWord: false,
    count: () => countRowsWith(replica, hash),
    hits: (chunk, row) => (hasIdentifier(chunk)[row] ? identifierHit : 0),
  };
}

/** The rows of a chunk that have the word. Computed once per chunk, because a scan reads one chunk after the other. */
function markRows(hash: number): (chunk: Chunk) => Uint8Array {
  const marks = new Uint8Array(chunkRows);
  let current: Chunk | undefined;
  return (chunk) => {
    if (chunk !== current) chunk.words.mark(hash, marks);
    current = chunk;
    return marks;
  };
}

function countRowsWith(replica: Replica, hash: number): number {
  return replica.chunks.reduce((sum, chunk) => sum + keepWithWords(chunk, selectLive(chunk), [hash]), 0);
}
