import { hashWord } from '../../lists/words.ts';
import type { Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';
import { type Facts, type LearnedBytes, type Level, readFacts, readTerms, readUnits } from './learned-item.ts';
import { splitTerms, type Terms } from './terms.ts';

/** What was learned of a record, in the bytes that it was read in. Facts are decoded when somebody asks for them. */
export class LearnedRecord<Own extends Facts> implements LearnedBytes {
  readonly id: string;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  private decoded: Own | undefined;

  constructor(id: string, { bytes, start, end }: LearnedBytes) {
    this.id = id;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  get facts(): Own {
    this.decoded ??= readFacts(this) as Own;
    return this.decoded;
  }
}

/** A unit of a record in memory. Its vector is in the matrix, at the same place as the row. */
export class Row<Own extends Facts> {
  readonly record: LearnedRecord<Own>;
  readonly level: Level;
  readonly passage: number;
  /** Where its words begin in the bytes of the record. */
  readonly termsStart: number;
  /** Changes when another row is removed. */
  place: number;

  constructor(record: LearnedRecord<Own>, level: Level, passage: number, termsStart: number, place: number) {
    this.record = record;
    this.level = level;
    this.passage = passage;
    this.termsStart = termsStart;
    this.place = place;
  }

  get id(): string {
    return this.record.id;
  }

  get facts(): Own {
    return this.record.facts;
  }

  get terms(): Terms {
    return readTerms(this.record.bytes, this.termsStart);
  }
}

/** The distinct words of a query, each with its rarity. */
export type WeightedTerms = readonly { term: string; hash: number; weight: number }[];

/** How many records have each word, and how many words all records have together. */
export class WordStatistics {
  readonly recordsWith = new Map<number, number>();
  words = 0;

  count({ level, terms: { hashes, length } }: Pick<Row<Facts>, 'level' | 'terms'>, step: 1 | -1): void {
    if (level !== 'record') return;
    this.words += step * length;
    for (const hash of hashes) {
      const count = (this.recordsWith.get(hash) ?? 0) + step;
      if (count > 0) this.recordsWith.set(hash, count);
      else this.recordsWith.delete(hash);
    }
  }
}

/** Everything learned of one kind of record: rows in the order of the vectors, and how many records have each word. */
export class LearnedKind<Own extends Facts> {
  readonly rows: Row<Own>[] = [];
  readonly records = new Map<string, readonly Row<Own>[]>();
  statistics = new WordStatistics();
  private readonly matrix = new VectorMatrix();

  get size(): number {
    return this.records.size;
  }

  get oldest(): string | undefined {
    return this.records.keys().next().value;
  }

  get averageWords(): number {
    return this.statistics.words / this.size || 1;
  }

  add(record: LearnedRecord<Own>): void {
    for (const row of this.addUncounted(record)) this.statistics.count(row, 1);
  }

  /** For a snapshot, which brings its own statistics. */
  addUncounted(record: LearnedRecord<Own>): readonly Row<Own>[] {
    const { id, bytes } = record;
    const rows = readUnits(record).map(({ level, passage, vectorStart, termsStart }) => {
      const row = new Row(record, level, passage, termsStart, this.matrix.add(bytes, vectorStart));
      this.rows.push(row);
      return row;
    });
    this.records.set(id, rows);
    return rows;
  }

  remove(id: string): void {
    for (const row of this.records.get(id) ?? []) {
      this.statistics.count(row, -1);
      this.matrix.remove(row.place);
      const last = this.rows.pop();
      if (last && last !== row) {
        this.rows[row.place] = last;
        last.place = row.place;
      }
    }
    this.records.delete(id);
  }

  /** The cosine of every row, in the order of the rows. */
  cosines(vector: Vector): Float32Array {
    return this.matrix.cosines(vector);
  }

  /** The rarer a word, the more it weighs. */
  weigh(text: string): WeightedTerms {
    return [...new Set(splitTerms(text))].map((term) => {
      const hash = hashWord(term);
      const frequency = this.statistics.recordsWith.get(hash) ?? 0;
      return { term, hash, weight: Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5)) };
    });
  }

  /** Whether any record has the word. */
  knows(hash: number): boolean {
    return this.statistics.recordsWith.has(hash);
  }
}
