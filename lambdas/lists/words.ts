// The words that full-text search knows. A record's text and a query pass the same rules, so they meet exactly when the
// query's words occur in the text, whatever their case and accents.

/** The distinct words of the texts, in the order in which they occur. */
export function wordsOf(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of plainWords(text)) words.add(word);
  }
  return words;
}

function plainWords(text: string): readonly string[] {
  // Most texts have no letters but these, for which the rules below come to the same and take four times as long.
  if (!beyondAscii.test(text)) return text.toLowerCase().match(asciiWordPattern) ?? [];
  // Upper case first, because only that way do ß and ss, or the two small sigmas, become one.
  const plain = text.normalize('NFKD').replace(marks, '').toUpperCase().toLowerCase();
  return plain.match(wordPattern) ?? [];
}

/** A signed 32-bit number: FNV-1a over the code units, then mixed so that every bit depends on all of them. */
export function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const beyondAscii = /[^\x20-\x7e\s]/;
const asciiWordPattern = /[a-z0-9]+/g;
const marks = /\p{M}+/gu;
const wordPattern = /[\p{L}\p{N}]+/gu;
