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

// What a replica knows of a text beside its words, as hashes of the same kind among them: which words stand in a field
// that counts for more, which occur often, which identifiers there are, and the members of a list. No word has a sign in
// it, so none of these can be taken for a word.

/** A word in one of the fields of a tier; tiers are numbered as the listing's spec has them. */
export function tierHash(tier: number, word: string): number {
  return wordHash(`${tier}:${word}`);
}

/** A word that occurs at least so many times. */
export function frequentHash(word: string): number {
  return wordHash(`+${word}`);
}

export const frequent = 3;

/** Codes such as F5-201 or 10.1.0.53: to have all of their parts somewhere is not to have them. */
export function identifierHash(identifier: string): number {
  return wordHash(`#${identifier}`);
}

export function identifiersOf(text: string): Set<string> {
  // Words without a separator match, too, and are dropped here: a pattern that fails on them would try each of their letters.
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-._:][\p{L}\p{N}]+)*/gu) ?? [];
  return new Set(found.filter((word) => /[-._:]/.test(word) && /\p{N}/u.test(word)));
}

/** A member of a list, compared in any case and with or without accents, as words are. */
export function memberHash(field: string, member: string): number {
  return wordHash(`${field}=${[...wordsOf([member])].join(' ')}`);
}

/** The words of a text that occur often. */
export function frequentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const part of text.split(/\s+/)) {
    for (const word of wordsOf([part])) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= frequent).map(([word]) => word);
}
