// The words of a question in their basic form: contractions are written out, endings and small typing errors removed, as far
// as the vocabulary then knows the word. Every word is used once.
import type { Schema } from '../converse.ts';
import { isEnglish } from './dictionary.ts';
import { contractions, fillerWords, irregular } from './english.ts';
import { isKnownWord, knownWords } from './vocabulary.ts';

export interface Word {
  /** Lower case, without a typing error. */
  text: string;
  /** As the vocabulary has it: "deploying" is "deploy". */
  forms: readonly string[];
  /** Whether the vocabulary or a value of the tools' schemas has it. */
  isKnown: boolean;
  /** Written with a capital letter inside a sentence, or with 's. */
  isName: boolean;
  isOwner: boolean;
  isFree: boolean;
  /** A comma or another mark stands before it. */
  isAfterPause: boolean;
  /** What the question really said, when it was read as another word. */
  correctedFrom?: string;
}

/** A question about one kind of record, and the filters that were read from it so far. */
export interface Reading {
  kind: string;
  words: Word[];
  input: Record<string, unknown>;
  properties: Readonly<Record<string, Schema>>;
  has(name: string): boolean;
  nowMs: number;
}

export function isNoun(text: string, noun: string): boolean {
  return text === noun || text === `${noun}s` || text === `${noun}es` || text === noun.replace(/y$/, 'ies');
}

/** Whether the word is one of these nouns, in the singular or plural. */
export function matchesNoun(word: Word | undefined, nouns = ''): boolean {
  return nouns.split(', ').some((noun) => isNoun(word?.text ?? '', noun));
}

/** Not in the vocabulary. Parts of names from the data are known, but mean nothing on their own. */
export function isForeign({ text, forms }: Word): boolean {
  return ![text, ...forms].some((form) => form !== 'subject' && (isKnownWord(form) || /^\d+$/.test(form)));
}

const token = /[\p{L}\p{N}]+(?:[-_.@+][\p{L}\p{N}]+)*/gu;

/** `own` are words of the data: names of groups, categories, classes. */
export function splitWords(text: string, own: ReadonlySet<string>): Word[] {
  const plain = text
    .replace(/[’`]/g, "'")
    .replace(/^\s*h\w{1,2}(?= (?:many|much)\b)/i, 'how')
    .replace(/>=?\s*(?=\d)/g, 'more than ')
    .replace(/<=?\s*(?=\d)/g, 'less than ');
  const isKnown = (word: string) => own.has(word) || isKnownWord(word);
  const words: Word[] = [];
  for (const [expanded, at] of expand(plain)) {
    if (words.length >= maxWords) break;
    for (const raw of splitJoined(expanded, isKnown)) {
      const lower = raw.toLowerCase();
      const pause = /[,;.!?:]\s*$/.exec(plain.slice(Math.max(0, at - maxPause), at))?.[0] ?? '';
      const isName = at > 0 && /^\p{Lu}\p{Ll}/u.test(raw) && !/[.!?:]/.test(pause);
      const isAfterPause = pause !== '';
      words.push({ ...recognize(lower, isKnown, own, isName), isName, isOwner: false, isFree: true, isAfterPause });
    }
    const last = words.at(-1);
    if (last && /^'s?(?![\p{L}\p{N}])/u.test(plain.slice(at + expanded.length))) last.isOwner = true;
  }
  // "nobody has scheduled": an auxiliary says nothing by itself.
  words.forEach((word, place) => {
    const next =
      words.slice(place + 1, place + 4).find(({ text }) => !/^(not|yet|ever|already|been)$/.test(text))?.text ?? '';
    const isAuxiliary = /^(has|have|had)$/.test(word.text) && (/[a-z]ed$/.test(next) || irregular.has(next));
    if (isAuxiliary) word.forms = [];
  });
  return words;
}

/** Every phrase is looked for at every word, so a long text would take seconds. */
const maxWords = 100;
const maxPause = 10;

/** Words with their places; "what's" and "hasn't" become two words. */
function* expand(text: string): Iterable<[word: string, at: number]> {
  for (const match of text.matchAll(/[\p{L}\p{N}]+(?:[-_.@+'][\p{L}\p{N}]+)*/gu)) {
    const written = contractions.get(match[0].toLowerCase());
    const negated = /^(.+)n't$/i.exec(match[0])?.[1];
    const stem = /^(.+)'(?:s|re|ve|ll|d|m)$/i.exec(match[0])?.[1];
    if (written) for (const word of written.split(' ')) yield [word, match.index];
    else if (negated) for (const word of [negated, 'not']) yield [word, match.index];
    else if (stem) yield [stem, match.index];
    else for (const part of match[0].matchAll(token)) yield [part[0], match.index + part.index];
  }
}

/** "high-risk" is two words; a name such as vpn-gateway-1 is one. */
function splitJoined(word: string, isKnown: (word: string) => boolean): string[] {
  if (!/[-_+]/.test(word) || /[\d@]/.test(word) || isKnown(word.toLowerCase())) return [word];
  const parts = word.split(/[-_+]/);
  return parts.every((part) => bases(part.toLowerCase()).some(isKnown)) ? parts : [word];
}

function recognize(
  word: string,
  isKnown: (word: string) => boolean,
  own: ReadonlySet<string>,
  isName: boolean,
): Pick<Word, 'text' | 'forms' | 'isKnown' | 'correctedFrom'> {
  const forms = bases(word).filter((form) => isKnown(form) || /^\d+$/.test(form));
  if (forms.length > 0) return { text: word, forms, isKnown: true };
  const meant = isName || /\d/.test(word) || isEnglish(word) ? undefined : correct(word, own);
  if (meant === undefined) return { text: word, forms: [], isKnown: false };
  return { text: meant, forms: bases(meant).filter(isKnown), isKnown: true, correctedFrom: word };
}

/** Also with an ending: "incidnets", "resoved". */
function correct(word: string, own: ReadonlySet<string>): string | undefined {
  const endings = ['', 's', 'ed', 'd'].filter((ending) => word.endsWith(ending));
  for (const known of [own, knownWords, fillerWords]) {
    for (const ending of endings) {
      const meant = closest(word.slice(0, word.length - ending.length), known);
      if (meant !== undefined) return ending === 's' ? meant : `${meant}${ending}`;
    }
  }
  return undefined;
}

/** The word itself, then without an ending: breaches, breached, breaching, tries, planned, rising, 1s. */
function bases(word: string): string[] {
  const number = /^(\d+)s$/.exec(word)?.[1];
  if (number) return [number];
  const stems = [/^(.{2,})s$/, /^(.{3,})es$/, /^(.{3,})ed$/, /^(.{2,}e)d$/, /^(.{3,})ing$/]
    .map((ending) => ending.exec(word)?.[1])
    .filter((stem) => stem !== undefined);
  const more = stems.flatMap((stem) => [stem.replace(/(.)\1$/, '$1'), stem.replace(/i$/, 'y'), `${stem}e`]);
  return [word, ...(irregular.get(word)?.split(' ') ?? []), ...stems, ...more];
}

const minCorrected = 5;
/** Longer words may have two errors. */
const minTwoErrors = 8;

/** The nearest known word with the same first letter. */
function closest(word: string, known: Iterable<string>): string | undefined {
  let best: { meant: string; errors: number } | undefined;
  for (const meant of known) {
    const shorter = Math.min(word.length, meant.length);
    const maxErrors = shorter >= minTwoErrors ? 2 : 1;
    if (meant[0] !== word[0] || shorter < minCorrected - 1 || Math.abs(word.length - meant.length) > maxErrors)
      continue;
    // A short word may only have letters that changed places.
    if (shorter < minCorrected && [...word].sort().join() !== [...meant].sort().join()) continue;
    const errors = countErrors(word, meant);
    if (errors <= maxErrors && errors < (best?.errors ?? 3)) best = { meant, errors };
  }
  return best?.meant;
}

/** Letters that are missing, added or wrong, and neighbours that changed places. */
function countErrors(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let to = 1; to <= b.length; to++) {
      const isSame = a[at - 1] === b[to - 1];
      const isSwapped = at > 1 && to > 1 && a[at - 1] === b[to - 2] && a[at - 2] === b[to - 1];
      const [left = 0, above = 0, corner = 0] = [next[to - 1], row[to], row[to - 1]];
      const errors = Math.min(left + 1, above + 1, corner + (isSame ? 0 : 1));
      next.push(isSwapped ? Math.min(errors, (before[to - 2] ?? 0) + 1) : errors);
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
