import { wordHash, wordsOf } from './words.ts';

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
