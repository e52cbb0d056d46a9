// A question word by word. Whoever reads a word as something takes it, so that no word means two things, and what nobody
// took is known in the end.
import { plainWords, stem } from './words.ts';

export interface Word {
  /** In small letters and without accents. */
  plain: string;
  stem: string;
  /** As it was written. */
  written: string;
  /** Places in the question. */
  from: number;
  until: number;
}

/** Words next to each other: places of the first one and of the one after the last. */
export interface Run {
  from: number;
  until: number;
}

const written = /[\p{L}\p{N}]+(?:[._:@/+-]+[\p{L}\p{N}]+)*/gu;

export class Wording {
  readonly text: string;
  readonly words: readonly Word[];
  private readonly taken = new Set<number>();

  constructor(text: string) {
    this.text = text;
    this.words = [...text.matchAll(written)].flatMap(partsOf);
  }

  isFree(place: number): boolean {
    return place >= 0 && place < this.words.length && !this.taken.has(place);
  }

  isFreeRun({ from, until }: Run): boolean {
    for (let place = from; place < until; place++) if (!this.isFree(place)) return false;
    return from < until;
  }

  take({ from, until }: Run): void {
    for (let place = from; place < until; place++) this.taken.add(place);
  }

  /** Takes all words between two places of the question, as a pattern found them. */
  takeText(from: number, until: number): void {
    this.words.forEach((word, place) => {
      if (word.from < until && word.until > from) this.taken.add(place);
    });
  }

  /** Where these words stand next to each other, and nobody took any of them. */
  runsOf(stems: readonly string[]): Run[] {
    if (stems.length === 0) return [];
    return this.words.flatMap((_, from) => {
      const run = { from, until: from + stems.length };
      const fits = stems.every((each, index) => this.words[from + index]?.stem === each);
      return fits && this.isFreeRun(run) ? [run] : [];
    });
  }

  textOf({ from, until }: Run): string {
    const [first, last] = [this.words[from], this.words[until - 1]];
    return first && last ? this.text.slice(first.from, last.until) : '';
  }

  left(): Word[] {
    return this.words.filter((_, place) => this.isFree(place));
  }
}

/** Whether some denial stands before the word, with nothing between the two but small words. */
export function isDenied({ words }: Wording, place: number): boolean {
  for (let before = place - 1; before >= Math.max(0, place - 6); before--) {
    const { plain } = words[before]!;
    if (denials.test(plain) || (plain === 'than' && words[before - 1]?.plain === 'other')) return true;
    if (!between.test(plain)) return false;
  }
  return false;
}

const denials = /^(not|no|non|never|without|except|excluding|excludes?|but|isn|aren|wasn|weren|don|doesn|haven|hasn)$/;
const between =
  /^(the|a|an|t|in|of|at|by|on|to|for|from|is|are|was|were|be|been|being|yet|or|nor|and|any|those|ones|state|status|assigned|owned|with|that|still|currently|team|group)$/;

export const stemsOf = (phrase: string): string[] => plainWords(phrase.replaceAll('_', ' ')).map(sameStem);

/** British and American endings are one, and so are P1 and P1s. */
function sameStem(word: string): string {
  return stem(word)
    .replace(/ll$/, 'l')
    .replace(/^([a-z]\d+)s$/, '$1');
}

/** Parts of a compound are words of their own, unless it is a code or an address. */
function partsOf(match: RegExpExecArray): Word[] {
  const [whole] = match;
  const start = match.index;
  if (/[\d@]/.test(whole)) return [wordAt(whole, start)];
  return [...whole.matchAll(/[\p{L}\p{N}]+/gu)].map((part) => wordAt(part[0], start + part.index));
}

function wordAt(text: string, from: number): Word {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return { plain, stem: sameStem(plain), written: text, from, until: from + text.length };
}
