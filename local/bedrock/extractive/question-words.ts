// The words of a question. Each word is used once; phrases match in singular and plural, and over small words in between.

export interface Word {
  text: string;
  isFree: boolean;
}

export interface Run {
  from: number;
  until: number;
}

export function splitWords(text: string): Word[] {
  const plain = text.toLowerCase().replace(/['’]s\b/g, '');
  return (plain.match(/[\p{L}\p{N}]+(?:[-_.@][\p{L}\p{N}]+)*/gu) ?? []).map((word) => ({ text: word, isFree: true }));
}

export function listWords(text: string): string[] {
  return splitWords(text).map((word) => word.text);
}

/** Uses up the first free run of these words. */
export function takeRun(words: readonly Word[], phrase: readonly string[]): Run | undefined {
  const run = findRun(words, phrase);
  if (run) for (const word of words.slice(run.from, run.until)) word.isFree = false;
  return run;
}

export function take(words: readonly Word[], phrase: readonly string[]): boolean {
  return takeRun(words, phrase) !== undefined;
}

export function hasPhrase(words: readonly Word[], phrase: string): boolean {
  return findRun(words, phrase.split(' ')) !== undefined;
}

export function findRun(words: readonly Word[], phrase: readonly string[]): Run | undefined {
  for (let from = 0; from < words.length; from++) {
    const until = matchAt(words, from, phrase);
    if (until !== undefined) return { from, until };
  }
  return undefined;
}

/** Where a match that starts here ends. Small words are skipped inside of it: "nobody has picked up". */
function matchAt(words: readonly Word[], from: number, phrase: readonly string[]): number | undefined {
  let place = from;
  for (const [offset, wanted] of phrase.entries()) {
    while (
      offset > 0 &&
      words[place] &&
      !isForm(words[place]?.text ?? '', wanted) &&
      skipped.has(words[place]?.text ?? '')
    )
      place++;
    const word = words[place];
    if (!word?.isFree || !isForm(word.text, wanted)) return undefined;
    place++;
  }
  return place;
}

const skipped = new Set(
  'a an the their its our any some has have had is are was were be been being still yet already currently'.split(' '),
);

export function isForm(text: string, word: string): boolean {
  return text === word || text === `${word}s` || text === `${word}es` || `${text}s` === word;
}
