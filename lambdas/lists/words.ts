// Splits text into the words of full-text search. Records and queries follow the same rules, so matches ignore case and
// accents.

/** The distinct words of the texts, in order of appearance. */
export function splitWords(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of splitPlainWords(text)) words.add(word);
  }
  return words;
}

function splitPlainWords(text: string): readonly string[] {
  // Most texts are ASCII, for which this has the same result and is four times faster.
  if (!beyondAscii.test(text)) return text.toLowerCase().match(asciiWordPattern) ?? [];
  // Upper case first, so that ß equals ss and both small sigmas are equal.
  const plain = text.normalize('NFKD').replace(marks, '').toUpperCase().toLowerCase();
  return plain.match(wordPattern) ?? [];
}

/** A signed 32-bit FNV-1a hash over the code units with a final mix, so that all bits are well distributed. */
export function hashWord(word: string): number {
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

// Further terms of a text, hashed like words: words in a field with a higher weight, frequent words, identifiers, and
// members of a list. Each has a punctuation character, so none can equal a word.

/** A word in a field of a relevance tier. */
export function hashTier(tier: number, word: string): number {
  return hashWord(`${tier}:${word}`);
}

/** A word that occurs at least `frequent` times. */
export function hashFrequent(word: string): number {
  return hashWord(`+${word}`);
}

export const minFrequentCount = 3;

/** Codes such as F5-201 or 10.1.0.53, which must match as a whole. */
export function hashIdentifier(identifier: string): number {
  return hashWord(`#${identifier}`);
}

export function findIdentifiers(text: string): Set<string> {
  // Also matches plain words, which are dropped below: a pattern that required a separator would backtrack on every
  // letter.
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-._:][\p{L}\p{N}]+)*/gu) ?? [];
  return new Set(found.filter((word) => /[-._:]/.test(word) && /\p{N}/u.test(word)));
}

/** A member of a list, compared without case and accents, like words. */
export function hashMember(field: string, member: string): number {
  return hashWord(`${field}=${[...splitWords([member])].join(' ')}`);
}

export function findFrequentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const part of text.split(/\s+/)) {
    for (const word of splitWords([part])) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= minFrequentCount).map(([word]) => word);
}
