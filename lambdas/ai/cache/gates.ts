import { createHash } from 'node:crypto';

// What two questions must have in common to have one answer, however similar their vectors are: codes, names, numbers,
// denials and opposites. MiniLM gives the codes 0x80070005 and 0x80070020 a cosine of 0.978. Beyond that, they may
// differ in words that only say how something is asked; another word for the thing itself makes another question.

/** Whether something in the words keeps the two questions apart. */
export function isAnotherQuestion(a: string, b: string): boolean {
  return toGates(a) !== toGates(b);
}

/** Equal for two texts exactly when none of the gates keeps them apart. */
function toGates(text: string): string {
  const kept = new Set<string>();
  for (const [word] of normalizeText(text).matchAll(/[\p{L}\p{N}]+(?:[-_.:/\\'][\p{L}\p{N}]+)*/gu)) {
    if (/\d/.test(word)) kept.add(`#${word}`);
    else if (numberWords.has(word)) kept.add(`#${numberWords.get(word)}`);
    else if (denials.test(word)) kept.add('not');
    else
      for (const part of word.split(/[-_.:/\\]/))
        if (!fillers.has(part) && !fillers.has(toStem(part))) kept.add(same.get(toStem(part)) ?? toStem(part));
  }
  return [...kept].sort().join(' ');
}

/** The text of the exact tier: case, spaces and the end of the sentence do not matter. */
export function normalizeText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[’`]/g, "'").replace(/\s+/g, ' ').trim();
  let end = plain.length;
  while (end > 0 && '?!. '.includes(plain[end - 1] ?? 'x')) end--;
  return plain.slice(0, end);
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

const denials = /^(not|no|never|none|nobody|nothing|without|except|neither|nor|cannot|unable|\w+n't)$/;

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, index]),
);

/** Words without which a question still asks the same. */
const fillers = new Set(
  (
    'a about again also am an and any are as at be been being but by can could did do does doing done for from get gets ' +
    "getting give go going got had happen happens has have having hello help hey hi how i i'd i'm i've if in into is it " +
    "it's its just kindly know let like look make may me might mine must my need needs now of ok on or our please really " +
    's shall she should so some someone somebody step steps tell thank thanks that the their them then there these they ' +
    "they're thing this those to too try trying us use want wants was way ways we were what what's when where which who " +
    'whom why will wish with would you your yours explain show find describe best correct right proper properly quick ' +
    'quickly exactly actually currently'
  ).split(' '),
);

/** Different words for the same thing, by their stems. */
const same = new Map([
  ['repair', 'fix'],
  ['resolv', 'fix'],
  ['solv', 'fix'],
  ['mean', 'mean'],
  ['meaning', 'mean'],
  ['e-mail', 'mail'],
  ['email', 'mail'],
  ['wifi', 'wireless'],
  ['wlan', 'wireless'],
  ['notebook', 'laptop'],
  ['logon', 'login'],
  ['photo', 'picture'],
  ['restart', 'reboot'],
] as [string, string][]);

function toStem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/'s$/, '')
    .replace(/(ies|ied)$/, 'y')
    .replace(/(?<=\w{3})(ing|ed|es|s)$/, '')
    .replace(/(?<=\w{3})e$/, '');
}
