import { type Listing, type ListingSpec, timeColumns } from './listing.ts';
import { WordPool } from './word-pool.ts';

/** Rows per chunk: few enough that what a scan notes about them stays in the processor's cache and fits 16 bits. */
export const chunkRows = 16_384;

export type StringColumn = Uint16Array | Uint32Array;

/** A run of rows, one typed array per column. A replica grows by whole chunks, so it is never copied to grow. */
export class Chunk {
  rows = 0;
  liveRows = 0;
  readonly numberLow = new Uint32Array(chunkRows);
  readonly numberHigh = new Uint8Array(chunkRows);
  /** 0 for a deleted record, which stays known so that an older version of it does not come back. */
  readonly live = new Uint8Array(chunkRows);
  readonly times: readonly Float64Array[];
  /** What no time of the column is below or above; null and deleted records count too. */
  readonly earliest: number[];
  readonly latest: number[];
  readonly enums: readonly Uint8Array[];
  readonly strings: StringColumn[];
  readonly words = new WordPool(chunkRows);

  constructor(spec: ListingSpec) {
    this.times = timeColumns(spec).map(() => new Float64Array(chunkRows));
    this.earliest = this.times.map(() => Number.POSITIVE_INFINITY);
    this.latest = this.times.map(() => Number.NEGATIVE_INFINITY);
    this.enums = Object.keys(spec.enums).map(() => new Uint8Array(chunkRows));
    this.strings = spec.strings.map(() => new Uint16Array(chunkRows));
  }

  get bytes(): number {
    const columns = [this.numberLow, this.numberHigh, this.live, ...this.times, ...this.enums, ...this.strings];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.words.bytes);
  }

  number(row: number): number {
    return this.numberHigh[row]! * 2 ** 32 + this.numberLow[row]!;
  }

  updatedAt(row: number): number {
    return this.times[updatedAtColumn]![row]!;
  }

  append(listing: Listing, codes: readonly number[]): void {
    const row = this.rows++;
    this.numberLow[row] = listing.number % 2 ** 32;
    this.numberHigh[row] = Math.floor(listing.number / 2 ** 32);
    this.write(row, listing, codes);
    if (this.rows === chunkRows) this.words.trim();
  }

  write(row: number, { deleted, times, enums, words }: Listing, codes: readonly number[]): void {
    const live = deleted ? 0 : 1;
    this.liveRows += live - this.live[row]!;
    this.live[row] = live;
    for (let column = 0; column < times.length; column++) this.setTime(column, row, times[column]!);
    for (let column = 0; column < enums.length; column++) this.enums[column]![row] = enums[column]!;
    for (let column = 0; column < codes.length; column++) this.setString(column, row, codes[column]!);
    this.words.set(row, words);
  }

  /** The column has this time now. */
  widen(column: number, time: number): void {
    if (time < this.earliest[column]!) this.earliest[column] = time;
    if (time > this.latest[column]!) this.latest[column] = time;
  }

  /** Fills the first rows of a column of strings. */
  loadStrings(column: number, codes: Uint32Array): void {
    const isWide = codes.some((code) => code > largestNarrowCode);
    if (isWide) this.strings[column] = new Uint32Array(chunkRows);
    this.strings[column]!.set(codes);
  }

  private setTime(column: number, row: number, time: number): void {
    this.times[column]![row] = time;
    this.widen(column, time);
  }

  private setString(column: number, row: number, code: number): void {
    if (code > largestNarrowCode && this.strings[column] instanceof Uint16Array) {
      this.strings[column] = new Uint32Array(this.strings[column]);
    }
    this.strings[column]![row] = code;
  }
}

const updatedAtColumn = 1;
const largestNarrowCode = 65_535;
