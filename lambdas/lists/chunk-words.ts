import { WordIndex } from './word-index.ts';

// The words of a chunk's rows. Most are in an inverted index, which is compact but immutable. The words of rows that were
// written since it was built are stored row by row and replace those in the index.

export class ChunkWords {
  index = new WordIndex();
  /** The hashes of each row are ascending. */
  private readonly recent = new Map<number, Int32Array>();

  get bytes(): number {
    let bytes = this.index.byteLength;
    for (const { byteLength } of this.recent.values()) bytes += byteLength + recentOverheadBytes;
    return bytes;
  }

  /** The words must be ascending. */
  set(row: number, words: Int32Array): void {
    this.recent.set(row, words);
    if (this.recent.size > maxRecentRows) this.rebuildIndex();
  }

  /** Sets 1 for rows that have the word and 0 for all others. */
  mark(word: number, marks: Uint8Array): void {
    marks.fill(0);
    this.index.mark(word, marks);
    for (const [row, words] of this.recent) marks[row] = includes(words, word) ? 1 : 0;
  }

  /** Moves the recent words into the index. */
  rebuildIndex(): void {
    if (this.recent.size === 0) return;
    this.index = this.index.replaceRows(this.recent);
    this.recent.clear();
  }
}

/**
 * Recent rows make a search slow, because it reads each one, and take four times the memory. Rebuilding the index of a full
 * chunk takes some ten milliseconds.
 */
const maxRecentRows = 1_024;

/** The entry of the map and the array object. */
const recentOverheadBytes = 150;

function includes(words: Int32Array, word: number): boolean {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] ?? 0) < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word;
}
