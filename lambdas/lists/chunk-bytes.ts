import { Chunk, chunkRows } from './chunk.ts';
import type { ListingSpec } from './listing.ts';

// A chunk as the bytes of its columns, one behind the other, each beginning at a multiple of eight so that it can be
// read in place. Lambda and every machine that this runs on are little-endian.

export function chunkBytes(chunk: Chunk): Uint8Array {
  const { rows } = chunk;
  const words = chunk.words.packed(rows);
  const columns = [
    Uint32Array.of(rows, words.length),
    chunk.numberLow.subarray(0, rows),
    chunk.numberHigh.subarray(0, rows),
    chunk.live.subarray(0, rows),
    ...chunk.times.map((column) => column.subarray(0, rows)),
    ...chunk.enums.map((column) => column.subarray(0, rows)),
    ...chunk.strings.map((column) => Uint32Array.from(column.subarray(0, rows))),
    chunk.words.counts.subarray(0, rows),
    words,
  ];
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0));
  let position = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), position);
    position += aligned(byteLength);
  }
  return bytes;
}

/** The bytes must begin at a multiple of eight, and be a chunk of this spec, whole and unchanged. */
export function chunkFrom(spec: ListingSpec, bytes: Uint8Array): Chunk {
  const reader = new ColumnReader(bytes);
  const [rows, wordCount] = reader.next(Uint32Array, 2) as Uint32Array & [number, number];
  if (rows > chunkRows) throw new Error(`a chunk of a snapshot has ${rows} rows`);
  const chunk = new Chunk(spec);
  chunk.rows = rows;
  chunk.numberLow.set(reader.next(Uint32Array, rows));
  chunk.numberHigh.set(reader.next(Uint8Array, rows));
  chunk.live.set(reader.next(Uint8Array, rows));
  chunk.liveRows = chunk.live.reduce((sum, live) => sum + live, 0);
  for (const [index, column] of chunk.times.entries()) {
    column.set(reader.next(Float64Array, rows));
    for (let row = 0; row < rows; row++) chunk.widen(index, column[row]!);
  }
  for (const column of chunk.enums) column.set(reader.next(Uint8Array, rows));
  for (const index of chunk.strings.keys()) chunk.loadStrings(index, reader.next(Uint32Array, rows));
  const counts = reader.next(Uint16Array, rows);
  chunk.words.load(counts, Int32Array.from(reader.next(Int32Array, wordCount)));
  reader.end();
  return chunk;
}

function aligned(length: number): number {
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
    this.position += aligned(size);
    return column;
  }

  end(): void {
    if (this.position !== this.bytes.byteLength) throw new Error('a chunk of a snapshot is too long');
  }
}
