import { hashWord } from '../../lists/words.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { Vector } from '../embedding/vector.ts';
import { VectorMatrix } from '../embedding/vector-matrix.ts';
import {
  type ArticleFacts,
  type Facts,
  type IncidentFacts,
  isForgotten,
  type LearnedBytes,
  type LearnedUnit,
  readFacts,
  readTerms,
  readUnits,
  toLearnedBytes,
} from './learned-item.ts';
import { splitTerms, type Terms } from './terms.ts';

/** The incidents that were learned first are evicted above this number, to bound the memory of an instance (docs/limits.md). */
const maxIncidents = 120_000;

const chunkBytes = 1_000_000;

/** The index of a kind in this list is part of a snapshot. */
const kinds = ['articles', 'incidents'] as const;

/** Everything learned, in the memory of a warm function. */
export class LearnedIndex {
  readonly articles = new LearnedKind<ArticleFacts>();
  readonly incidents = new LearnedKind<IncidentFacts>();
  /** Entries that changed something since the snapshot. */
  changes = 0;
  /** The time of the newest entry. */
  lastAppliedMs = 0;
  private readonly appliedAtMs = new Map<string, number>();

  get size(): number {
    return this.articles.size + this.incidents.size;
  }

  apply(id: string, atMs: number, given: Uint8Array): void {
    if ((this.appliedAtMs.get(id) ?? -1) >= atMs) return;
    const learned = toLearnedBytes(given);
    this.appliedAtMs.set(id, atMs);
    this.changes++;
    this.lastAppliedMs = Math.max(this.lastAppliedMs, atMs);
    this.articles.remove(id);
    this.incidents.remove(id);
    const { kind } = isForgotten(learned) ? {} : readFacts(learned);
    if (kind === 'article') this.articles.add(id, learned);
    if (kind === 'incident') this.incidents.add(id, learned);
    if (this.incidents.size > maxIncidents) this.incidents.removeOldest();
  }

  /**
   * Encodes a snapshot. Per record: total length (4), kind (1), length of the id (1), id, time of its entry (8), and the
   * learned bytes. The last chunk has the word counts, because counting again takes longer than the rest of the decoding.
   */
  *encode(): Iterable<Uint8Array> {
    let entries: Uint8Array[] = [];
    let size = 0;
    for (const [kindNumber, kind] of kinds.entries()) {
      for (const [id, [row]] of this[kind].rowsById) {
        if (!row) continue;
        const entry = encodeEntry(kindNumber, id, this.appliedAtMs.get(id) ?? 0, row.record);
        entries.push(entry);
        size += entry.byteLength;
        if (size < chunkBytes) continue;
        yield Buffer.concat(entries);
        entries = [];
        size = 0;
      }
    }
    if (entries.length > 0) yield Buffer.concat(entries);
    yield Buffer.concat(kinds.map((kind) => this[kind].encodeWordCounts()));
  }

  /** Copies the vectors. Everything else is decoded when it is needed. */
  static decode(chunks: readonly Uint8Array[]): LearnedIndex {
    const index = new LearnedIndex();
    for (const chunk of chunks.slice(0, -1)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let start = 0; start < bytes.length; ) {
        const end = start + bytes.readUInt32LE(start);
        const idEnd = start + 6 + bytes.readUInt8(start + 5);
        const id = bytes.toString('latin1', start + 6, idEnd);
        index.appliedAtMs.set(id, bytes.readDoubleLE(idEnd));
        const kind = requireValue(kinds[bytes.readUInt8(start + 4)]);
        index[kind].addUncounted(id, { bytes, start: idEnd + 8, end });
        start = end;
      }
    }
    const counts = Buffer.from(chunks.at(-1) ?? []);
    let place = 0;
    for (const kind of kinds) place = index[kind].decodeWordCounts(counts, place);
    return index;
  }
}

function encodeEntry(kind: number, id: string, atMs: number, { bytes, start, end }: LearnedBytes): Uint8Array {
  const entry = Buffer.alloc(14 + id.length + end - start);
  entry.writeUInt32LE(entry.length, 0);
  entry.writeUInt8(id.length, entry.writeUInt8(kind, 4));
  const idEnd = 6 + entry.write(id, 6, 'latin1');
  bytes.copy(entry, entry.writeDoubleLE(atMs, idEnd), start, end);
  return entry;
}

export interface LearnedRecord<Own extends Facts> extends LearnedBytes {
  readonly id: string;
  /** Decoded on first use. */
  facts: Own | undefined;
}

export function getFacts<Own extends Facts>(record: LearnedRecord<Own>): Own {
  record.facts ??= readFacts(record) as Own;
  return record.facts;
}

/** A unit of a record. */
export interface Row<Own extends Facts> extends Pick<LearnedUnit, 'level' | 'passage'> {
  readonly record: LearnedRecord<Own>;
  /** Where its words start in the bytes of the record. */
  readonly termsStart: number;
  /** The index of the row and of its vector. It changes when another row is removed. */
  place: number;
}

export function getTerms({ record, termsStart }: Row<Facts>): Terms {
  return readTerms(record.bytes, termsStart);
}

/** How frequent words are in all records of a kind. */
export interface WordStatistics {
  readonly records: number;
  /** The sum of the lengths of all records. */
  readonly words: number;
  countRecords(hash: number): number;
}

/**
 * The learned records of one kind, with the number of records that have each word. If it holds only some records, the word
 * statistics of all of them are given.
 */
export class LearnedKind<Own extends Facts> {
  readonly rows: Row<Own>[] = [];
  readonly rowsById = new Map<string, readonly Row<Own>[]>();
  private readonly recordsWith = new Map<number, number>();
  private words = 0;
  private readonly matrix = new VectorMatrix();
  private readonly statistics: WordStatistics | undefined;

  constructor(statistics?: WordStatistics) {
    this.statistics = statistics;
  }

  get size(): number {
    return this.rowsById.size;
  }

  get averageWords(): number {
    const { records, words } = this.statistics ?? { records: this.size, words: this.words };
    return words / records || 1;
  }

  add(id: string, learned: LearnedBytes): void {
    this.addUncounted(id, learned);
    this.countWords(id, 1);
  }

  /** For a snapshot, which includes the word counts. */
  addUncounted(id: string, learned: LearnedBytes): void {
    const record: LearnedRecord<Own> = { id, ...learned, facts: undefined };
    const rows = readUnits(learned).map(({ level, passage, vectorStart, termsStart }) => {
      return { record, level, passage, termsStart, place: this.matrix.add(learned.bytes, vectorStart) };
    });
    this.rows.push(...rows);
    this.rowsById.set(id, rows);
  }

  remove(id: string): void {
    this.countWords(id, -1);
    for (const row of this.rowsById.get(id) ?? []) {
      this.matrix.remove(row.place);
      const last = this.rows.pop();
      if (last && last !== row) {
        this.rows[row.place] = last;
        last.place = row.place;
      }
    }
    this.rowsById.delete(id);
  }

  removeOldest(): void {
    const [oldest] = this.rowsById.keys();
    if (oldest !== undefined) this.remove(oldest);
  }

  /** The cosine of every row, in the order of the rows. */
  cosines(vector: Vector): Float32Array {
    return this.matrix.cosines(vector);
  }

  /** The distinct words of a text. The rarer a word, the larger its weight. */
  weigh(text: string) {
    const records = this.statistics?.records ?? this.size;
    return [...new Set(splitTerms(text))].map((term) => {
      const hash = hashWord(term);
      const frequency = this.statistics?.countRecords(hash) ?? this.recordsWith.get(hash) ?? 0;
      const weight = Math.log(1 + (records - frequency + 0.5) / (frequency + 0.5));
      return { term, hash, weight, isKnown: frequency > 0 };
    });
  }

  private countWords(id: string, step: 1 | -1): void {
    const whole = this.rowsById.get(id)?.find(({ level }) => level === 'record');
    if (!whole) return;
    const { hashes, length } = getTerms(whole);
    this.words += step * length;
    for (const hash of hashes) {
      const count = (this.recordsWith.get(hash) ?? 0) + step;
      if (count > 0) this.recordsWith.set(hash, count);
      else this.recordsWith.delete(hash);
    }
  }

  /** Number of words (8), number of distinct words (4), and per word its hash (4) and its number of records (4). */
  encodeWordCounts(): Uint8Array {
    const bytes = Buffer.alloc(12 + 8 * this.recordsWith.size);
    let place = bytes.writeUInt32LE(this.recordsWith.size, bytes.writeDoubleLE(this.words, 0));
    for (const [hash, count] of this.recordsWith) place = bytes.writeUInt32LE(count, bytes.writeInt32LE(hash, place));
    return bytes;
  }

  /** Returns where the counts end. */
  decodeWordCounts(bytes: Buffer, start: number): number {
    this.words = bytes.readDoubleLE(start);
    const end = start + 12 + 8 * bytes.readUInt32LE(start + 8);
    for (let place = start + 12; place < end; place += 8) {
      this.recordsWith.set(bytes.readInt32LE(place), bytes.readUInt32LE(place + 4));
    }
    return end;
  }
}
