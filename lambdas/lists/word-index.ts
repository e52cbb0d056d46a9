// An immutable inverted index: for every word of a chunk, the rows that have it. Records share most of their words, so a
// row number takes little more than a byte where the hash of a word takes four.
//
// Bytes: the words in ascending order of their unsigned hash. Per word: the distance from the hash before (varint), the
// number of bytes of its rows (varint), and its rows in ascending order as distances minus one (varints), or as a bitmap
// where that is shorter. The directory holds the hash and the start of every sixteenth word, so that a search reads at
// most sixteen words.

/** Rows are numbered below this. */
const maxRows = 16_384;
const bitmapBytes = maxRows / 8;
const wordsPerBlock = 16;

export class WordIndex {
  private readonly bytes: Uint8Array;
  /** Pairs of a hash and the start of its word. */
  private readonly directory: Uint32Array;
  /** The number of words of all rows. */
  private readonly size: number;

  constructor(bytes = new Uint8Array(), directory = new Uint32Array(), size = 0) {
    this.bytes = bytes;
    this.directory = directory;
    this.size = size;
  }

  get byteLength(): number {
    return this.bytes.byteLength + this.directory.byteLength;
  }

  /** What a snapshot stores. */
  get parts(): { bytes: Uint8Array; directory: Uint32Array; size: number } {
    const { bytes, directory, size } = this;
    return { bytes, directory, size };
  }

  /** Sets 1 for every row that has the word. */
  mark(word: number, marks: Uint8Array): void {
    const hash = word >>> 0;
    const block = this.findBlock(hash);
    if (block < 0) return;
    this.visitBlock(block, (found, start, end) => {
      if (found !== hash) return;
      this.visitRows(start, end, (row) => {
        marks[row] = 1;
      });
    });
  }

  /** A new index in which these rows have these words, which are ascending. */
  replaceRows(rows: ReadonlyMap<number, Int32Array>): WordIndex {
    const added = toKeys(rows);
    // The keys of this index come after a gap as long as the added keys. Merging from the front then never overwrites a key
    // before it was read.
    const keys = new Float64Array(added.length + this.size);
    let end = added.length;
    for (let block = 0; block < this.directory.length / 2; block++) {
      this.visitBlock(block, (hash, start, stop) =>
        this.visitRows(start, stop, (row) => {
          if (!rows.has(row)) keys[end++] = hash * maxRows + row;
        }),
      );
    }
    let position = 0;
    let old = added.length;
    for (const key of added) {
      while (old < end && (keys[old] ?? 0) < key) keys[position++] = keys[old++] ?? 0;
      keys[position++] = key;
    }
    return encodeKeys(keys.subarray(0, end));
  }

  /** The last block that starts at or before the hash; -1 if there is none. */
  private findBlock(hash: number): number {
    let low = 0;
    let high = this.directory.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.directory[2 * middle] ?? 0) <= hash) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private visitBlock(block: number, visit: (hash: number, start: number, end: number) => void): void {
    const { bytes, directory } = this;
    const blockEnd = directory[2 * block + 3] ?? bytes.length;
    let hash = directory[2 * block] ?? 0;
    let position = directory[2 * block + 1] ?? 0;
    const readVarint = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[position++] ?? 0;
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    while (position < blockEnd) {
      hash += readVarint();
      const length = readVarint();
      visit(hash, position, position + length);
      position += length;
    }
  }

  private visitRows(start: number, end: number, visit: (row: number) => void): void {
    const { bytes } = this;
    if (end - start === bitmapBytes) {
      for (let row = 0; row < maxRows; row++) if (((bytes[start + (row >>> 3)] ?? 0) >>> (row & 7)) & 1) visit(row);
      return;
    }
    for (let row = -1, position = start; position < end; ) {
      const byte = bytes[position++] ?? 0;
      row += 1 + (byte < 128 ? byte : (byte & 127) + 128 * (bytes[position++] ?? 0));
      visit(row);
    }
  }
}

/** Hash and row as one number, which sorts by both and is exact as a double. */
function toKeys(rows: ReadonlyMap<number, Int32Array>): Float64Array {
  let length = 0;
  for (const words of rows.values()) length += words.length;
  const keys = new Float64Array(length);
  let position = 0;
  for (const [row, words] of rows) for (const word of words) keys[position++] = (word >>> 0) * maxRows + row;
  return keys.sort();
}

/** The keys must be ascending and distinct. */
function encodeKeys(keys: Float64Array): WordIndex {
  const writer = new IndexWriter(keys.length);
  const rows = new Uint16Array(maxRows);
  for (let first = 0; first < keys.length; ) {
    const hash = Math.floor((keys[first] ?? 0) / maxRows);
    let count = 0;
    while (first < keys.length) {
      const row = (keys[first] ?? 0) - hash * maxRows;
      if (row >= maxRows) break;
      rows[count++] = row;
      first++;
    }
    writer.add(hash, rows.subarray(0, count));
  }
  return writer.toIndex();
}

class IndexWriter {
  private readonly bytes: Uint8Array;
  private readonly directory: number[] = [];
  private readonly size: number;
  private position = 0;
  private words = 0;
  private lastHash = 0;

  constructor(size: number) {
    this.size = size;
    // At most five bytes for the hash, three for the length and two for each row.
    this.bytes = new Uint8Array(10 * size);
  }

  add(hash: number, rows: Uint16Array): void {
    if (this.words++ % wordsPerBlock === 0) {
      this.directory.push(hash, this.position);
      this.lastHash = hash;
    }
    this.varint(hash - this.lastHash);
    this.lastHash = hash;
    let length = 0;
    for (let index = 0, before = -1; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      length += row - before > 128 ? 2 : 1;
      before = row;
    }
    this.varint(Math.min(length, bitmapBytes));
    if (length >= bitmapBytes) this.bitmap(rows);
    else
      for (let index = 0, before = -1; index < rows.length; before = rows[index++] ?? 0)
        this.varint((rows[index] ?? 0) - before - 1);
  }

  toIndex(): WordIndex {
    return new WordIndex(this.bytes.slice(0, this.position), Uint32Array.from(this.directory), this.size);
  }

  private bitmap(rows: Uint16Array): void {
    for (const row of rows) {
      const place = this.position + (row >>> 3);
      this.bytes[place] = (this.bytes[place] ?? 0) | (1 << (row & 7));
    }
    this.position += bitmapBytes;
  }

  private varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bytes[this.position++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.position++] = rest;
  }
}
