import { createHash } from 'node:crypto';

// Similar vectors do not make two questions equal: the codes 0x80070005 and 0x80070020 have a cosine of 0.978. Equal
// questions have the same codes, names, numbers, negations and other words that matter. They may differ in words that only
// phrase the question.

export function isSameQuestion(a: string, b: string): boolean {
  return toKeyWords(a) === toKeyWords(b);
}

function toKeyWords(text: string): string {
  const keyWords = new Set<string>();
  for (const [word] of normalizeText(text).matchAll(/[\p{L}\p{N}]+(?:[-_.:/\\'][\p{L}\p{N}]+)*/gu)) {
    if (/\d/.test(word)) keyWords.add(`#${word}`);
    else if (numberWords.has(word)) keyWords.add(`#${numberWords.get(word)}`);
    else if (negations.test(word)) keyWords.add('not');
    else {
      for (const part of word.split(/[-_.:/\\]/)) {
        const stem = toStem(part);
        if (!fillers.has(part) && !fillers.has(stem)) keyWords.add(synonyms.get(stem) ?? stem);
      }
    }
  }
  return [...keyWords].sort().join(' ');
}

/** Ignores case, spaces and the end of the sentence. */
export function normalizeText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[’`]/g, "'").replace(/\s+/g, ' ').trim();
  let end = plain.length;
  while (end > 0 && '?!. '.includes(plain[end - 1] ?? 'x')) end--;
  return plain.slice(0, end);
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

const negations = /^(not|no|never|none|nobody|nothing|without|except|neither|nor|cannot|unable|\w+n't)$/;

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, index]),
);

/** Words that only phrase a question. */
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

/** By their stems. */
const synonyms = new Map(
  Object.entries({
    repair: 'fix',
    resolv: 'fix',
    solv: 'fix',
    email: 'mail',
    wifi: 'wireless',
    wlan: 'wireless',
    notebook: 'laptop',
    logon: 'login',
    photo: 'picture',
    restart: 'reboot',
  }),
);

function toStem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/'s$/, '')
    .replace(/(ies|ied)$/, 'y')
    .replace(/(?<=\w{3})(ing|ed|es|s)$/, '')
    .replace(/(?<=\w{3})e$/, '');
}
