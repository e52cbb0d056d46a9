// Which rows of a chunk may have a word: a Bloom filter with two bits per word, kept as one bitmap of all rows per bit.
// A query for any number of words reads two bitmaps for each, and about one row in twelve is left to look at per word
// (at some twenty words a row), however large the chunk is.

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
    const place = row >>> 5;
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!;
      this.bitmaps[this.first(word) + place]! |= bit;
      this.bitmaps[this.second(word) + place]! |= bit;
    }
  }

  /** The row forgets these words; it must have no others. */
  remove(row: number, words: Int32Array): void {
    const kept = ~(1 << row);
    const place = row >>> 5;
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!;
      this.bitmaps[this.first(word) + place]! &= kept;
      this.bitmaps[this.second(word) + place]! &= kept;
    }
  }

  /** Keeps the selected rows that may have the word, and returns how many they are. */
  narrow(selection: Uint16Array, count: number, word: number): number {
    const { bitmaps, candidates } = this;
    const first = this.first(word);
    const second = this.second(word);
    for (let place = 0; place < candidates.length; place++) {
      candidates[place] = bitmaps[first + place]! & bitmaps[second + place]!;
    }
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const row = selection[index]!;
      selection[kept] = row;
      kept += (candidates[row >>> 5]! >>> row) & 1;
    }
    return kept;
  }

  private first(word: number): number {
    return (word >>> 25) * this.bitmapLength;
  }

  private second(word: number): number {
    return ((word >>> 18) & 127) * this.bitmapLength;
  }
}

const bitmapCount = 128;
