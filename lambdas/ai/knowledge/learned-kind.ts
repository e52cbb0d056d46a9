import { hashWord } from '../../lists/words.ts';
import type { Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';
import type { Facts, Learned, LearnedUnit } from './learned-item.ts';
import { splitTerms } from './terms.ts';

/** A unit of a record in memory. Its vector is in the matrix, at the same place as the row. */
export interface Row<Own extends Facts> extends Omit<LearnedUnit, 'vector'> {
  id: string;
  facts: Own;
  /** Changes when another row is removed. */
  place: number;
}

/** The distinct words of a query, each with its rarity. */
export type WeightedTerms = readonly { term: string; hash: number; weight: number }[];

/** Everything learned of one kind of record: rows in the order of the vectors, and how many records have each word. */
export class LearnedKind<Own extends Facts> {
  readonly rows: Row<Own>[] = [];
  readonly records = new Map<string, readonly Row<Own>[]>();
  private readonly matrix = new VectorMatrix();
  private readonly recordsWith = new Map<number, number>();
  private words = 0;

  get size(): number {
    return this.records.size;
  }

  get oldest(): string | undefined {
    return this.records.keys().next().value;
  }

  get averageWords(): number {
    return this.words / this.size || 1;
  }

  add(id: string, { facts, units }: Learned): void {
    const rows = units.map(({ level, passage, terms, vector }) => {
      const row = { level, passage, terms, id, facts: facts as Own, place: this.matrix.add(vector) };
      this.rows.push(row);
      this.count(row, 1);
      return row;
    });
    this.records.set(id, rows);
  }

  remove(id: string): void {
    for (const row of this.records.get(id) ?? []) {
      this.count(row, -1);
      this.matrix.remove(row.place);
      const last = this.rows.pop();
      if (last && last !== row) {
        this.rows[row.place] = last;
        last.place = row.place;
      }
    }
    this.records.delete(id);
  }

  /** What `add` got. */
  get(id: string): Learned | undefined {
    const rows = this.records.get(id);
    const facts = rows?.[0]?.facts;
    if (!rows || !facts) return undefined;
    return { facts, units: rows.map((row) => ({ ...row, vector: this.matrix.get(row.place) })) };
  }

  /** The cosine of every row, in the order of the rows. */
  cosines(vector: Vector): Float32Array {
    return this.matrix.cosines(vector);
  }

  /** The rarer a word, the more it weighs. */
  weigh(text: string): WeightedTerms {
    return [...new Set(splitTerms(text))].map((term) => {
      const hash = hashWord(term);
      const frequency = this.recordsWith.get(hash) ?? 0;
      return { term, hash, weight: Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5)) };
    });
  }

  /** Whether any record has the word. */
  knows(hash: number): boolean {
    return (this.recordsWith.get(hash) ?? 0) > 0;
  }

  private count({ level, terms }: Row<Own>, step: 1 | -1): void {
    if (level !== 'record') return;
    this.words += step * terms.length;
    for (const hash of terms.hashes) {
      const count = (this.recordsWith.get(hash) ?? 0) + step;
      if (count > 0) this.recordsWith.set(hash, count);
      else this.recordsWith.delete(hash);
    }
  }
}
