import { requireValue } from '../platform/require-value.ts';
import { ChunkWords } from './chunk-words.ts';
import { type Listing, type ListingSpec, listTimeColumns } from './listing.ts';
import { WordIndex } from './word-index.ts';

/** Small enough that the working set of a scan stays in the CPU cache and a row number fits 16 bits. */
export const chunkRows = 16_384;

export type StringColumn = Uint16Array | Uint32Array;

/** A block of rows, one typed array per column. A replica grows by whole chunks, so growing never copies rows. */
export class Chunk {
  rows = 0;
  liveRows = 0;
  readonly numberLow = new Uint32Array(chunkRows);
  readonly numberHigh = new Uint8Array(chunkRows);
  /** 0 for a deleted record. It stays in the replica so that an older version cannot restore it. */
  readonly live = new Uint8Array(chunkRows);
  readonly times: readonly Float64Array[];
  /** Lower and upper bound of each time column, including null and deleted rows. */
  readonly earliest: number[];
  readonly latest: number[];
  readonly enums: readonly Uint8Array[];
  readonly strings: StringColumn[];
  readonly words = new ChunkWords();

  constructor(spec: ListingSpec) {
    this.times = listTimeColumns(spec).map(() => new Float64Array(chunkRows));
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
    return (this.numberHigh[row] ?? 0) * 2 ** 32 + (this.numberLow[row] ?? 0);
  }

  updatedAt(row: number): number {
    return this.times[updatedAtColumn]?.[row] ?? 0;
  }

  append(listing: Listing, codes: readonly number[]): void {
    const row = this.rows++;
    this.numberLow[row] = listing.number % 2 ** 32;
    this.numberHigh[row] = Math.floor(listing.number / 2 ** 32);
    this.write(row, listing, codes);
    if (this.rows === chunkRows) this.words.rebuildIndex();
  }

  write(row: number, { deleted, times, enums, words }: Listing, codes: readonly number[]): void {
    const live = deleted ? 0 : 1;
    this.liveRows += live - (this.live[row] ?? 0);
    this.live[row] = live;
    for (let column = 0; column < times.length; column++) this.setTime(column, row, requireValue(times[column]));
    for (let column = 0; column < enums.length; column++)
      requireValue(this.enums[column])[row] = requireValue(enums[column]);
    for (let column = 0; column < codes.length; column++) this.setString(column, row, codes[column] ?? 0);
    this.words.set(row, words);
  }

  widen(column: number, time: number): void {
    if (time < (this.earliest[column] ?? 0)) this.earliest[column] = time;
    if (time > (this.latest[column] ?? 0)) this.latest[column] = time;
  }

  loadStrings(column: number, codes: Uint32Array): void {
    const isWide = codes.some((code) => code > maxNarrowCode);
    if (isWide) this.strings[column] = new Uint32Array(chunkRows);
    requireValue(this.strings[column]).set(codes);
  }

  private setTime(column: number, row: number, time: number): void {
    requireValue(this.times[column])[row] = time;
    this.widen(column, time);
  }

  private setString(column: number, row: number, code: number): void {
    if (code > maxNarrowCode && this.strings[column] instanceof Uint16Array) {
      this.strings[column] = new Uint32Array(this.strings[column]);
    }
    requireValue(this.strings[column])[row] = code;
  }
}

const updatedAtColumn = 1;
const maxNarrowCode = 65_535;

/** Keeps the selected rows that pass and returns their number. */
export type Filter = (chunk: Chunk, count: number) => number;

/** The rows of a chunk that have passed all filters so far. Scans are synchronous, so they can share this buffer. */
export const selection = new Uint16Array(chunkRows);

const allRows = Uint16Array.from({ length: chunkRows }, (_, row) => row);

/** Selects all rows that are not deleted and returns their number. */
export function selectLive({ live, rows, liveRows }: Chunk): number {
  if (rows === liveRows) {
    selection.set(allRows);
    return rows;
  }
  let count = 0;
  for (let row = 0; row < rows; row++) {
    selection[count] = row;
    count += live[row] ?? 0;
  }
  return count;
}

// A chunk as bytes: its columns one after the other, each aligned to eight bytes so that it can be read in place.
// Lambda and all supported machines are little-endian.

/** `renumber` replaces the codes of a string column. */
export function encodeChunk(chunk: Chunk, renumber: (codes: StringColumn, column: number) => Uint32Array): Uint8Array {
  const { rows } = chunk;
  chunk.words.rebuildIndex();
  const { bytes: words, directory, size } = chunk.words.index.parts;
  const columns = [
    Uint32Array.of(rows, size, directory.length, words.length),
    chunk.numberLow.subarray(0, rows),
    chunk.numberHigh.subarray(0, rows),
    chunk.live.subarray(0, rows),
    ...chunk.times.map((column) => column.subarray(0, rows)),
    ...chunk.enums.map((column) => column.subarray(0, rows)),
    ...chunk.strings.map((codes, column) => renumber(codes.subarray(0, rows), column)),
    directory,
    words,
  ];
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + alignTo8(byteLength), 0));
  let position = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), position);
    position += alignTo8(byteLength);
  }
  return bytes;
}

/** The bytes must be aligned to eight and contain one complete chunk of this spec. */
export function decodeChunk(spec: ListingSpec, bytes: Uint8Array): Chunk {
  const reader = new ColumnReader(bytes);
  const [rows = 0, size, directoryLength = 0, wordBytes = 0] = reader.next(Uint32Array, 4);
  if (rows > chunkRows) throw new Error(`a chunk of a snapshot has ${rows} rows`);
  const chunk = new Chunk(spec);
  chunk.rows = rows;
  chunk.numberLow.set(reader.next(Uint32Array, rows));
  chunk.numberHigh.set(reader.next(Uint8Array, rows));
  chunk.live.set(reader.next(Uint8Array, rows));
  chunk.liveRows = chunk.live.reduce((sum, live) => sum + live, 0);
  for (const [index, column] of chunk.times.entries()) {
    column.set(reader.next(Float64Array, rows));
    for (let row = 0; row < rows; row++) chunk.widen(index, column[row] ?? 0);
  }
  for (const column of chunk.enums) column.set(reader.next(Uint8Array, rows));
  for (const index of chunk.strings.keys()) chunk.loadStrings(index, reader.next(Uint32Array, rows));
  const directory = reader.next(Uint32Array, directoryLength).slice();
  chunk.words.index = new WordIndex(reader.next(Uint8Array, wordBytes).slice(), directory, size);
  reader.end();
  return chunk;
}

function alignTo8(length: number): number {
  return Math.ceil(length / 8) * 8;
}

interface ColumnType<Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Column;
}

class ColumnReader {
  private readonly bytes: Uint8Array;
  private position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next<Column>(type: ColumnType<Column>, length: number): Column {
    const size = length * type.BYTES_PER_ELEMENT;
    if (this.position + size > this.bytes.byteLength) throw new Error('a chunk of a snapshot is too short');
    const column = new type(this.bytes.buffer, this.bytes.byteOffset + this.position, length);
    this.position += alignTo8(size);
    return column;
  }

  end(): void {
    if (this.position !== this.bytes.byteLength) throw new Error('a chunk of a snapshot is too long');
  }
}
