// The word hashes of a chunk's rows, stored one row after the other, ascending within a row.

export class WordPool {
  readonly counts: Uint16Array;
  private readonly starts: Int32Array;
  private readonly filter: WordFilter;
  private hashes = new Int32Array(initialCapacity);
  /** Growth factor of the buffer: large while rows are added, small once the chunk is full. */
  private growth = 1.5;
  private used = 0;
  private garbage = 0;

  constructor(rows: number) {
    this.counts = new Uint16Array(rows);
    this.starts = new Int32Array(rows);
    this.filter = new WordFilter(rows);
  }

  get bytes(): number {
    return this.starts.byteLength + this.counts.byteLength + this.hashes.byteLength + this.filter.bytes;
  }

  get(row: number): Int32Array {
    const start = this.starts[row] ?? 0;
    return this.hashes.subarray(start, start + (this.counts[row] ?? 0));
  }

  has(row: number, word: number): boolean {
    let low = this.starts[row] ?? 0;
    let high = low + (this.counts[row] ?? 0);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.hashes[middle] ?? 0;
      if (found === word) return true;
      if (found < word) low = middle + 1;
      else high = middle;
    }
    return false;
  }

  /** The words must be ascending. */
  set(row: number, words: Int32Array): void {
    const before = this.counts[row] ?? 0;
    this.filter.remove(row, this.get(row));
    if (words.length > before) {
      this.garbage += before;
      this.counts[row] = 0;
      this.reserve(words.length);
      this.starts[row] = this.used;
      this.used += words.length;
    } else {
      this.garbage += before - words.length;
    }
    this.hashes.set(words, this.starts[row] ?? 0);
    this.counts[row] = words.length;
    this.filter.add(row, words);
    if (this.garbage > maxGarbage + this.used / 4) this.compact(this.used - this.garbage + spareCapacity);
  }

  /** Releases the space reserved for further rows. */
  trim(): void {
    this.growth = 17 / 16;
    this.compact(this.used - this.garbage);
  }

  /** All words of the first rows, in order, for a snapshot. */
  pack(rows: number): Int32Array {
    let length = 0;
    for (let row = 0; row < rows; row++) length += this.counts[row] ?? 0;
    const packed = new Int32Array(length);
    let position = 0;
    for (let row = 0; row < rows; row++) {
      packed.set(this.get(row), position);
      position += this.counts[row] ?? 0;
    }
    return packed;
  }

  /** Restores the result of `pack`. */
  load(counts: Uint16Array, packed: Int32Array<ArrayBuffer>): void {
    this.counts.set(counts);
    this.hashes = packed;
    this.used = packed.length;
    this.garbage = 0;
    let position = 0;
    for (let row = 0; row < counts.length; row++) {
      this.starts[row] = position;
      position += counts[row] ?? 0;
      this.filter.add(row, this.get(row));
    }
    if (position !== packed.length) throw new Error('the word counts do not match the words');
  }

  /** Keeps the selected rows that have all words and returns their number. */
  narrow(selection: Uint16Array, count: number, words: readonly number[]): number {
    // The Bloom filter is cheap, so apply it for all words before checking rows.
    let left = count;
    for (const word of words) left = this.filter.narrow(selection, left, word);
    for (const word of words) left = this.keepWith(selection, left, word);
    return left;
  }

  private keepWith(selection: Uint16Array, count: number, word: number): number {
    const { starts, counts, hashes } = this;
    // Hashes are uniformly distributed, so this estimates the word's position within a row.
    const share = (word + 2 ** 31) / 2 ** 32;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      const start = starts[row] ?? 0;
      const end = start + (counts[row] ?? 0);
      let position = start + Math.floor(share * (counts[row] ?? 0));
      while (position > start && (hashes[position - 1] ?? 0) >= word) position--;
      while (position < end && (hashes[position] ?? 0) < word) position++;
      if (position < end && hashes[position] === word) selection[kept++] = row;
    }
    return kept;
  }

  private reserve(words: number): void {
    if (this.used + words <= this.hashes.length) return;
    this.compact(Math.ceil((this.used - this.garbage + words) * this.growth));
  }

  private compact(capacity: number): void {
    const hashes = new Int32Array(capacity);
    if (this.garbage === 0) {
      hashes.set(this.hashes.subarray(0, this.used));
      this.hashes = hashes;
      return;
    }
    let used = 0;
    for (let row = 0; row < this.counts.length; row++) {
      const count = this.counts[row] ?? 0;
      if (count === 0) continue;
      hashes.set(this.get(row), used);
      this.starts[row] = used;
      used += count;
    }
    this.hashes = hashes;
    this.used = used;
    this.garbage = 0;
  }
}

const initialCapacity = 1_024;
const maxGarbage = 4_096;
const spareCapacity = 1_024;

// A Bloom filter over the rows of a chunk with two bits per word, stored as one bitmap of all rows per bit. A query
// reads two bitmaps per word and leaves about one row in twelve to check (at about twenty words per row).

export class WordFilter {
  private readonly bitmaps: Int32Array;
  private readonly bitmapLength: number;
  private readonly candidates: Int32Array;

  constructor(rows: number) {
    this.bitmapLength = Math.ceil(rows / 32);
    this.bitmaps = new Int32Array(bitmapCount * this.bitmapLength);
    this.candidates = new Int32Array(this.bitmapLength);
  }

  get bytes(): number {
    return this.bitmaps.byteLength + this.candidates.byteLength;
  }

  add(row: number, words: Int32Array): void {
    const bit = 1 << row;
    const block = row >>> 5;
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? 0;
      this.setBit(this.first(word) + block, bit);
      this.setBit(this.second(word) + block, bit);
    }
  }

  /** Removes all words of a row. */
  remove(row: number, words: Int32Array): void {
    const kept = ~(1 << row);
    const block = row >>> 5;
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? 0;
      this.clearBits(this.first(word) + block, kept);
      this.clearBits(this.second(word) + block, kept);
    }
  }

  /** Keeps the selected rows that may have the word and returns their number. */
  narrow(selection: Uint16Array, count: number, word: number): number {
    const { bitmaps, candidates } = this;
    const first = this.first(word);
    const second = this.second(word);
    for (let block = 0; block < candidates.length; block++) {
      candidates[block] = (bitmaps[first + block] ?? 0) & (bitmaps[second + block] ?? 0);
    }
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      selection[kept] = row;
      kept += ((candidates[row >>> 5] ?? 0) >>> row) & 1;
    }
    return kept;
  }

  private setBit(index: number, bit: number): void {
    this.bitmaps[index] = (this.bitmaps[index] ?? 0) | bit;
  }

  private clearBits(index: number, kept: number): void {
    this.bitmaps[index] = (this.bitmaps[index] ?? 0) & kept;
  }

  private first(word: number): number {
    return (word >>> 25) * this.bitmapLength;
  }

  private second(word: number): number {
    return ((word >>> 18) & 127) * this.bitmapLength;
  }
}

const bitmapCount = 128;
