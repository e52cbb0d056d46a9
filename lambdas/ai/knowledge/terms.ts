import { wordHash } from '../../lists/words.ts';

// The words of a text for ranking: an error code, a host name or a path counts whole as well as in its parts, because
// vectors hardly tell two codes apart.

export interface Terms {
  hashes: Int32Array;
  counts: Uint8Array;
  length: number;
}

export function termsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const terms: string[] = [];
  for (const [token] of plain.matchAll(/[\p{L}\p{N}]+(?:[-_.:/\\][\p{L}\p{N}]+)*/gu)) {
    const parts = token.split(/[-_.:/\\]/);
    if (parts.length > 1) terms.push(token);
    for (const part of parts) if (!stopWords.has(part)) terms.push(stem(part));
  }
  return terms;
}

export function countedTerms(text: string): Terms {
  const counts = new Map<number, number>();
  const terms = termsOf(text);
  for (const term of terms) {
    const hash = wordHash(term);
    counts.set(hash, Math.min(255, (counts.get(hash) ?? 0) + 1));
  }
  return { hashes: Int32Array.from(counts.keys()), counts: Uint8Array.from(counts.values()), length: terms.length };
}

/** Plurals and a few endings, for words without digits; wrong ones are wrong on both sides. */
function stem(word: string): string {
  if (/\d/.test(word) || word.length < 5) return word;
  return word.replace(/(ies|ied)$/, 'y').replace(/(ing|ed|es|s)$/, '');
}

const stopWords = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of ' +
    'on or our shall should so than that the their them then there these they this those to us was we were what when ' +
    'where which who why will with would you your'
  ).split(' '),
);
