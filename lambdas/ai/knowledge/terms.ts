import { hashWord } from '../../lists/words.ts';

// The words of a text for ranking. An error code, a host name or a path counts as a whole and in its parts.

export interface Terms {
  hashes: Int32Array;
  counts: Uint8Array;
  length: number;
}

export const noTerms: Terms = { hashes: new Int32Array(), counts: new Uint8Array(), length: 0 };

export function splitTerms(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const terms: string[] = [];
  for (const [token] of plain.matchAll(/[\p{L}\p{N}]+(?:[-_.:/\\@'’][\p{L}\p{N}]+)*/gu)) {
    const parts = token.split(/[-_.:/\\@'’]/);
    if (parts.length > 1 && !/['’]/.test(token)) terms.push(token);
    for (const part of parts) {
      if ((part.length > 1 && !stopWords.has(part)) || /\d/.test(part)) terms.push(stem(part));
    }
  }
  return terms;
}

export function countTerms(text: string): Terms {
  const counts = new Map<number, number>();
  const terms = splitTerms(text);
  for (const term of terms) {
    const hash = hashWord(term);
    counts.set(hash, Math.min(255, (counts.get(hash) ?? 0) + 1));
  }
  return { hashes: Int32Array.from(counts.keys()), counts: Uint8Array.from(counts.values()), length: terms.length };
}

/** Removes common endings. A wrong stem does no harm, because both texts get the same one. */
function stem(word: string): string {
  if (/\d/.test(word) || word.length < 4) return word;
  const short = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ing|ed|es|s|er|ly|ment)$/, '')
    .replace(/e$/, '');
  return short.length > 3 && short.at(-1) === short.at(-2) ? short.slice(0, -1) : short;
}

const stopWords = new Set(
  (
    'a about after again all also am an and any are as at be been before but by can cant could did didnt do does doesnt ' +
    'dont for from get got had has have here how i if im in into is isnt it its ive just me more my need no not now of ' +
    'off on one only or our out please shall should so some still than that the their them then there these they this ' +
    'those to two up us use using want was we were what when where which who why will with wont would you your'
  ).split(' '),
);
