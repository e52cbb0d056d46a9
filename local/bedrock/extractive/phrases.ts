// Finds phrases of the vocabulary in a question. A phrase is a row of words in their basic form: `a|b` is either, `a?` may be
// missing, `$handle` is any phrase of that class, `=open` is this very form, `..` skips up to three words. Small words and words
// that are used already may stand in between: "nobody has picked up" is "nobody pick up".

import { smallWords } from './english.ts';
import type { Word } from './question-words.ts';
import { classes } from './vocabulary.ts';

export interface Run {
  from: number;
  until: number;
  /** The words that the phrase named, without those that were skipped. */
  places: readonly number[];
}

type Element = { alternatives: readonly (readonly Element[] | string)[]; isOptional: boolean } | 'gap';

const compiled = new Map<string, readonly Element[]>();

export function findPhrase(words: readonly Word[], phrase: string, from = 0): Run | undefined {
  const elements = compile(phrase);
  for (let place = from; place < words.length; place++) {
    const places = match(words, place, elements, []);
    const last = places?.at(-1);
    if (places && last !== undefined) return { from: place, until: last + 1, places };
  }
  return undefined;
}

export function takePhrase(words: readonly Word[], phrase: string, from = 0): Run | undefined {
  const run = findPhrase(words, phrase, from);
  if (run) markUsed(words, run);
  return run;
}

/** Also by words that have been used. */
export function says(words: readonly Word[], phrases: string): boolean {
  const all = words.map((word) => ({ ...word, isFree: true }));
  return list(phrases).some((phrase) => findPhrase(all, phrase) !== undefined);
}

export function markUsed(words: readonly Word[], { places }: Run): void {
  for (const word of places.map((place) => words[place])) if (word) word.isFree = false;
}

function compile(phrase: string): readonly Element[] {
  const known = compiled.get(phrase);
  if (known) return known;
  const elements = phrase.split(' ').map((part): Element => {
    if (part === '..') return 'gap';
    const isOptional = part.endsWith('?');
    const names = (isOptional ? part.slice(0, -1) : part).split('|');
    const alternatives = names.flatMap((name): (readonly Element[] | string)[] =>
      name.startsWith('$') ? list(classes[name.slice(1)] ?? '').map(compile) : [name],
    );
    return { alternatives, isOptional };
  });
  compiled.set(phrase, elements);
  return elements;
}

export function list(phrases: string): string[] {
  return phrases.split(',').map((phrase) => phrase.trim());
}

const maxGap = 3;

/** The places of the words that match from here on; the longest alternative of a class wins. */
function match(
  words: readonly Word[],
  place: number,
  elements: readonly Element[],
  used: readonly number[],
): readonly number[] | undefined {
  const [element, ...rest] = elements;
  if (element === undefined) return used;
  if (element === 'gap') {
    for (let skipped = 0; skipped <= maxGap; skipped++) {
      const found = match(words, place + skipped, rest, used);
      if (found) return found;
    }
    return undefined;
  }
  const starts = used.length === 0 ? [place] : afterSmallWords(words, place);
  for (const start of starts) {
    let best: readonly number[] | undefined;
    for (const alternative of element.alternatives) {
      const here =
        typeof alternative === 'string'
          ? isWord(words[start], alternative)
            ? [...used, start]
            : undefined
          : match(words, start, alternative, used);
      const found = here && match(words, (here.at(-1) ?? start - 1) + 1, rest, here);
      if (found && found.length > (best?.length ?? -1)) best = found;
    }
    if (best) return best;
  }
  return element.isOptional ? match(words, place, rest, used) : undefined;
}

function afterSmallWords(words: readonly Word[], place: number): number[] {
  const starts = [place];
  let next = place;
  for (const { isFree, text } of words.slice(place, place + maxGap)) {
    if (isFree && !smallWords.has(text)) break;
    starts.push(++next);
  }
  return starts;
}

function isWord(word: Word | undefined, wanted: string): boolean {
  if (!word?.isFree) return false;
  return wanted.startsWith('=') ? word.text === wanted.slice(1) : word.text === wanted || word.forms.includes(wanted);
}
